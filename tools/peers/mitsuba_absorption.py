"""Mitsuba's path integrator in its own language, with Beer's law in solids, which the library has only together with
media that scatter. To be imported once Mitsuba has its variant, which must be one that compiles (llvm or cuda)."""

import drjit as dr
import mitsuba as mi


class AbsorbingPath(mi.SamplingIntegrator):
    """As 'path' (src/integrators/path.cpp of Mitsuba 3.9), but for the three lines about absorption."""

    def __init__(self, props):
        super().__init__(props)
        depth = props.get("max_depth", -1)
        self.max_depth = 0xFFFFFFFF if depth < 0 else depth
        self.rr_depth = props.get("rr_depth", 5)
        self.table = None  # of absorption by the number of a shape

    @dr.syntax
    def sample(self, scene, sampler, ray_, medium=None, active=True):
        ctx = mi.BSDFContext()
        ray = mi.Ray3f(ray_)
        throughput, result = mi.Spectrum(1.0), mi.Spectrum(0.0)
        eta, depth = mi.Float(1.0), mi.UInt32(0)
        previous = dr.zeros(mi.Interaction3f)
        pdf, delta = mi.Float(1.0), mi.Bool(True)
        valid = mi.Bool(False)
        active = mi.Bool(active)

        while active:
            si = scene.ray_intersect(ray, ray_flags=+mi.RayFlags.All, coherent=depth == 0, active=active)
            inside = active & si.is_valid() & (dr.dot(si.n, ray.d) > 0.0)
            absorption = dr.gather(mi.Color3f, self.table, dr.reinterpret_array(mi.UInt32, si.shape), inside)
            throughput *= dr.select(inside, dr.exp(-absorption * si.t), 1.0)
            ds = mi.DirectionSample3f(scene, si=si, ref=previous)
            emitter = si.emitter(scene)
            hit = active & (emitter != None)  # noqa: E711, since it is an array
            emitter_pdf = dr.select(delta, 0.0, scene.pdf_emitter_direction(previous, ds, hit & ~delta))
            mis = dr.select(pdf > 0.0, (pdf * pdf) / (pdf * pdf + emitter_pdf * emitter_pdf), 0.0)
            result = dr.fma(throughput, emitter.eval(si, hit) * mis, result)

            active_next = active & (depth + 1 < self.max_depth) & si.is_valid()
            bsdf = si.bsdf(ray)
            active_em = active_next & mi.has_flag(bsdf.flags(), mi.BSDFFlags.Smooth)
            ds, em_weight = scene.sample_emitter_direction(si, sampler.next_2d(active_em), True, active_em)
            active_em &= ds.pdf != 0.0
            wo = si.to_local(ds.d)
            value, value_pdf, bs, weight = bsdf.eval_pdf_sample(
                ctx, si, wo, sampler.next_1d(active_next), sampler.next_2d(active_next), active_next
            )
            mis_em = dr.select(ds.delta, 1.0, ds.pdf * ds.pdf / (ds.pdf * ds.pdf + value_pdf * value_pdf))
            result[active_em] = dr.fma(throughput, value * em_weight * mis_em, result)

            ray = si.spawn_ray(si.to_world(bs.wo))
            throughput *= weight
            eta *= bs.eta
            valid |= active & si.is_valid()
            previous = dr.detach(mi.Interaction3f(si), True)
            pdf = bs.pdf
            delta = mi.has_flag(bs.sampled_type, mi.BSDFFlags.Delta)

            most = dr.max(throughput)
            rr = dr.minimum(most * eta * eta, 0.95)
            rr_active = depth + 1 >= self.rr_depth
            rr_continue = sampler.next_1d(active_next) < rr
            throughput[rr_active] *= dr.rcp(rr)
            depth[si.is_valid()] += 1
            active = active_next & (~rr_active | rr_continue) & (most != 0.0)

        return result, valid, []


mi.register_integrator("absorbing_path", AbsorbingPath)


def integrator(scene, parts, settings):
    """The integrator, with a table of what each part's solid absorbs by the number that its shape has in this scene."""
    by_name = {f"part{i}": part.get("absorption", [0.0] * 3) for i, part in enumerate(parts)}
    rows = {}
    for shape in scene.shapes():
        rows[int(dr.reinterpret_array(mi.UInt32, mi.ShapePtr(shape))[0])] = by_name.get(shape.id(), [0.0] * 3)
    made = mi.load_dict({"type": "absorbing_path", **settings})
    made.table = mi.Float([a for i in range(max(rows) + 1) for a in rows.get(i, [0.0] * 3)])
    return made

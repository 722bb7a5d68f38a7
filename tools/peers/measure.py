"""What is measured of a renderer and a scene; the same for all renderers."""

import math

import errors

GOAL = 1e-3  # the relMSE that renderers are timed to
NEAR = 0.05  # how far the error of a render "at the goal's time" may be from the goal, as a share of it
ROUNDS = 5  # of renders that come nearer to the goal


class Measurement:
    """A renderer has a name, `about` (a dictionary of its version and device), render(spp, seed), which returns
    seconds, and picture(), the errors.Picture of its last render. `plan` has the options of compare.py."""

    def __init__(self, renderer, plan):
        self.renderer, self.plan = renderer, plan
        self.seeds = iter(range(1, 1 << 30))  # no two renders have one seed

    def render(self, spp):
        return self.renderer.render(spp, next(self.seeds))

    def pictures(self, spp, count):
        for _ in range(count):
            self.render(spp)
            yield self.renderer.picture()

    def rate(self):
        """(seconds of a sample of each pixel, seconds of a render beside its samples), by two renders of different
        length. The first render of a length does not count: scenes are loaded, kernels compiled, memory taken in it."""
        few = 4
        self.render(few)
        short = self.render(few)
        spp, seconds = few, short
        while seconds < self.plan.seconds and spp < 1 << 22:
            spp = round(spp * min(16, max(2, 1.2 * self.plan.seconds / max(seconds, 1e-9))))
            seconds = self.render(spp)
        if spp > few:
            seconds = self.render(spp)
        if seconds <= short:
            return seconds / spp, 0.0
        each = (seconds - short) / (spp - few)
        return each, max(0.0, short - few * each)

    def reference(self, each):
        """(mean of as many seeds as told, samples per pixel of each seed)."""
        spp = max(self.plan.spp, round(self.plan.reference_seconds / each))
        return errors.mean_of(self.pictures(spp, self.plan.seeds)), spp

    def row(self):
        """The figures of the renderer, as compare.py writes them, and the mean picture."""
        each, start_up = self.rate()
        spp = self.plan.spp
        renders = list(self.pictures(spp, max(2, self.plan.seeds)))
        mean, reference_spp = self.reference(each)
        found = errors.pixel_errors(renders, mean)
        pixels = mean.width * mean.height
        row = {
            "renderer": self.renderer.name,
            **self.renderer.about,
            "size": [mean.width, mean.height],
            "samples_per_second": pixels / each,
            "seconds_per_spp": each,
            "start_up_seconds": start_up,
            "spp": spp,
            "relmse": errors.rel_mse(found),
            "relmse_trimmed": errors.trimmed_rel_mse(found),
            "reference_spp": reference_spp,
            "reference_seeds": self.plan.seeds,
            "mean_luminance": errors.luminance(mean),
        }
        row["goal"] = self.goal(each, row["relmse"], mean)
        return row, mean

    def goal(self, each, error, mean):
        """When the error is GOAL. Taken from the error at --spp, as though it fell as one over the samples, unless
        --full: then from the error of renders that take about as long, each guess made from those before."""
        seconds = self.plan.spp * each * error / GOAL
        if not self.plan.full:
            return {"relmse": GOAL, "seconds": seconds, "from": "scaled"}
        tried = []
        most = max(1, int(self.plan.most_seconds / each))
        at, slope = (self.plan.spp, error), 1.0
        for _ in range(ROUNDS):
            wanted = max(1, round(at[0] * (at[1] / GOAL) ** (1 / slope)))
            spp = min(wanted, most)
            found = errors.pixel_errors(self.pictures(spp, self.plan.seeds), mean)
            error = errors.rel_mse(found)
            tried.append(
                {"spp": spp, "seconds": spp * each, "relmse": error, "relmse_trimmed": errors.trimmed_rel_mse(found)}
            )
            seconds = spp * each * error / GOAL
            if abs(error / GOAL - 1) <= NEAR or spp == 1 and error < GOAL:
                break
            if spp < wanted and error > GOAL:
                return {"relmse": GOAL, "seconds": seconds, "from": "scaled", "tried": tried}
            reached = spp, max(error, 1e-12)
            at, slope = reached, slope_between(at, reached, slope)
        # Of less than a twentieth the rest of the way is scaled, and of more where the rounds did not suffice.
        return {"relmse": GOAL, "seconds": seconds, "from": "measured", "tried": tried}


def slope_between(a, b, otherwise):
    """The error falls as samples to the power of minus this between two pairs of (samples, error); `otherwise` where
    they are too near for noise not to decide. Within what samplers do."""
    ratio = math.log(b[0] / a[0])
    return min(2.0, max(0.7, math.log(a[1] / b[1]) / ratio)) if abs(ratio) > 0.2 else otherwise


def compare_means(rows, means):
    """Adds to each row of a scene how its mean differs from Mitsuba's, or from the first there is. `means` are pictures
    in the order of the rows. Returns the number of the row that is the base."""
    names = [row["renderer"] for row in rows]
    base = names.index("mitsuba") if "mitsuba" in names else 0
    for row, mean in zip(rows, means):
        row["base"] = names[base]
        row["mean_ratio"], row["mean_ratio_trimmed"] = errors.mean_ratio(mean, means[base])
        row["block_difference"] = errors.block_difference(mean, means[base])
        if mean is not means[base] and mean.variances and means[base].variances:
            found = errors.scores(mean, means[base])
            row["score"] = {
                "mean": errors.score(mean, means[base]),
                "blocks": len(found),
                "spread": math.hypot(*found) / math.sqrt(len(found)),
                "most": max(map(abs, found)),
            }
    return base

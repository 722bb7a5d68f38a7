#include "gpu_test/bounds/check_writer.h"

#include <cstddef>
#include <utility>

#include "gpu_test/bounds/checks_block.h"

namespace aureole::gpu::spirv {

namespace {

constexpr std::uint32_t kAligned = 2; // memory operand

} // namespace

CheckWriter::CheckWriter(Globals& globals, Writer& writer, std::uint32_t& idBound, std::uint64_t block)
    : globals_(globals)
    , writer_(writer)
    , block_(block)
    , u32_(globals.uint32())
    , u64_(globals.uint64())
    , functions_(idBound)
    , report_(functions_.newId()) {
    writeReportFunction();
}

std::uint32_t CheckWriter::load(std::uint32_t type, std::uint32_t address) {
    const std::uint32_t pointer = writer_.add(OpConvertUToPtr, globals_.pointerTo(type), {address});
    return writer_.add(OpLoad, type, {pointer, kAligned, type == u64_ ? 8U : 4U});
}

CheckWriter::Buffer CheckWriter::bufferOf(std::uint32_t address) {
    const auto [place, isNew] = buffers_.try_emplace(address);
    if (!isNew) {
        return place->second;
    }
    const auto c = [&](std::uint64_t value) { return globals_.constant64(value); };
    // An address above all ranges leads to some range, of whose buffers it is in none.
    const std::uint32_t high = binary(OpShiftRightLogical, address, c(kRangeShift));
    const std::uint32_t range = binary(OpBitwiseAnd, high, c(kRanges - 1));
    const std::uint32_t at = binary(OpIMul, range, c(sizeof(std::uint32_t)));
    const std::uint32_t table = load(u32_, binary(OpIAdd, at, c(block_ + ChecksBlock::kRangesAt)));
    const std::uint32_t first = binary(OpIMul, writer_.add(OpUConvert, u64_, {table}), c(kPagesPerRange));
    const std::uint32_t shifted = binary(OpShiftRightLogical, address, c(kPageShift));
    const std::uint32_t page = binary(OpBitwiseAnd, shifted, c(kPagesPerRange - 1));
    const std::uint32_t offset = binary(OpIMul, binary(OpIAdd, first, page), c(sizeof(PageEntry)));
    const std::uint32_t entry = binary(OpIAdd, offset, c(block_ + ChecksBlock::kPagesAt));
    place->second.begin = load(u64_, entry);
    place->second.bytes = load(u64_, binary(OpIAdd, entry, c(offsetof(PageEntry, bytes))));
    return place->second;
}

void CheckWriter::reportUnless(std::uint32_t fits, std::uint32_t site, std::uint32_t value, std::uint32_t base) {
    if (site_ == 0) {
        site_ = value_ = base_ = globals_.constant64(0);
    }
    site_ = select(fits, site_, globals_.constant64(site));
    value_ = select(fits, value_, value);
    base_ = select(fits, base_, base);
}

std::uint32_t CheckWriter::checkAddress(const Access& access) {
    const auto c = [&](std::uint64_t value) { return globals_.constant64(value); };
    const Buffer buffer = bufferOf(access.base);
    const std::uint32_t bytes = c(access.bytes);
    // An address below the beginning comes out as a huge offset.
    const std::uint32_t offset = binary(OpISub, access.address, buffer.begin);
    const std::uint32_t most = binary(OpISub, buffer.bytes, bytes);
    std::uint32_t fits =
        test(OpLogicalAnd, test(OpULessThanEqual, bytes, buffer.bytes), test(OpULessThanEqual, offset, most));
    if (access.alignment > 1) {
        const std::uint32_t rest = binary(OpBitwiseAnd, access.address, c(access.alignment - 1));
        fits = test(OpLogicalAnd, fits, test(OpIEqual, rest, c(0)));
    }
    reportUnless(fits, access.site, access.address, access.base);
    return select(fits, access.address, c(block_ + (access.writes ? ChecksBlock::kWritesTo : ChecksBlock::kReadsFrom)));
}

std::uint32_t CheckWriter::checkIndex(std::uint32_t index, std::uint32_t length, std::uint32_t site) {
    const std::uint32_t fits = test(OpULessThan, index, length);
    const std::uint32_t wideIndex = writer_.add(OpUConvert, u64_, {index});
    const std::uint32_t wideLength = writer_.add(OpUConvert, u64_, {length});
    reportUnless(fits, site, wideIndex, wideLength);
    return writer_.add(OpSelect, u32_, {fits, index, globals_.constant32(0)});
}

void CheckWriter::endBlock() {
    if (site_ != 0) {
        writer_.add(OpFunctionCall, u64_, {report_, site_, value_, base_});
    }
    buffers_.clear();
    site_ = value_ = base_ = 0;
}

/// Takes site, value and base, and returns the site, as it has to return something.
void CheckWriter::writeReportFunction() {
    const auto c = [&](std::uint64_t number) { return globals_.constant64(number); };
    const auto binaryHere = [&](Op op, std::uint32_t a, std::uint32_t b) { return functions_.add(op, u64_, {a, b}); };
    const auto store = [&](std::uint32_t address, std::uint32_t value) {
        const std::uint32_t pointer = functions_.add(OpConvertUToPtr, globals_.pointerTo(u64_), {address});
        functions_.put(OpStore, {pointer, value, kAligned, 8});
    };
    functions_.put(OpFunction, {u64_, report_, 0, globals_.function({u64_, u64_, u64_, u64_})});
    const std::uint32_t site = functions_.add(OpFunctionParameter, u64_, {});
    const std::uint32_t value = functions_.add(OpFunctionParameter, u64_, {});
    const std::uint32_t base = functions_.add(OpFunctionParameter, u64_, {});
    const std::uint32_t report = functions_.newId();
    const std::uint32_t done = functions_.newId();
    functions_.put(OpLabel, {functions_.newId()});
    const std::uint32_t none = functions_.add(OpIEqual, globals_.boolean(), {site, c(0)});
    functions_.put(OpSelectionMerge, {done, 0});
    functions_.put(OpBranchConditional, {none, done, report});
    functions_.put(OpLabel, {report});
    const std::uint32_t slot = binaryHere(OpBitwiseAnd, site, c(kReports - 1));
    const std::uint32_t offset = binaryHere(OpIMul, slot, c(sizeof(BoundsReport)));
    const std::uint32_t at = binaryHere(OpIAdd, offset, c(block_ + ChecksBlock::kReportsAt));
    store(at, site);
    store(binaryHere(OpIAdd, at, c(offsetof(BoundsReport, value))), value);
    store(binaryHere(OpIAdd, at, c(offsetof(BoundsReport, base))), base);
    functions_.put(OpBranch, {done});
    functions_.put(OpLabel, {done});
    functions_.put(OpReturnValue, {site});
    functions_.put(OpFunctionEnd, {});
}

} // namespace aureole::gpu::spirv

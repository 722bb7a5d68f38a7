#include "gpu/bounds/check_functions.h"

#include <cstddef>

#include "gpu/bounds/checks_block.h"

namespace aureole::gpu::spirv {

namespace {

constexpr std::uint32_t kAligned = 2; // memory operand

} // namespace

CheckFunctions::CheckFunctions(Globals& globals, std::uint32_t& idBound, std::uint64_t block)
    : globals_(globals)
    , block_(block)
    , u32_(globals.uint32())
    , u64_(globals.uint64())
    , functions_(idBound)
    , address_(functions_.newId())
    , index_(functions_.newId()) {
    writeAddressFunction();
    writeIndexFunction();
}

std::uint32_t CheckFunctions::checkAddress(Writer& writer, const Access& access) {
    const std::uint64_t instead = block_ + (access.writes ? ChecksBlock::kWritesTo : ChecksBlock::kReadsFrom);
    return writer.add(OpFunctionCall, u64_,
                      {address_, access.base, access.address, globals_.constant64(access.bytes),
                       globals_.constant64(access.alignment - 1), globals_.constant64(access.site),
                       globals_.constant64(instead)});
}

std::uint32_t CheckFunctions::checkIndex(Writer& writer, std::uint32_t index, std::uint32_t length,
                                         std::uint32_t site) {
    return writer.add(OpFunctionCall, u32_, {index_, index, length, globals_.constant64(site)});
}

std::uint32_t CheckFunctions::load(std::uint32_t type, std::uint32_t address) {
    const std::uint32_t pointer = functions_.add(OpConvertUToPtr, globals_.pointerTo(type), {address});
    return functions_.add(OpLoad, type, {pointer, kAligned, type == u64_ ? 8U : 4U});
}

void CheckFunctions::store(std::uint32_t address, std::uint32_t value) {
    const std::uint32_t pointer = functions_.add(OpConvertUToPtr, globals_.pointerTo(u64_), {address});
    functions_.put(OpStore, {pointer, value, kAligned, 8});
}

std::uint32_t CheckFunctions::pageEntry(std::uint32_t address) {
    const auto c = [&](std::uint64_t value) { return globals_.constant64(value); };
    // The shift of an address above all ranges leads to some range, of whose buffers the address is in none.
    const std::uint32_t high = binary(OpShiftRightLogical, address, c(kRangeShift));
    const std::uint32_t range = binary(OpBitwiseAnd, high, c(kRanges - 1));
    const std::uint32_t at = binary(OpIMul, range, c(sizeof(std::uint32_t)));
    const std::uint32_t table = load(u32_, binary(OpIAdd, at, c(block_ + ChecksBlock::kRangesAt)));
    const std::uint32_t wide = functions_.add(OpUConvert, u64_, {table});
    const std::uint32_t first = binary(OpIMul, wide, c(kPagesPerRange));
    const std::uint32_t shifted = binary(OpShiftRightLogical, address, c(kPageShift));
    const std::uint32_t page = binary(OpBitwiseAnd, shifted, c(kPagesPerRange - 1));
    const std::uint32_t entry = binary(OpIMul, binary(OpIAdd, first, page), c(sizeof(PageEntry)));
    return binary(OpIAdd, entry, c(block_ + ChecksBlock::kPagesAt));
}

void CheckFunctions::reportUnless(std::uint32_t fits, std::uint32_t site, std::uint32_t value, std::uint32_t base) {
    const auto c = [&](std::uint64_t number) { return globals_.constant64(number); };
    const std::uint32_t done = functions_.newId();
    const std::uint32_t bad = functions_.newId();
    functions_.put(OpSelectionMerge, {done, 0});
    functions_.put(OpBranchConditional, {fits, done, bad});
    functions_.put(OpLabel, {bad});
    const std::uint32_t slot = binary(OpBitwiseAnd, site, c(kReports - 1));
    const std::uint32_t offset = binary(OpIMul, slot, c(sizeof(BoundsReport)));
    const std::uint32_t report = binary(OpIAdd, offset, c(block_ + ChecksBlock::kReportsAt));
    store(report, site);
    store(binary(OpIAdd, report, c(offsetof(BoundsReport, value))), value);
    store(binary(OpIAdd, report, c(offsetof(BoundsReport, base))), base);
    functions_.put(OpBranch, {done});
    functions_.put(OpLabel, {done});
}

void CheckFunctions::writeAddressFunction() {
    const std::uint32_t type = globals_.function({u64_, u64_, u64_, u64_, u64_, u64_, u64_});
    functions_.put(OpFunction, {u64_, address_, 0, type});
    const auto parameter = [&] { return functions_.add(OpFunctionParameter, u64_, {}); };
    const std::uint32_t base = parameter();
    const std::uint32_t address = parameter();
    const std::uint32_t bytes = parameter();
    const std::uint32_t unaligned = parameter(); // bits that are to be 0
    const std::uint32_t site = parameter();
    const std::uint32_t instead = parameter();
    functions_.put(OpLabel, {functions_.newId()});

    const std::uint32_t entry = pageEntry(base);
    const std::uint32_t begin = load(u64_, entry);
    const std::uint32_t size = load(u64_, binary(OpIAdd, entry, globals_.constant64(offsetof(PageEntry, bytes))));
    const auto both = [&](std::uint32_t a, std::uint32_t b) {
        return functions_.add(OpLogicalAnd, globals_.boolean(), {a, b});
    };
    const auto compare = [&](Op op, std::uint32_t a, std::uint32_t b) {
        return functions_.add(op, globals_.boolean(), {a, b});
    };
    // An address below the beginning comes out as a huge offset.
    const std::uint32_t offset = binary(OpISub, address, begin);
    const std::uint32_t inside =
        both(compare(OpULessThanEqual, bytes, size), compare(OpULessThanEqual, offset, binary(OpISub, size, bytes)));
    const std::uint32_t aligned = compare(OpIEqual, binary(OpBitwiseAnd, address, unaligned), globals_.constant64(0));
    const std::uint32_t fits = both(inside, aligned);
    reportUnless(fits, site, address, base);
    functions_.put(OpReturnValue, {functions_.add(OpSelect, u64_, {fits, address, instead})});
    functions_.put(OpFunctionEnd, {});
}

void CheckFunctions::writeIndexFunction() {
    const std::uint32_t type = globals_.function({u32_, u32_, u32_, u64_});
    functions_.put(OpFunction, {u32_, index_, 0, type});
    const std::uint32_t index = functions_.add(OpFunctionParameter, u32_, {});
    const std::uint32_t length = functions_.add(OpFunctionParameter, u32_, {});
    const std::uint32_t site = functions_.add(OpFunctionParameter, u64_, {});
    functions_.put(OpLabel, {functions_.newId()});
    const std::uint32_t fits = functions_.add(OpULessThan, globals_.boolean(), {index, length});
    const std::uint32_t wideIndex = functions_.add(OpUConvert, u64_, {index});
    const std::uint32_t wideLength = functions_.add(OpUConvert, u64_, {length});
    reportUnless(fits, site, wideIndex, wideLength);
    functions_.put(OpReturnValue, {functions_.add(OpSelect, u32_, {fits, index, globals_.constant32(0)})});
    functions_.put(OpFunctionEnd, {});
}

} // namespace aureole::gpu::spirv

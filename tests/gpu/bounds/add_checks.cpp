#include "gpu_test/bounds/add_checks.h"

#include <algorithm>
#include <bit>

#include "core/error.h"
#include "gpu_test/bounds/check_writer.h"
#include "gpu_test/bounds/checks_block.h"
#include "gpu_test/bounds/spirv_module.h"
#include "gpu_test/bounds/spirv_writer.h"

namespace aureole::gpu {

namespace {

using namespace spirv;

constexpr std::uint32_t kInt64 = 11;             // capabilities
constexpr std::uint32_t kAddresses = 5347;       //
constexpr std::uint32_t kAddressingModel = 5348; // PhysicalStorageBuffer64

/// Where an instruction that reaches memory has its pointer, of its words.
constexpr std::size_t pointerWord(std::uint32_t op) {
    return op == OpStore || op == OpAtomicStore ? 1 : 3;
}

bool isChain(std::uint32_t op) {
    return op == OpAccessChain || op == OpInBoundsAccessChain || op == OpPtrAccessChain;
}

class Checker {
public:
    Checker(std::span<const std::uint32_t> spirv, const std::string& shader, std::uint64_t block,
            std::uint32_t firstSite)
        : module_(spirv, shader)
        , bound_(module_.idBound())
        , firstSite_(firstSite)
        , globals_(module_, bound_)
        , out_(bound_)
        , checks_(globals_, out_, bound_, block) {}

    CheckedShader run();

private:
    void rewrite(const Instruction& instruction);
    void rewriteAccess(const Instruction& instruction, std::uint64_t bytes);
    void rewriteChain(const Instruction& instruction);
    void rewriteVector(const Instruction& instruction, std::size_t indexWord);
    /// The id to use for an index into a type of a known length; `index` itself where nothing has to be checked.
    std::uint32_t checkedIndex(std::uint32_t index, std::uint32_t length, const std::string& array);
    std::uint32_t asUint32(std::uint32_t id);
    std::uint32_t asAddress(std::uint32_t pointer);
    /// The pointer that chains of accesses start from.
    std::uint32_t rootOf(std::uint32_t pointer) const;
    std::uint64_t arrayStride(std::uint32_t pointer) const;
    std::uint64_t alignmentOf(const Instruction& instruction, std::uint64_t bytes) const;
    void refuseOutputs(const Instruction& instruction) const;
    bool isByAddress(std::uint32_t pointer) const { return module_.typeOf(pointer).words[2] == kPhysicalStorageBuffer; }
    std::uint32_t addSite(CheckedSite site);
    void writeHead(Writer& head) const;

    Module module_;
    std::uint32_t bound_;
    std::uint32_t firstSite_;
    Globals globals_;
    Writer out_; ///< the functions of the shader
    CheckWriter checks_;
    std::string line_;
    std::vector<CheckedSite> sites_;
};

std::uint32_t Checker::addSite(CheckedSite site) {
    site.line = line_;
    sites_.push_back(std::move(site));
    return firstSite_ + static_cast<std::uint32_t>(sites_.size()) - 1;
}

std::uint32_t Checker::rootOf(std::uint32_t pointer) const {
    const Instruction* instruction = &module_.definition(pointer);
    while (isChain(instruction->op) || instruction->op == OpCopyObject) {
        pointer = instruction->words[3];
        instruction = &module_.definition(pointer);
    }
    return pointer;
}

/// Of the innermost array of unknown length.
std::uint64_t Checker::arrayStride(std::uint32_t pointer) const {
    const Instruction* chain = &module_.definition(pointer);
    for (; isChain(chain->op); chain = &module_.definition(chain->words[3])) {
        if (chain->op == OpPtrAccessChain) {
            return module_.strideOf(module_.definition(chain->words[3]).type);
        }
        std::uint32_t type = module_.typeOf(chain->words[3]).words[3];
        for (const std::uint32_t index : chain->words.subspan(4)) {
            const Instruction& in = module_.definition(type);
            if (in.op == OpTypeRuntimeArray) {
                return module_.strideOf(type);
            }
            std::uint32_t member = 0;
            module_.constant(index, member);
            type = in.op == OpTypeStruct ? in.words[2 + member] : in.words[2];
        }
    }
    return 0;
}

std::uint64_t Checker::alignmentOf(const Instruction& instruction, std::uint64_t bytes) const {
    constexpr std::uint32_t kVolatile = 1;
    constexpr std::uint32_t kAligned = 2;
    if (instruction.op != OpLoad && instruction.op != OpStore) {
        return bytes; // of atomic operations
    }
    const std::size_t at = instruction.op == OpLoad ? 4 : 3; // the memory operands, then what they take
    if (instruction.words.size() <= at + 1 || (instruction.words[at] & kAligned) == 0) {
        fail(ExitCode::Internal, "shader '{}': an access by address without an alignment", module_.shader());
    }
    static_assert(kVolatile < kAligned); // volatile takes no operand, so the alignment comes first
    return instruction.words[at + 1];
}

std::uint32_t Checker::asUint32(std::uint32_t id) {
    const Instruction& type = module_.typeOf(id);
    if (type.op != OpTypeInt || type.words[2] != 32) {
        fail(ExitCode::Internal, "shader '{}': an index that has not 32 bits", module_.shader());
    }
    return type.words[3] == 0 ? id : out_.add(OpBitcast, globals_.uint32(), {id});
}

std::uint32_t Checker::asAddress(std::uint32_t pointer) {
    const Instruction& made = module_.definition(pointer);
    if (made.op == OpConvertUToPtr && module_.definition(made.words[3]).type == globals_.uint64()) {
        return made.words[3];
    }
    return out_.add(OpConvertPtrToU, globals_.uint64(), {pointer});
}

void Checker::rewriteAccess(const Instruction& instruction, std::uint64_t bytes) {
    const std::uint32_t pointer = instruction.words[pointerWord(instruction.op)];
    if (bytes > kNowhereBytes) {
        fail(ExitCode::Internal, "shader '{}': an access of {} bytes, expected at most {}", module_.shader(), bytes,
             kNowhereBytes);
    }
    CheckedSite site;
    site.what = instruction.op == OpLoad ? "load" : instruction.op == OpStore ? "store" : "atomic operation";
    site.bytes = bytes;
    site.alignment = alignmentOf(instruction, bytes);
    site.stride = arrayStride(pointer);
    CheckWriter::Access access;
    access.base = asAddress(rootOf(pointer));
    access.address = asAddress(pointer);
    access.bytes = bytes;
    access.alignment = site.alignment;
    access.writes = instruction.op != OpLoad;
    access.site = addSite(site);
    const std::uint32_t safe = checks_.checkAddress(access);
    std::vector<std::uint32_t> words(instruction.words.begin(), instruction.words.end());
    words[pointerWord(instruction.op)] = out_.add(OpConvertUToPtr, module_.definition(pointer).type, {safe});
    out_.copy(words);
}

std::uint32_t Checker::checkedIndex(std::uint32_t index, std::uint32_t length, const std::string& array) {
    std::uint32_t knownIndex = 0;
    std::uint32_t knownLength = 0;
    if (module_.constant(index, knownIndex) && module_.constant(length, knownLength)) {
        if (knownIndex >= knownLength) {
            fail(ExitCode::Internal, "shader '{}': index {} of {}, which has {} elements", module_.shader(), knownIndex,
                 array, knownLength);
        }
        return index;
    }
    CheckedSite site;
    site.isIndex = true;
    site.what = array;
    return checks_.checkIndex(asUint32(index), asUint32(length), addSite(site));
}

void Checker::rewriteChain(const Instruction& instruction) {
    std::vector<std::uint32_t> words(instruction.words.begin(), instruction.words.end());
    const std::uint32_t base = words[3];
    const std::string name = module_.nameOf(rootOf(base));
    const std::string array = name.empty() ? "an array" : "array '" + name + "'";
    std::uint32_t type = module_.typeOf(base).words[3];
    // The first index of a pointer's own chain counts whole objects: the check of the access sees to it.
    for (std::size_t i = instruction.op == OpPtrAccessChain ? 5 : 4; i < words.size(); ++i) {
        const Instruction& in = module_.definition(type);
        std::uint32_t member = 0;
        if (in.op == OpTypeStruct) {
            module_.constant(words[i], member);
            type = in.words[2 + member];
            continue;
        }
        if (in.op == OpTypeArray) {
            words[i] = checkedIndex(words[i], in.words[3], array);
        } else if (in.op == OpTypeVector || in.op == OpTypeMatrix) {
            if (!module_.constant(words[i], member) || member >= in.words[3]) {
                words[i] = checks_.checkIndex(asUint32(words[i]), globals_.constant32(in.words[3]),
                                              addSite({.isIndex = true, .what = "a vector in " + array}));
            }
        }
        type = in.words[2];
    }
    out_.copy(words);
}

void Checker::rewriteVector(const Instruction& instruction, std::size_t indexWord) {
    std::vector<std::uint32_t> words(instruction.words.begin(), instruction.words.end());
    const Instruction& vector = module_.typeOf(words[3]);
    words[indexWord] = checks_.checkIndex(asUint32(words[indexWord]), globals_.constant32(vector.words[3]),
                                          addSite({.isIndex = true, .what = "a vector"}));
    out_.copy(words);
}

/// Two functions of GLSL.std.450 write through a pointer.
void Checker::refuseOutputs(const Instruction& instruction) const {
    constexpr std::uint32_t kModf = 35;
    constexpr std::uint32_t kFrexp = 51;
    const std::uint32_t function = instruction.words[4];
    if ((function == kModf || function == kFrexp) && isByAddress(instruction.words.back())) {
        fail(ExitCode::Internal, "shader '{}': a function that writes by address itself", module_.shader());
    }
}

void Checker::rewrite(const Instruction& instruction) {
    constexpr std::uint32_t kExtInst = 12;
    const std::uint32_t op = instruction.op;
    if (op == OpLine) {
        line_ = module_.stringOf(instruction.words[1]) + ":" + std::to_string(instruction.words[2]);
    } else if (op == OpNoLine || op == OpFunctionEnd) {
        line_.clear();
    } else if (op == kExtInst) {
        refuseOutputs(instruction);
    }
    if (op == OpLoopMerge || op == OpSelectionMerge || (op >= OpBranch && op <= OpUnreachable)) {
        checks_.endBlock();
    }
    const bool reaches = op == OpLoad || op == OpStore || (op >= OpAtomicLoad && op <= OpAtomicXor);
    if (reaches && isByAddress(instruction.words[pointerWord(op)])) {
        const std::uint32_t pointer = instruction.words[pointerWord(op)];
        rewriteAccess(instruction, module_.bytesOf(module_.typeOf(pointer).words[3]));
    } else if (isChain(op)) {
        rewriteChain(instruction);
    } else if (op == OpVectorExtractDynamic) {
        rewriteVector(instruction, 4);
    } else if (op == OpVectorInsertDynamic) {
        rewriteVector(instruction, 5);
    } else {
        out_.copy(instruction.words);
    }
}

/// What stands before the types: capabilities first, of which the checks want two.
void Checker::writeHead(Writer& head) const {
    for (const std::uint32_t capability : {kInt64, kAddresses}) {
        const bool there = std::ranges::any_of(module_.instructions(), [&](const Instruction& instruction) {
            return instruction.op == OpCapability && instruction.words[1] == capability;
        });
        if (!there) {
            head.put(OpCapability, {capability});
        }
    }
}

CheckedShader Checker::run() {
    Writer head(bound_);
    writeHead(head);
    bool inFunctions = false;
    for (const Instruction& instruction : module_.instructions()) {
        inFunctions = inFunctions || instruction.op == OpFunction;
        if (inFunctions) {
            rewrite(instruction);
        } else if (instruction.op == OpMemoryModel) {
            head.put(OpMemoryModel, {kAddressingModel, instruction.words[2]});
        } else {
            head.copy(instruction.words);
        }
    }
    head.append(globals_.added());
    head.append(out_);
    head.append(checks_.functions());

    CheckedShader checked;
    checked.spirv.assign(module_.header().begin(), module_.header().end());
    checked.spirv[3] = bound_;
    checked.spirv.insert(checked.spirv.end(), head.words().begin(), head.words().end());
    checked.sites = std::move(sites_);
    return checked;
}

} // namespace

CheckedShader addChecks(std::span<const std::uint32_t> spirv, const std::string& shader, std::uint64_t block,
                        std::uint32_t firstSite) {
    return Checker(spirv, shader, block, firstSite).run();
}

} // namespace aureole::gpu

// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "tests/hw_model/regs/sample_commands.h"

namespace vnpu::hw::test {
namespace {

template <typename Change>
JobStatus withVector(Change change) {
    VecOperator work = sampleVecOperator();
    change(work);
    return validate(Engine::kVector, work);
}

/// The command with a changed first input.
template <typename Change>
JobStatus withTensor(Change change) {
    return withVector([&](VecOperator& work) { change(work.operands[0]); });
}

/// The command with a changed activation, an immediate.
template <typename Change>
JobStatus withImmediate(Change change) {
    return withVector([&](VecOperator& work) { change(work.operands[2]); });
}

template <typename Change>
JobStatus withDsp(Change change) {
    DspOperator work = sampleDspOperator();
    change(work);
    return validate(Engine::kDsp, work);
}

template <typename Change>
JobStatus withBranch(Change change) {
    Branch work = sampleBranch();
    change(work);
    return validate(Engine::kController, work);
}

}  // namespace

TEST_SUITE_BEGIN("hw_model/regs/command_validator_operator");

TEST_CASE("operators and branches must run on their engine") {
    CHECK(validate(Engine::kDsp, sampleVecOperator()) == JobStatus::kBadEngine);
    CHECK(validate(Engine::kVector, sampleDspOperator()) == JobStatus::kBadEngine);
    CHECK(validate(Engine::kDsp, sampleBranch()) == JobStatus::kBadEngine);
    CHECK(validate(Engine::kMac, Loop{}) == JobStatus::kBadEngine);
    CommandWriter writer;
    writer.add({Engine::kDma0}, Opcode::kSegment);
    CHECK(validateFirst(writer.takeBytes(), [](CommandHeader&) {}) == JobStatus::kBadEngine);
}

TEST_CASE("the vector unit accepts only its own operators") {
    for (const Operator op : {Operator::kConv2d, Operator::kLstm, static_cast<Operator>(96),
                              static_cast<Operator>(0xFFFF)}) {
        CHECK(withVector([&](VecOperator& w) { w.op = op; }) == JobStatus::kBadOperand);
    }
    CHECK(withVector([](VecOperator& w) { w.op = Operator::kTopkV2; }) == JobStatus::kOk);
}

TEST_CASE("an operator in SRAM has inputs and outputs, at most ten in all") {
    CHECK(withVector([](VecOperator& w) { w.inputCount = 0; }) == JobStatus::kBadOperand);
    CHECK(withVector([](VecOperator& w) { w.outputCount = 0; }) == JobStatus::kBadOperand);
    const auto withInputs = [](std::uint8_t inputs) {
        return withVector([&](VecOperator& w) {
            for (unsigned i = 0; i < kMaxVecOperands; ++i) {
                w.operands[i] = sampleTensor(0x100);
            }
            w.inputCount = inputs;
        });
    };
    CHECK(withInputs(9) == JobStatus::kOk);
    CHECK(withInputs(10) == JobStatus::kBadOperand);
    CHECK(withInputs(255) == JobStatus::kBadOperand);
}

TEST_CASE("unused fields of an operator in SRAM must be zero") {
    constexpr JobStatus kBad = JobStatus::kReservedNotZero;
    CHECK(withVector([](VecOperator& w) { w.reserved0 = 1; }) == kBad);
    CHECK(withVector([](VecOperator& w) { w.reserved1 = 1; }) == kBad);
    const auto withUnused = [](auto change) {
        return withVector([&](VecOperator& w) { change(w.operands[9]); });
    };
    CHECK(withUnused([](VecOperand& o) { o.type = TensorType::kInt32; }) == kBad);
    CHECK(withUnused([](VecOperand& o) { o.rank = 1; }) == kBad);
    CHECK(withUnused([](VecOperand& o) { o.flags = kOperandOmitted; }) == kBad);
    CHECK(withUnused([](VecOperand& o) { o.count = 1; }) == kBad);
    CHECK(withUnused([](VecOperand& o) { o.sram = 1; }) == kBad);
    CHECK(withUnused([](VecOperand& o) { o.words[3] = 1; }) == kBad);
    CHECK(withUnused([](VecOperand& o) { o.scale = 1.0F; }) == kBad);
    CHECK(withUnused([](VecOperand& o) { o.zeroPoint = 1; }) == kBad);
}

TEST_CASE("a tensor in SRAM needs a type, one to four extents, and room") {
    constexpr JobStatus kBad = JobStatus::kBadOperand;
    CHECK(withTensor([](VecOperand& o) { o.type = static_cast<TensorType>(15); }) == kBad);
    CHECK(withTensor([](VecOperand& o) { o.type = TensorType::kInt32Scalar; }) == kBad);
    CHECK(withTensor([](VecOperand& o) { o.type = TensorType::kQuant8SymmPerChannel; }) == kBad);
    CHECK(withTensor([](VecOperand& o) { o.flags = kOperandDynamic; }) == kBad);
    CHECK(withTensor([](VecOperand& o) { o.flags = 0x80; }) == kBad);
    CHECK(withTensor([](VecOperand& o) { o.rank = 0; }) == kBad);
    CHECK(withTensor([](VecOperand& o) { o.rank = 5; }) == kBad);
    CHECK(withTensor([](VecOperand& o) { o.words[1] = 0; }) == kBad);
    CHECK(withTensor([](VecOperand& o) { o.words[3] = 1; }) == JobStatus::kReservedNotZero);
    CHECK(withTensor([](VecOperand& o) { o.count = 1; }) == JobStatus::kReservedNotZero);
    CHECK(withTensor([](VecOperand& o) { o.sram = 0x102; }) == JobStatus::kMisaligned);
    CHECK(withTensor([](VecOperand& o) {
              o.type = TensorType::kFloat16;
              o.sram = 0x102;
          }) == JobStatus::kOk);
    constexpr std::uint32_t kBytes = 2 * 5 * 7 * 4;
    CHECK(withTensor([](VecOperand& o) { o.sram = kSramBytes - kBytes; }) == JobStatus::kOk);
    CHECK(withTensor([](VecOperand& o) { o.sram = kSramBytes - kBytes + 4; }) ==
          JobStatus::kOutOfSram);
    CHECK(withTensor([](VecOperand& o) { o.words[0] = o.words[1] = 0xFFFFFFFF; }) ==
          JobStatus::kOutOfSram);
    CHECK(withVector([](VecOperator& w) { w.operands[3].sram = kSramBytes; }) ==
          JobStatus::kOutOfSram);
}

TEST_CASE("an immediate must be a scalar, or up to four integers") {
    constexpr JobStatus kBad = JobStatus::kBadOperand;
    const auto vectorOf = [](std::uint8_t count) {
        return [count](VecOperand& o) {
            o.type = TensorType::kInt32;
            o.rank = 1;
            o.count = count;
        };
    };
    CHECK(withImmediate(vectorOf(1)) == JobStatus::kOk);
    CHECK(withImmediate(vectorOf(4)) == JobStatus::kOk);
    CHECK(withImmediate(vectorOf(0)) == kBad);
    CHECK(withImmediate(vectorOf(5)) == kBad);
    CHECK(withImmediate([](VecOperand& o) { o.type = TensorType::kInt32; }) == kBad);
    CHECK(withImmediate([](VecOperand& o) { o.count = 0; }) == kBad);
    CHECK(withImmediate([](VecOperand& o) { o.count = 2; }) == kBad);
    CHECK(withImmediate([](VecOperand& o) { o.rank = 1; }) == kBad);
    CHECK(withImmediate([](VecOperand& o) { o.sram = 4; }) == JobStatus::kReservedNotZero);
    CHECK(withImmediate([](VecOperand& o) { o.words[1] = 4; }) == JobStatus::kReservedNotZero);
    CHECK(withVector([](VecOperator& w) { w.operands[3].flags = kOperandImmediate; }) == kBad);
}

TEST_CASE("an input may be omitted, an output may not") {
    const auto leaveOut = [](VecOperand& o) {
        o = {};
        o.type = TensorType::kInt32;
        o.flags = kOperandOmitted;
    };
    CHECK(withImmediate(leaveOut) == JobStatus::kOk);
    CHECK(withVector([&](VecOperator& w) { leaveOut(w.operands[3]); }) == JobStatus::kBadOperand);
    CHECK(withTensor([](VecOperand& o) { o.flags = kOperandOmitted; }) ==
          JobStatus::kReservedNotZero);
}

TEST_CASE("an operator of the DSP must exist, and its descriptors must be readable") {
    CHECK(withDsp([](DspOperator& w) { w.op = static_cast<Operator>(97); }) ==
          JobStatus::kBadOperand);
    CHECK(withDsp([](DspOperator& w) { w.op = static_cast<Operator>(102); }) ==
          JobStatus::kBadOperand);
    CHECK(withDsp([](DspOperator& w) { w.outputCount = 0; }) == JobStatus::kBadOperand);
    CHECK(withDsp([](DspOperator& w) { w.inputCount = 0; }) == JobStatus::kOk);
    CHECK(withDsp([](DspOperator& w) { w.inputCount = 2; }) == JobStatus::kOutOfRegion);
    CHECK(withDsp([](DspOperator& w) { w.reserved0 = 1; }) == JobStatus::kReservedNotZero);
    CHECK(withDsp([](DspOperator& w) { w.descriptor.offset -= 4; }) == JobStatus::kMisaligned);
    CHECK(withDsp([](DspOperator& w) { w.descriptor.offset += 8; }) == JobStatus::kOutOfRegion);
    CHECK(withDsp([](DspOperator& w) { w.descriptor.offset = ~7ULL; }) == JobStatus::kOutOfRegion);
    CHECK(withDsp([](DspOperator& w) { w.descriptor.space = 3; }) == JobStatus::kBadRegion);
    CHECK(withDsp([](DspOperator& w) { w.descriptor.space = kSpaceSram; }) != JobStatus::kOk);
    CHECK(withDsp([](DspOperator& w) { w.descriptor.reserved1 = 1; }) ==
          JobStatus::kReservedNotZero);
}

TEST_CASE("an operator of the DSP has at most 256 operands") {
    const auto withInputs = [](std::uint16_t inputs) {
        return withDsp([&](DspOperator& w) {
            w.descriptor = inRegion(kVastRegion, 0);
            w.inputCount = inputs;
        });
    };
    CHECK(withInputs(254) == JobStatus::kOk);
    CHECK(withInputs(255) == JobStatus::kBadOperand);
    CHECK(withInputs(0xFFFF) == JobStatus::kBadOperand);
}

TEST_CASE("loop numbers above 63 are refused") {
    CHECK(validate(Engine::kController, Loop{64, 0}) == JobStatus::kBadOperand);
    CHECK(validate(Engine::kController, Loop{0, 1}) == JobStatus::kReservedNotZero);
    CHECK(withBranch([](Branch& b) { b.loop = 64; }) == JobStatus::kBadOperand);
}

TEST_CASE("a branch needs an aligned target and known flags") {
    CHECK(withBranch([](Branch& b) { b.target = 92; }) == JobStatus::kMisaligned);
    CHECK(withBranch([](Branch& b) { b.target = 0xFFFFFFF8; }) == JobStatus::kOk);
    CHECK(withBranch([](Branch& b) { b.flags |= 8; }) == JobStatus::kReservedNotZero);
    CHECK(withBranch([](Branch& b) { b.reserved = 1; }) == JobStatus::kReservedNotZero);
    CHECK(withBranch([](Branch& b) { b.flags = 0; }) == JobStatus::kBadOperand);  // loop 63
}

TEST_CASE("a condition must be readable, and absent if the branch is unconditional") {
    CHECK(withBranch([](Branch& b) { b.condition.offset = 8192; }) == JobStatus::kOutOfRegion);
    CHECK(withBranch([](Branch& b) { b.condition.space = 3; }) == JobStatus::kBadRegion);
    CHECK(withBranch([](Branch& b) { b.condition.space = kSpaceSram; }) != JobStatus::kOk);
    CHECK(withBranch([](Branch& b) { b.condition = inRegion(kReadOnlyRegion, 0); }) ==
          JobStatus::kOk);
    CHECK(withBranch([](Branch& b) { b.flags |= kBranchIfFalse; }) == JobStatus::kOk);
    CHECK(withBranch([](Branch& b) { b.flags |= kBranchAlways; }) == JobStatus::kReservedNotZero);
    const auto always = [](auto change) {
        return withBranch([&](Branch& b) {
            b.condition = {};
            b.flags |= kBranchAlways;
            change(b);
        });
    };
    CHECK(always([](Branch&) {}) == JobStatus::kOk);
    CHECK(always([](Branch& b) { b.flags |= kBranchIfFalse; }) == JobStatus::kBadOperand);
    CHECK(always([](Branch& b) { b.condition.space = 1; }) == JobStatus::kReservedNotZero);
    CHECK(always([](Branch& b) { b.condition.reserved0 = 1; }) == JobStatus::kReservedNotZero);
    CHECK(always([](Branch& b) { b.condition.reserved1 = 1; }) == JobStatus::kReservedNotZero);
    CHECK(always([](Branch& b) { b.condition.offset = 1; }) == JobStatus::kReservedNotZero);
}

TEST_SUITE_END();

}  // namespace vnpu::hw::test

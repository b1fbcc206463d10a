// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "tests/hw_model/regs/sample_commands.h"

namespace vnpu::hw::test {
namespace {

/// Validates the sample convolution after a change of its header.
template <typename Change>
JobStatus withHeader(Change change) {
    CommandWriter writer;
    writer.add({Engine::kMac}, sampleConv());
    return validateFirst(writer.takeBytes(), change);
}

JobStatus control(Opcode opcode, Engine engine = Engine::kController) {
    CommandWriter writer;
    writer.add({engine}, opcode);
    return validateFirst(writer.takeBytes(), [](CommandHeader&) {});
}

void setWait(CommandHeader& header, unsigned i, unsigned engine, unsigned count) {
    header.waits[i].engine = static_cast<std::uint8_t>(engine);
    header.waits[i].count = count & 0xFFFFFF;
}

}  // namespace

TEST_SUITE_BEGIN("hw_model/regs/command_validator");

TEST_CASE("the sample commands are valid") {
    CHECK(validate(Engine::kDma0, sampleTransfer()) == JobStatus::kOk);
    CHECK(validate(Engine::kDma3, sampleFill()) == JobStatus::kOk);
    CHECK(validate(Engine::kMac, sampleConv()) == JobStatus::kOk);
    CHECK(validate(Engine::kVector, samplePool()) == JobStatus::kOk);
    CHECK(validate(Engine::kVector, sampleEltwise()) == JobStatus::kOk);
    CHECK(validate(Engine::kVector, sampleUnary()) == JobStatus::kOk);
    CHECK(validate(Engine::kVector, sampleSoftmax()) == JobStatus::kOk);
    CHECK(validate(Engine::kVector, sampleReduce()) == JobStatus::kOk);
    CHECK(validate(Engine::kController, sampleTimestamp()) == JobStatus::kOk);
    CHECK(validate(Engine::kController, sampleCheckpoint()) == JobStatus::kOk);
    CHECK(validate(Engine::kVector, sampleVecOperator()) == JobStatus::kOk);
    CHECK(validate(Engine::kDsp, sampleDspOperator()) == JobStatus::kOk);
    CHECK(validate(Engine::kController, Loop{63, 0}) == JobStatus::kOk);
    CHECK(validate(Engine::kController, sampleBranch()) == JobStatus::kOk);
    CHECK(control(Opcode::kSegment) == JobStatus::kOk);
    CHECK(control(Opcode::kNop) == JobStatus::kOk);
    CHECK(control(Opcode::kEnd) == JobStatus::kOk);
    CHECK(control(Opcode::kBarrier) == JobStatus::kOk);
}

TEST_CASE("an unknown opcode is refused") {
    CHECK(withHeader([](CommandHeader& h) { h.opcode = static_cast<Opcode>(0x99); }) ==
          JobStatus::kBadOpcode);
}

TEST_CASE("a size that does not match the opcode is refused") {
    CHECK(withHeader([](CommandHeader& h) { h.sizeBytes = 48; }) == JobStatus::kBadCommandSize);
}

TEST_CASE("an engine number that does not exist is refused") {
    CHECK(withHeader([](CommandHeader& h) { h.engine = static_cast<Engine>(8); }) ==
          JobStatus::kBadEngine);
    CHECK(withHeader([](CommandHeader& h) { h.engine = static_cast<Engine>(255); }) ==
          JobStatus::kBadEngine);
}

TEST_CASE("transfers run only on DMA channels") {
    for (const Engine engine : {Engine::kDma0, Engine::kDma1, Engine::kDma2, Engine::kDma3}) {
        CHECK(validate(engine, sampleTransfer()) == JobStatus::kOk);
    }
    for (const Engine engine : {Engine::kMac, Engine::kVector, Engine::kDsp, Engine::kController}) {
        CHECK(validate(engine, sampleTransfer()) == JobStatus::kBadEngine);
        CHECK(validate(engine, sampleFill()) == JobStatus::kBadEngine);
    }
}

TEST_CASE("convolutions run only on the MAC array") {
    CHECK(validate(Engine::kVector, sampleConv()) == JobStatus::kBadEngine);
    CHECK(validate(Engine::kDma0, sampleConv()) == JobStatus::kBadEngine);
}

TEST_CASE("vector commands run only on the vector unit") {
    CHECK(validate(Engine::kMac, samplePool()) == JobStatus::kBadEngine);
    CHECK(validate(Engine::kDsp, sampleSoftmax()) == JobStatus::kBadEngine);
}

TEST_CASE("control commands run only on the controller") {
    CHECK(control(Opcode::kNop, Engine::kMac) == JobStatus::kBadEngine);
    CHECK(validate(Engine::kDma0, sampleTimestamp()) == JobStatus::kBadEngine);
}

TEST_CASE("reserved flags in the header must be zero") {
    CHECK(withHeader([](CommandHeader& h) { h.flags = 1; }) == JobStatus::kReservedNotZero);
}

TEST_CASE("the header's reserved word must be zero") {
    CHECK(withHeader([](CommandHeader& h) { h.reserved = 1ULL << 63; }) ==
          JobStatus::kReservedNotZero);
}

TEST_CASE("a checkpoint's live ranges must be in order and within their memories [Q-3]") {
    const auto check = [](auto change) {
        Checkpoint work = sampleCheckpoint();
        change(work);
        return validate(Engine::kController, work);
    };
    CHECK(check([](Checkpoint& c) { c.flags = 2; }) == JobStatus::kReservedNotZero);
    CHECK(check([](Checkpoint& c) { c.reserved = 1; }) == JobStatus::kReservedNotZero);
    CHECK(check([](Checkpoint& c) { c.holdCycles = 0xFFFFFFFF; }) == JobStatus::kOk);
    CHECK(check([](Checkpoint& c) { c.ranges[2].offset = 1; }) == JobStatus::kReservedNotZero);
    CHECK(check([](Checkpoint& c) { c.rangeCount = 1; }) == JobStatus::kReservedNotZero);
    CHECK(check([](Checkpoint& c) { c.rangeCount = 9; }) == JobStatus::kBadOperand);
    CHECK(check([](Checkpoint& c) { c.ranges[1].sizeBytes = 0; }) == JobStatus::kBadOperand);
    CHECK(check([](Checkpoint& c) { c.ranges[1].offset = 127; }) == JobStatus::kBadOperand);
    CHECK(check([](Checkpoint& c) { c.ranges[1].offset = 128; }) == JobStatus::kOk);
    CHECK(check([](Checkpoint& c) { c.ranges[1].sizeBytes = 0xFFFFFFFF; }) ==
          JobStatus::kOutOfSram);
    CHECK(check([](Checkpoint& c) { c.accumulatorBytes = 0xFFFFFFFF; }) ==
          JobStatus::kOutOfAccumulator);
}

TEST_CASE("a checkpoint's repeated loads must be in the order of the stream [Q-3]") {
    const auto check = [](auto change) {
        Checkpoint work = sampleCheckpoint();
        change(work);
        return validate(Engine::kController, work);
    };
    CHECK(check([](Checkpoint& c) { c.reloads[0] = 0x78; }) == JobStatus::kOk);
    CHECK(check([](Checkpoint& c) { c.reloads[0] = 0x80; }) == JobStatus::kBadOperand);
    CHECK(check([](Checkpoint& c) { c.reloads[1] = 0x84; }) == JobStatus::kMisaligned);
    CHECK(check([](Checkpoint& c) { c.reloads[2] = 0x88; }) == JobStatus::kReservedNotZero);
    CHECK(check([](Checkpoint& c) { c.reloadCount = 1; }) == JobStatus::kReservedNotZero);
    CHECK(check([](Checkpoint& c) { c.reloadCount = 17; }) == JobStatus::kBadOperand);
    CHECK(check([](Checkpoint& c) { c.reloadBytes = 0; }) == JobStatus::kBadOperand);
    CHECK(validate(Engine::kController, [] {
              Checkpoint work = emptyCheckpoint(1);
              work.reloadBytes = 1;
              return work;
          }()) == JobStatus::kBadOperand);
}

TEST_CASE("a command may wait for every other engine") {
    CHECK(withHeader([](CommandHeader& h) {
              h.waitCount = 6;
              const unsigned others[] = {0, 1, 2, 3, 5, 6};
              for (unsigned i = 0; i < 6; ++i) {
                  setWait(h, i, others[i], 0xFFFFFF);
              }
          }) == JobStatus::kOk);
}

TEST_CASE("more waits than the table holds are refused") {
    CHECK(withHeader([](CommandHeader& h) { h.waitCount = 7; }) == JobStatus::kBadWait);
}

TEST_CASE("a command must not wait for its own engine") {
    CHECK(withHeader([](CommandHeader& h) {
              h.waitCount = 1;
              setWait(h, 0, 4, 1);
          }) == JobStatus::kBadWait);
}

TEST_CASE("a command must not wait for the controller") {
    CHECK(withHeader([](CommandHeader& h) {
              h.waitCount = 1;
              setWait(h, 0, 7, 1);
          }) == JobStatus::kBadWait);
}

TEST_CASE("a command must not wait for an unknown engine") {
    CHECK(withHeader([](CommandHeader& h) {
              h.waitCount = 1;
              setWait(h, 0, 8, 1);
          }) == JobStatus::kBadWait);
    CHECK(withHeader([](CommandHeader& h) {
              h.waitCount = 1;
              setWait(h, 0, 255, 1);
          }) == JobStatus::kBadWait);
}

TEST_CASE("a command must not wait twice for one engine") {
    CHECK(withHeader([](CommandHeader& h) {
              h.waitCount = 2;
              setWait(h, 0, 1, 1);
              setWait(h, 1, 1, 2);
          }) == JobStatus::kBadWait);
}

TEST_CASE("unused waits must be zero") {
    CHECK(withHeader([](CommandHeader& h) {
              h.waitCount = 1;
              setWait(h, 0, 1, 1);
              setWait(h, 5, 0, 1);
          }) == JobStatus::kReservedNotZero);
}

TEST_SUITE_END();

}  // namespace vnpu::hw::test

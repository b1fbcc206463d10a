// SPDX-License-Identifier: Apache-2.0
#include "driver/execution/hal_status.h"

#include <doctest/doctest.h>

using namespace vnpu::driver;
using Hal10Status = android::hardware::neuralnetworks::V1_0::ErrorStatus;
namespace fw = vnpu::fw;
namespace hw = vnpu::hw;

TEST_SUITE_BEGIN("driver/execution/hal_status");

TEST_CASE(
        "statuses of 1.3 become GENERAL_FAILURE for earlier callers, the others stay the same "
        "[Q-6]") {
    CHECK_EQ(toHal10Status(ErrorStatus::NONE), Hal10Status::NONE);
    CHECK_EQ(toHal10Status(ErrorStatus::DEVICE_UNAVAILABLE), Hal10Status::DEVICE_UNAVAILABLE);
    CHECK_EQ(toHal10Status(ErrorStatus::GENERAL_FAILURE), Hal10Status::GENERAL_FAILURE);
    CHECK_EQ(toHal10Status(ErrorStatus::OUTPUT_INSUFFICIENT_SIZE),
             Hal10Status::OUTPUT_INSUFFICIENT_SIZE);
    CHECK_EQ(toHal10Status(ErrorStatus::INVALID_ARGUMENT), Hal10Status::INVALID_ARGUMENT);
    for (const auto status :
         {ErrorStatus::MISSED_DEADLINE_TRANSIENT, ErrorStatus::MISSED_DEADLINE_PERSISTENT,
          ErrorStatus::RESOURCE_EXHAUSTED_TRANSIENT, ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT}) {
        CHECK_EQ(toHal10Status(status), Hal10Status::GENERAL_FAILURE);
    }
}

TEST_CASE("only kOk is success [E-7]") {
    CHECK_EQ(toErrorStatus(hw::JobStatus::kOk), ErrorStatus::NONE);
    CHECK_EQ(toErrorStatus(hw::JobStatus::kAborted), ErrorStatus::GENERAL_FAILURE);
    CHECK_EQ(toErrorStatus(hw::JobStatus::kLoopTimeout), ErrorStatus::MISSED_DEADLINE_PERSISTENT);
    CHECK_EQ(toErrorStatus(hw::JobStatus::kNoRoom), ErrorStatus::OUTPUT_INSUFFICIENT_SIZE);
    CHECK_EQ(toErrorStatus(static_cast<hw::JobStatus>(9999)), ErrorStatus::GENERAL_FAILURE);
}

TEST_CASE("a record's place of failure is reported only where there is one [E-7]") {
    fw::CompletionRecord record{};
    record.jobId = 12;
    record.status = hw::JobStatus::kOutOfRegion;
    record.failingCommand = 64;
    record.failingEngine = UINT32_MAX;
    CHECK_EQ(describe(record), "job 12 ended with out-of-region, command at byte 64");
    record.failingCommand = UINT32_MAX;
    record.faultAddress = 0x1000;
    CHECK_EQ(describe(record), "job 12 ended with out-of-region, virtual address 0x1000");
    record.failingEngine = 0;
    CHECK_EQ(describe(record),
             "job 12 ended with out-of-region, engine dma0, virtual address 0x1000");
}

TEST_CASE("a refusal names the call, the status and the reason [E-6]") {
    CHECK_EQ(describe("execute_1_3", Error{ErrorStatus::INVALID_ARGUMENT, "pool 3 of 2"}),
             "execute_1_3: INVALID_ARGUMENT: pool 3 of 2");
}

TEST_SUITE_END();

// SPDX-License-Identifier: Apache-2.0
#include "driver/api/fault_report.h"

#include <doctest/doctest.h>

#include "hw_model/regs/engines.h"

using namespace vnpu::driver;

TEST_SUITE_BEGIN("driver/api/fault_report");

TEST_CASE("a report names cause, job, place and remedy [E-7]") {
    const FaultReport report{.cause = FaultCause::kEngineHang,
                             .remedy = FaultRemedy::kJobEnded,
                             .jobId = 12,
                             .ring = 3,
                             .engine = static_cast<std::uint32_t>(vnpu::hw::Engine::kMac),
                             .command = 64,
                             .status = vnpu::hw::JobStatus::kEngineHang,
                             .what = "it \"stands\" still"};
    CHECK_EQ(toText(report),
             "engine-hang: job 12 (ring 3, engine mac, command at byte 64): it \"stands\" still; "
             "job-ended");
    CHECK_EQ(toJson(report),
             R"({"cause":"engine-hang","remedy":"job-ended","what":"it \"stands\" still",)"
             R"("status":"engine-hang","job":12,"ring":3,"engine":"mac","command":64})");
}

TEST_CASE("a reset report has its duration, the survivors and the dump [E-7]") {
    const FaultReport report{.cause = FaultCause::kNoHeartbeat,
                             .remedy = FaultRemedy::kDeviceReset,
                             .survivors = 2,
                             .recoveryTime = std::chrono::microseconds(7),
                             .what = "silence",
                             .dump = "{}"};
    CHECK_EQ(toText(report), "no-heartbeat: silence; device-reset in 7 us, 2 jobs continue");
    CHECK_EQ(toJson(report),
             R"({"cause":"no-heartbeat","remedy":"device-reset","what":"silence","status":"ok",)"
             R"("survivors":2,"recovery_ns":7000,"dump":{}})");
}

TEST_SUITE_END();

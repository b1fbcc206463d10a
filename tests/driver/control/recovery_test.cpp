// SPDX-License-Identifier: Apache-2.0
#include "driver/control/recovery.h"

#include <doctest/doctest.h>

#include "tests/driver/support/service.h"

using namespace vnpu::driver;
using namespace vnpu::driver::test;
namespace fw = vnpu::fw;

TEST_SUITE_BEGIN("driver/control/recovery");

namespace {

using DeviceStatus = nn::V1_0::DeviceStatus;

/// A service with one model, and memory to run it on.
struct Running {
    Running() : prepared(service.prepare(reluModel({1, 16}))), input(16), output(16) {
        REQUIRE_EQ(prepared.status, ErrorStatus::NONE);
    }

    ErrorStatus execute() const {
        return executeSync(prepared.model, requestOf(input, output, 16)).status;
    }
    /// The reports of this cause.
    std::vector<FaultReport> faults(FaultCause cause) const {
        std::vector<FaultReport> found;
        for (const FaultReport& report : service.observer.faults()) {
            if (report.cause == cause) {
                found.push_back(report);
            }
        }
        return found;
    }
    DeviceStatus status() { return static_cast<DeviceStatus>(service.device->getStatus()); }

    Service service;
    PrepareOutcome prepared;
    Pool input, output;
};

}  // namespace

TEST_CASE("a job that waits when the firmware dies runs after the reset [E-7]") {
    Running running;
    running.service.port.hangUntilReset();
    CHECK_EQ(running.execute(), ErrorStatus::NONE);
    running.service.port.joinPosted();
    CHECK_EQ(running.service.port.boots(), 2);
    const auto reports = running.faults(FaultCause::kNoHeartbeat);
    REQUIRE_EQ(reports.size(), 1);
    CHECK_EQ(reports[0].remedy, FaultRemedy::kDeviceReset);
    CHECK_EQ(reports[0].jobId, 0);
    CHECK_EQ(reports[0].survivors, 1);
    CHECK_NE(reports[0].dump.find("\"rings\":[{\"ring\":0,\"tail\":1,\"head\":0"),
             std::string::npos);
    CHECK_EQ(running.status(), DeviceStatus::AVAILABLE);
    CHECK_EQ(running.execute(), ErrorStatus::NONE);
}

TEST_CASE("the job that ran when the firmware died fails and does not run again [E-7]") {
    Running running;
    REQUIRE_EQ(running.execute(), ErrorStatus::NONE);
    running.service.port.hangInNextJob();
    CHECK_EQ(running.execute(), ErrorStatus::GENERAL_FAILURE);
    running.service.port.joinPosted();
    const auto reports = running.faults(FaultCause::kNoHeartbeat);
    REQUIRE_EQ(reports.size(), 1);
    CHECK_EQ(reports[0].jobId, 2);
    CHECK_EQ(reports[0].ring, 0);
    CHECK_EQ(running.execute(), ErrorStatus::NONE);
    const auto jobs = running.service.port.jobs();
    REQUIRE_EQ(jobs.size(), 2);
    CHECK_EQ(jobs[1].slot.jobId, 3);
}

TEST_CASE("a dead firmware is found within the time that the options give [E-7]") {
    for (const int milliseconds : {40, 400}) {
        DriverOptions options;
        options.progressTimeout = std::chrono::milliseconds(milliseconds);
        Service service(options);
        const PrepareOutcome prepared = service.prepare(reluModel({1, 16}));
        const Pool input(16);
        const Pool output(16);
        service.port.hangUntilReset();
        const auto begin = service.port.now();
        CHECK_EQ(executeSync(prepared.model, requestOf(input, output, 16)).status,
                 ErrorStatus::NONE);
        const auto took = service.observer.timeOfLog("device fault: no heartbeat") - begin;
        CHECK_GE(took, std::chrono::milliseconds(milliseconds / 2));
        CHECK_LE(took, std::chrono::milliseconds(milliseconds * 3 / 2));
        service.port.joinPosted();
    }
}

TEST_CASE("a request to a dead firmware is answered after the reset [E-7]") {
    Running running;
    running.service.port.hangUntilReset();
    const PrepareOutcome second =
            running.service.prepare(reluModel({1, 32}), nn::V1_3::Priority::HIGH);
    CHECK_EQ(second.status, ErrorStatus::NONE);
    running.service.port.joinPosted();
    CHECK_EQ(running.faults(FaultCause::kMailboxSilence).size(), 1);
    CHECK_EQ(running.service.port.boots(), 2);
    CHECK_EQ(running.execute(), ErrorStatus::NONE);  // its context and ring were created again
}

TEST_CASE("a fatal interrupt resets the device, and work goes on [E-7]") {
    Running running;
    running.service.port.hangUntilReset();
    running.service.port.raiseFatal();
    CHECK_EQ(running.execute(), ErrorStatus::NONE);
    running.service.port.joinPosted();
    CHECK_EQ(running.faults(FaultCause::kFatalInterrupt).size(), 1);
    CHECK_EQ(running.status(), DeviceStatus::AVAILABLE);
}

TEST_CASE("a device that does not boot again is abandoned after three attempts [E-7]") {
    Running running;
    running.service.port.hang();
    CHECK_EQ(running.execute(), ErrorStatus::DEVICE_UNAVAILABLE);
    running.service.port.joinPosted();
    CHECK_EQ(running.faults(FaultCause::kBootFailed).size(), Recovery::kMaxBoots);
    CHECK_EQ(running.faults(FaultCause::kNoHeartbeat).at(0).remedy, FaultRemedy::kGivenUp);
    CHECK_EQ(running.status(), DeviceStatus::OFFLINE);
    CHECK_EQ(running.execute(), ErrorStatus::DEVICE_UNAVAILABLE);
    CHECK(running.service.port.isInReset());
}

TEST_CASE("a dead firmware without a thread for its recovery is given up [E-7]") {
    for (const bool hasFatalError : {false, true}) {
        Running running;
        REQUIRE_EQ(running.execute(), ErrorStatus::NONE);
        running.service.port.denyThreads();
        running.service.port.hang();  // else the job could end before the interrupt is handled
        if (hasFatalError) {
            running.service.port.raiseFatal();
        }
        CHECK_EQ(running.execute(), ErrorStatus::DEVICE_UNAVAILABLE);
        running.service.port.denyThreads(false);
        const auto reports = running.faults(hasFatalError ? FaultCause::kFatalInterrupt
                                                          : FaultCause::kNoHeartbeat);
        REQUIRE_EQ(reports.size(), 1);
        CHECK_EQ(reports[0].remedy, FaultRemedy::kGivenUp);
        CHECK(running.service.observer.hasLogged("device out of order: no thread for the work"));
        CHECK_EQ(running.execute(), ErrorStatus::DEVICE_UNAVAILABLE);
        CHECK_EQ(running.status(), DeviceStatus::OFFLINE);
        CHECK(running.service.port.isInReset());
    }
}

TEST_CASE("an implausible completion record fails only its own job [E-7]") {
    using Spoil = std::function<void(fw::CompletionRecord&)>;
    const Spoil spoils[] = {
            [](fw::CompletionRecord& record) { record.jobId ^= 4; },
            [](fw::CompletionRecord& record) { record.fenceValue += 256; },
            [](fw::CompletionRecord& record) {
                record.contextStatus = static_cast<vnpu::hw::JobStatus>(99);
                record.checksum = fw::checksumOf(record);
            },
            [](fw::CompletionRecord& record) {
                record.fenceValue += 1;
                record.checksum = fw::checksumOf(record);
            },
            [](fw::CompletionRecord& record) {
                record.status = static_cast<vnpu::hw::JobStatus>(999);
                record.checksum = fw::checksumOf(record);
            },
            [](fw::CompletionRecord& record) {
                record.endCycle = record.startCycle - 1;
                record.checksum = fw::checksumOf(record);
            },
            [](fw::CompletionRecord& record) { record = {}; },
    };
    Running running;
    std::uint64_t job = 0;
    for (const Spoil& spoil : spoils) {
        running.service.port.spoilNextRecord(spoil);
        CHECK_EQ(running.execute(), ErrorStatus::GENERAL_FAILURE);
        job += 1;
        const auto reports = running.faults(FaultCause::kCorruptRecord);
        REQUIRE_FALSE(reports.empty());
        CHECK_EQ(reports.back().jobId, job);
        CHECK_EQ(reports.back().ring, 0);
        CHECK_EQ(running.execute(), ErrorStatus::NONE);
        job += 1;
    }
    CHECK_EQ(running.faults(FaultCause::kCorruptRecord).size(), std::size(spoils));
    CHECK_EQ(running.service.port.boots(), 1);
}

TEST_CASE(
        "a corrupted message is sent again; a mailbox that corrupts every message leads to a reset "
        "[E-7]") {
    Running running;
    running.service.port.spoilMessages(1);
    CHECK_EQ(running.service.prepare(reluModel({1, 32})).status, ErrorStatus::NONE);
    CHECK_EQ(running.faults(FaultCause::kCorruptMessage).size(), 1);
    CHECK_EQ(running.service.port.boots(), 1);

    running.service.port.spoilMessages(5);  // four in a row, and the first boot's
    CHECK_EQ(running.service.prepare(reluModel({1, 48}), nn::V1_3::Priority::LOW).status,
             ErrorStatus::NONE);
    running.service.port.joinPosted();
    CHECK_EQ(running.faults(FaultCause::kMailboxSilence).size(), 1);
    CHECK_EQ(running.faults(FaultCause::kBootFailed).size(), 1);
    CHECK_EQ(running.service.port.boots(), 3);
}

TEST_CASE("lost and spurious interrupts are harmless and reported [E-7]") {
    Running running;
    running.service.port.pulseInterrupt();
    CHECK_EQ(running.faults(FaultCause::kSpuriousInterrupt).size(), 1);
    running.service.port.loseJobInterrupts();
    const auto begin = running.service.port.now();
    CHECK_EQ(running.execute(), ErrorStatus::NONE);
    CHECK_LE(running.service.port.now() - begin, std::chrono::milliseconds(4));
    const auto reports = running.faults(FaultCause::kLostInterrupt);
    REQUIRE_EQ(reports.size(), 1);
    CHECK_EQ(reports[0].jobId, 1);
}

TEST_CASE("a job's error is reported with its status, engine, command and address [E-7]") {
    Running running;
    running.service.port.setJobFunction(
            [](FakeMemory&, const ObservedJob&) { return vnpu::hw::JobStatus::kMmuFault; });
    CHECK_EQ(running.execute(), ErrorStatus::GENERAL_FAILURE);
    const auto reports = running.faults(FaultCause::kJobFailed);
    REQUIRE_EQ(reports.size(), 1);
    CHECK_EQ(reports[0].status, vnpu::hw::JobStatus::kMmuFault);
    CHECK_EQ(reports[0].command, 24);
    CHECK_EQ(reports[0].address, 0xBAD000);
}

TEST_CASE("a lost context is reported, and the caller of its job notices nothing [E-7]") {
    Running running;
    running.service.port.spoilNextRecord([](fw::CompletionRecord& record) {
        record.restarts = 1;
        record.contextStatus = vnpu::hw::JobStatus::kEccError;
        record.contextEngine = 1;
        record.checksum = fw::checksumOf(record);
    });
    CHECK_EQ(running.execute(), ErrorStatus::NONE);
    const auto reports = running.faults(FaultCause::kContextLost);
    REQUIRE_EQ(reports.size(), 1);
    CHECK_EQ(reports[0].remedy, FaultRemedy::kJobRestarted);
    CHECK_EQ(reports[0].jobId, 1);
    CHECK_EQ(reports[0].engine, 1);
    CHECK_EQ(reports[0].status, vnpu::hw::JobStatus::kEccError);
    CHECK_EQ(running.execute(), ErrorStatus::NONE);
    CHECK_EQ(running.faults(FaultCause::kContextLost).size(), 1);
}

TEST_SUITE_END();

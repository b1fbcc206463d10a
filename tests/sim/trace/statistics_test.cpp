// SPDX-License-Identifier: Apache-2.0
#include "sim/trace/statistics.h"

#include <doctest/doctest.h>

#include <array>

#include "sim/trace/event_stream.h"
#include "tests/sim/trace/recorded_run.h"

namespace {

using vnpu::hw::Engine;
using vnpu::hw::engineIndex;
using vnpu::sim::EventStream;
using vnpu::sim::Statistics;
using vnpu::test::halfGigahertz;
using vnpu::test::playExecution;
using vnpu::test::smallModel;
using vnpu::test::twoClients;

/// Two equal executions, 1000 cycles apart.
void playTwo(Statistics& statistics) {
    EventStream stream(halfGigahertz(), twoClients());
    stream.addSink(statistics);
    stream.begin();
    playExecution(stream, 1000, 7, 3, smallModel());
    playExecution(stream, 2000, 8, 4, smallModel());
    stream.end(5000);
}

TEST_SUITE_BEGIN("sim/trace/statistics");

TEST_CASE("a job's time is divided where its layers finish [E-6]") {
    Statistics statistics;
    playTwo(statistics);
    const auto& camera = statistics.clients()[0];
    CHECK(camera.jobs == 2);
    CHECK(camera.jobCycles == 2 * 90);  // from cycle 10 to 100
    REQUIRE(camera.operations.size() == 3);
    CHECK(camera.operations[0].cycles == 2 * 50);  // 10 to 60
    CHECK(camera.operations[1].cycles == 2 * 35);  // 60 to 95
    CHECK(camera.operations[2].cycles == 0);       // folded
    CHECK(camera.otherCycles == 2 * 5);            // 95 to 100
}

TEST_CASE("the work and stalls of each layer are summed up [E-6]") {
    Statistics statistics;
    playTwo(statistics);
    const auto& conv = statistics.clients()[0].operations[0];
    CHECK(conv.commands == 4);
    CHECK(conv.macs == 2000);
    CHECK(conv.macBusyCycles == 56);
    CHECK(conv.dmaBusyCycles == 36);
    CHECK(conv.dramBytes == 1280);
    CHECK(conv.sramBytes == 2 * (640 + 700));
    CHECK(conv.tokenStallCycles == 20);
    CHECK(conv.sramStallCycles == 4);
    CHECK(conv.dramStallCycles == 4);
    const auto& softmax = statistics.clients()[0].operations[1];
    CHECK(softmax.vectorBusyCycles == 30);
    CHECK(softmax.macs == 0);  // the vector unit's elements are no MACs
    CHECK(softmax.dramBytes == 128);
}

TEST_CASE("the work of each engine is summed up, including commands without operation [E-6]") {
    Statistics statistics;
    playTwo(statistics);
    const auto& stores = statistics.engines()[engineIndex(Engine::kDma2)];
    CHECK(stores.commands == 4);
    CHECK(stores.busyCycles == 50);
    CHECK(stores.dramBytes == 144);
    CHECK(stores.mmuMisses == 2);
    CHECK(stores.maxQueueDepth == 2);
    CHECK(statistics.engines()[engineIndex(Engine::kMac)].operations == 2000);
}

TEST_CASE("a device's activity covers its commands, its controller and its time [E-6]") {
    using vnpu::hw::regs::PerfEvent;
    using vnpu::hw::regs::PowerState;
    Statistics statistics;
    vnpu::hw::NpuConfig config = halfGigahertz();
    config.power.level1Khz = 250'000;
    EventStream stream(config, twoClients());
    stream.addSink(statistics);
    stream.begin();
    vnpu::hw::Activity controller;
    controller[PerfEvent::kControllerCoreCycles] = 12;
    stream.onControllerActivity(50, controller);
    vnpu::hw::EngineCommandRecord record{.engine = Engine::kMac, .jobId = 99};
    record.activity[PerfEvent::kMacProducts8] = 30;
    stream.onEngineCommand(record);  // of an unknown job
    stream.onPowerState(1000, PowerState::kActive, 1);
    stream.onPowerState(2000, PowerState::kSuspended, 1);
    stream.end(10'000);
    const auto& activity = statistics.activity();
    CHECK(activity[PerfEvent::kControllerCoreCycles] == 12);
    CHECK(activity[PerfEvent::kMacProducts8] == 30);
    CHECK(activity.awakeNs == 4000);
    CHECK(activity.asleepNs == 6000);
    CHECK(activity.clockCycles == 1000 + 500);
    CHECK(statistics.clients()[0].activity[PerfEvent::kMacProducts8] == 0);
}

TEST_CASE("the times of each job are recorded [E-6]") {
    Statistics statistics;
    playTwo(statistics);
    REQUIRE(statistics.jobs().size() == 2);
    const auto& job = statistics.jobs()[1];
    CHECK(job.jobId == 8);
    CHECK(job.callId == 4);
    CHECK(job.client == 0);
    CHECK(job.frame == 4);
    CHECK(job.submitNs == 2 * 2005);
    CHECK(job.startNs == 2 * 2010);
    CHECK(job.finishNs == 2 * 2100);
    CHECK(job.completeNs == 2 * 2110);
    CHECK(job.deviceCycles == 90);
    CHECK(job.estimateCycles() == 150);
    CHECK(job.status == "NONE");
}

TEST_CASE("calls, interrupts and register accesses are counted [E-6]") {
    Statistics statistics;
    playTwo(statistics);
    CHECK(statistics.calls().at("executeSynchronously_1_3") == 2);
    CHECK(statistics.host().interrupts == 2);
    CHECK(statistics.host().writes == 2);
    CHECK(statistics.host().reads == 0);
    CHECK(statistics.host().controllerAccesses == 0);
}

TEST_CASE("the first lines of a long log are kept and the others counted") {
    Statistics statistics;
    for (std::uint64_t i = 0; i < Statistics::kMaxLines + 5; ++i) {
        statistics.onLog(i, "again");
    }
    CHECK(statistics.log().size() == Statistics::kMaxLines);
    CHECK(statistics.host().logLines == Statistics::kMaxLines + 5);
}

TEST_CASE("bytes copied by the host are summed up, with the time of the last copy [MP-6]") {
    EventStream stream(halfGigahertz(), twoClients());
    Statistics statistics;
    stream.addSink(statistics);
    stream.begin();
    CHECK(statistics.host().copiedBytes == 0);
    stream.onHostCopy(std::chrono::nanoseconds(10), 64);
    stream.onHostCopy(std::chrono::nanoseconds(25), 100);
    CHECK(statistics.host().copiedBytes == 164);
    CHECK(statistics.host().lastCopyNs == 25);
}

TEST_CASE("faults are reported with engine and reason") {
    Statistics statistics;
    statistics.onFault(12, Engine::kDma1, vnpu::hw::JobStatus::kMmuFault, "page 0x1000");
    REQUIRE(statistics.faults().size() == 1);
    CHECK(statistics.host().faults == 1);
    CHECK(statistics.faults()[0].text == "dma1: mmu-fault: page 0x1000");
}

TEST_CASE("preemptions are measured from the decision until the job is off the device [Q-3]") {
    EventStream stream(halfGigahertz(), twoClients());  // a cycle is 2 ns
    Statistics statistics;
    stream.addSink(statistics);
    stream.begin();
    stream.onFirmwareEvent(100, "preempt-request", 1);
    stream.onFirmwareEvent(150, "preempted", 1);
    stream.onFirmwareEvent(200, "preempt-request", 2);
    stream.onFirmwareEvent(230, "job-end", 2);    // it ended before it reached a checkpoint
    stream.onFirmwareEvent(300, "preempted", 3);  // forced, without a request
    stream.onFirmwareEvent(400, "preempt-request", 4);
    stream.onFirmwareEvent(401, "stopped", 4);
    CHECK(statistics.preemptionsNs() == std::vector<std::uint64_t>{100, 2});
}

TEST_CASE("the time by power state and by clock level is summed up [E-6]") {
    using vnpu::hw::regs::PowerState;
    EventStream stream(halfGigahertz(), twoClients());  // a cycle is 2 ns
    Statistics statistics;
    stream.addSink(statistics);
    stream.begin();
    stream.onPowerState(100, PowerState::kSwitching, 1);
    stream.onPowerState(110, PowerState::kActive, 1);
    stream.onPowerState(200, PowerState::kSuspending, 1);
    stream.onPowerState(205, PowerState::kSuspended, 1);
    stream.onPowerState(300, PowerState::kResuming, 1);
    stream.onPowerState(320, PowerState::kActive, 1);
    stream.end(1000);  // ns
    const auto& power = statistics.power();
    CHECK(power.levelNs[0] == 200);
    CHECK(power.levelNs[1] == 180 + 360);
    CHECK(power.stateNs == std::array<std::uint64_t, 5>{740, 10, 190, 40, 20});
    CHECK(power.wakes == 1);
    CHECK(power.switches == 1);
}

TEST_CASE("the job of a frame is found [E-6]") {
    Statistics statistics;
    EventStream stream(halfGigahertz(), twoClients());
    stream.addSink(statistics);
    stream.begin();
    playExecution(stream, 1000, 7, 3, smallModel(), 4);
    playExecution(stream, 2000, 8, 4, smallModel(), 5);
    const auto jobs = statistics.jobsByFrame();
    REQUIRE(jobs.size() == 2);
    CHECK(jobs.at({0, 4})->jobId == 7);
    CHECK(jobs.at({0, 5})->jobId == 8);
}

TEST_CASE("a job without commands has no share in the layers") {
    EventStream stream(halfGigahertz(), twoClients());
    Statistics statistics;
    stream.addSink(statistics);
    stream.begin();
    const auto model = smallModel();
    stream.onCallBegin(std::chrono::nanoseconds(1), "execute_1_3", 1, 10101);
    stream.onJobSubmitted(std::chrono::nanoseconds(2), 1, 1, model);
    stream.onJobCompleted(std::chrono::nanoseconds(3), 1,
                          vnpu::driver::ErrorStatus::GENERAL_FAILURE);
    CHECK(statistics.clients()[0].jobs == 0);
    CHECK(statistics.jobs()[0].status == "GENERAL_FAILURE");
}

TEST_SUITE_END();

}  // namespace

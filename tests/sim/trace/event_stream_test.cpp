// SPDX-License-Identifier: Apache-2.0
#include "sim/trace/event_stream.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>
#include <vector>

#include "tests/sim/trace/recorded_run.h"

namespace {

using vnpu::driver::ErrorStatus;
using vnpu::hw::Engine;
using vnpu::sim::CallEvent;
using vnpu::sim::EngineEvent;
using vnpu::sim::EventSink;
using vnpu::sim::EventStream;
using vnpu::sim::FrameEvent;
using vnpu::sim::JobInfo;
using vnpu::sim::kNoClient;
using vnpu::sim::kNoFrame;
using vnpu::test::halfGigahertz;
using vnpu::test::playExecution;
using vnpu::test::smallModel;
using vnpu::test::twoClients;

/// Records all events.
class Notes : public EventSink {
  public:
    void onCallBegin(const CallEvent& event) override { calls.push_back(event); }
    void onCallEnd(const CallEvent& event) override { calls.push_back(event); }
    void onJobSubmitted(const JobInfo& job) override { jobs.push_back(job); }
    void onJobCompleted(const JobInfo& job, std::uint64_t timeNs,
                        std::string_view status) override {
        jobEnds.push_back(fmt::format("job {} {} {}", job.jobId, timeNs, status));
    }
    void onEngineCommand(const EngineEvent& event) override {
        commands.push_back(fmt::format("{} queued {} wait {} start {} end {} job {}",
                                       engineName(event.record.engine), event.queuedNs,
                                       event.waitNs, event.startNs, event.endNs,
                                       event.job == nullptr ? 0 : event.job->jobId));
    }
    void onInterruptLine(std::uint64_t timeNs, bool level) override {
        lines.push_back(fmt::format("irq {} {}", timeNs, level));
    }
    void onLog(std::uint64_t timeNs, std::string_view line) override {
        lines.push_back(fmt::format("log {} {}", timeNs, line));
    }

    std::vector<std::string> lines, jobEnds, commands;
    std::vector<CallEvent> calls;
    std::vector<JobInfo> jobs;
};

TEST_SUITE_BEGIN("sim/trace/event_stream");

TEST_CASE("without sinks nothing is observed") {
    EventStream stream(halfGigahertz(), twoClients());
    CHECK(stream.observer() == nullptr);
    Notes notes;
    stream.addSink(notes);
    CHECK(stream.observer() == &stream);
}

TEST_CASE("cycles are converted to nanoseconds with the simulation's clock period [E-6]") {
    // 700 MHz: a period of 1428.57 ps is kept as 1429 ps.
    auto config = halfGigahertz();
    config.clockKhz = 700'000;
    const EventStream stream(config, {});
    CHECK(stream.timeOf(0) == 0);
    CHECK(stream.timeOf(1) == 1);
    CHECK(stream.timeOf(1'000'000) == 1'429'000);
    CHECK(EventStream(halfGigahertz(), {}).timeOf(21) == 42);
}

TEST_CASE("a job is connected with its call, client, frame and operations [E-6]") {
    EventStream stream(halfGigahertz(), twoClients());
    Notes notes;
    stream.addSink(notes);
    playExecution(stream, 1000, 7, 3, smallModel());
    REQUIRE(notes.jobs.size() == 1);
    const JobInfo& job = notes.jobs[0];
    CHECK(job.jobId == 7);
    CHECK(job.callId == 3);
    CHECK(job.client == 0);
    CHECK(job.frame == 4);
    CHECK(job.submitNs == 2010);
    REQUIRE(job.model->operations.size() == 3);
    CHECK(job.model->operations[0].type == "CONV_2D");
    CHECK(job.model->operations[0].estimateCycles == 100);
    CHECK(job.model->operations[2].isFolded);
    REQUIRE(notes.calls.size() == 2);
    CHECK(notes.calls[0].method == "executeSynchronously_1_3");
    CHECK(notes.calls[1].status == "NONE");
    CHECK(notes.calls[1].timeNs == 2240);
    CHECK(notes.jobEnds == std::vector<std::string>{"job 7 2220 NONE"});
}

TEST_CASE("engine commands are reported in nanoseconds with their job [E-6]") {
    EventStream stream(halfGigahertz(), twoClients());
    Notes notes;
    stream.addSink(notes);
    playExecution(stream, 1000, 7, 3, smallModel());
    REQUIRE(notes.commands.size() == 5);
    CHECK(notes.commands[1] == "mac queued 2024 wait 2040 start 2060 end 2120 job 7");
}

TEST_CASE("a command of an unknown job has none") {
    EventStream stream(halfGigahertz(), twoClients());
    Notes notes;
    stream.addSink(notes);
    stream.onEngineCommand({.engine = Engine::kMac, .jobId = 99, .startCycle = 4, .endCycle = 5});
    CHECK(notes.commands == std::vector<std::string>{"mac queued 0 wait 8 start 8 end 10 job 0"});
}

TEST_CASE("calls outside a frame belong to the client of the UID [Q-1]") {
    EventStream stream(halfGigahertz(), twoClients());
    Notes notes;
    stream.addSink(notes);
    stream.onCallBegin(std::chrono::nanoseconds(5), "prepareModel_1_3", 1, 10102);
    stream.onCallBegin(std::chrono::nanoseconds(6), "getType", 2, 555);
    REQUIRE(notes.calls.size() == 2);
    CHECK(notes.calls[0].client == 1);
    CHECK(notes.calls[0].frame == kNoFrame);
    CHECK(notes.calls[1].client == kNoClient);
}

TEST_CASE("an announced call belongs to its client though another has the same UID [Q-1]") {
    auto clients = twoClients();
    clients[1].uid = 10101;
    EventStream stream(halfGigahertz(), clients);
    Notes notes;
    stream.addSink(notes);
    stream.announceCall(1);
    stream.onCallBegin(std::chrono::nanoseconds(5), "prepareModel_1_3", 1, 10101);
    stream.onCallBegin(std::chrono::nanoseconds(6), "prepareModel_1_3", 2, 10101);
    REQUIRE(notes.calls.size() == 2);
    CHECK(notes.calls[0].client == 1);
    CHECK(notes.calls[1].client == kNoClient);  // the client is unknown
}

TEST_CASE("a job submitted after its call returned is still connected [E-6]") {
    EventStream stream(halfGigahertz(), twoClients());
    Notes notes;
    stream.addSink(notes);
    stream.beginFrame(1, 8, 0, 0);
    stream.onCallBegin(std::chrono::nanoseconds(0), "execute_1_3", 5, 10102);
    stream.onCallEnd(std::chrono::nanoseconds(1), 5, ErrorStatus::NONE);
    stream.onJobSubmitted(std::chrono::nanoseconds(2), 6, 5, smallModel());
    REQUIRE(notes.jobs.size() == 1);
    CHECK(notes.jobs[0].client == 1);
    CHECK(notes.jobs[0].frame == 8);
}

TEST_CASE("a long call is tracked to its end, however many others pass it [E-5]") {
    using std::chrono::nanoseconds;
    EventStream stream(halfGigahertz(), twoClients());
    Notes notes;
    stream.addSink(notes);
    stream.begin();
    stream.onCallBegin(nanoseconds(1), "prepareModel_1_3", 1, 10'001);
    for (std::int64_t id = 2; id < 10'000; ++id) {
        const auto call = static_cast<std::uint64_t>(id);
        stream.onCallBegin(nanoseconds(id), "getStatus", call, 10'001);
        stream.onCallEnd(nanoseconds(id), call, ErrorStatus::NONE);
    }
    notes.calls.clear();
    stream.onCallEnd(nanoseconds(20'000), 1, ErrorStatus::NONE);
    REQUIRE(notes.calls.size() == 1);
    CHECK(notes.calls[0].method == "prepareModel_1_3");
    // Calls that ended long ago are forgotten.
    stream.onCallEnd(nanoseconds(20'001), 2, ErrorStatus::NONE);
    CHECK(notes.calls.size() == 1);
}

TEST_CASE("the levels of the interrupt line are reported in nanoseconds [E-6]") {
    EventStream stream(halfGigahertz(), twoClients());
    Notes notes;
    stream.addSink(notes);
    playExecution(stream, 1000, 7, 3, smallModel());
    CHECK(notes.lines == std::vector<std::string>{"irq 2212 true", "irq 2216 false"});
}

TEST_SUITE_END();

}  // namespace

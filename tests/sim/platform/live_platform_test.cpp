// SPDX-License-Identifier: Apache-2.0
#include "sim/platform/live_platform.h"

#include <doctest/doctest.h>
#include <hwbinder/IPCThreadState.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <stdexcept>
#include <systemc>
#include <vector>

#include "driver/api/device.h"
#include "hw_model/regs/register_map.h"
#include "sim/client/device_calls.h"
#include "sim/client/model_runner.h"
#include "sim/config/load_config.h"
#include "sim/import/source.h"
#include "sim/models/model_builder.h"
#include "tests/support/sim_case.h"

namespace {

using namespace vnpu::sim;
using vnpu::driver::FaultCause;
using vnpu::driver::FaultReport;
using vnpu::test::simCase;

constexpr std::uint32_t kElements = 256;

/// The sum of two vectors of floats.
Network adder() {
    ModelBuilder builder("adder");
    const OperandSpec spec{.type = nn::OperandType::TENSOR_FLOAT32, .dimensions = {1, kElements}};
    const auto a = builder.addInput(spec, "a");
    const auto b = builder.addInput(spec, "b");
    const auto out = builder.addTemporary(spec, "sum");
    builder.addOperation(nn::OperationType::ADD, {a, b, builder.addInt32(0)}, out);
    builder.markOutput(out);
    return builder.build();
}

void fill(std::span<std::byte> bytes, float first) {
    for (std::uint32_t i = 0; i < kElements; ++i) {
        const float value = first + static_cast<float>(i);
        std::memcpy(bytes.data() + i * sizeof(float), &value, sizeof(value));
    }
}

/// Executes and returns the number of elements that differ from `first` + 2i.
std::uint32_t wrongSums(ModelRunner& runner, ExecutionPath path, float first) {
    fill(runner.input(0), first);
    fill(runner.input(1), 0.0F);
    REQUIRE(runner.execute(path).status == nn::ErrorStatus::NONE);
    std::uint32_t wrong = 0;
    for (std::uint32_t i = 0; i < kElements; ++i) {
        float value = 0.0F;
        std::memcpy(&value, runner.output(0).data() + i * sizeof(float), sizeof(value));
        wrong += value == first + 2.0F * static_cast<float>(i) ? 0 : 1;
    }
    return wrong;
}

LivePlatform::Options edge() {
    return {.config = loadConfig("edge")};
}

/// Counts the driver's fault reports. Any thread.
class FaultCounter : public vnpu::driver::DriverObserver {
  public:
    void onFaultReport(std::chrono::nanoseconds /*now*/, const FaultReport& report) override {
        ++(report.cause == FaultCause::kSpuriousInterrupt ? spurious : others);
    }

    std::atomic<int> spurious{0};
    std::atomic<int> others{0};
};

/// Several apps at once, so that causes of interrupts come while a handler runs.
void executeMuch(LivePlatform& platform) {
    std::vector<LivePlatform::Client> clients;
    for (std::uint32_t c = 0; c < 3; ++c) {
        clients.push_back({"client", 10000 + c, [c](ClientContext& context) {
                               const auto runner =
                                       ModelRunner::prepare(context, adder(), nn::Priority::MEDIUM);
                               std::uint32_t wrong = 0;
                               for (int i = 0; i < 200; ++i) {
                                   wrong += wrongSums(*runner,
                                                      i % 2 == 0 ? ExecutionPath::kSync
                                                                 : ExecutionPath::kAsync,
                                                      static_cast<float>(c));
                               }
                               CHECK(wrong == 0);
                           }});
    }
    platform.run(clients);
}

}  // namespace

TEST_SUITE_BEGIN("sim/platform/live_platform");

TEST_CASE("ordinary threads of several apps execute concurrently [E-5]") {
    simCase([] {
        LivePlatform platform(edge());
        std::vector<LivePlatform::Client> clients;
        std::atomic<int> executions{0};
        for (std::uint32_t c = 0; c < 4; ++c) {
            clients.push_back(
                    {"client", 10000 + c / 2, [&executions, c](ClientContext& context) {
                         const auto runner =
                                 ModelRunner::prepare(context, adder(), nn::Priority::MEDIUM);
                         for (int i = 0; i < 20; ++i) {
                             const ExecutionPath path = i % 3 == 0   ? ExecutionPath::kSync
                                                        : i % 3 == 1 ? ExecutionPath::kAsync
                                                                     : ExecutionPath::kFenced;
                             CHECK(wrongSums(*runner, path, static_cast<float>(1000 * c)) == 0);
                             ++executions;
                         }
                     }});
        }
        platform.run(clients);
        CHECK(executions == 80);
        const auto counters = vnpu::driver::countersOf(platform.device());
        CHECK(counters.jobsCompleted == 80);
        CHECK(counters.livePreparedModels == 0);
        CHECK(counters.liveContexts == 0);
        CHECK(counters.livePoolMappings == 0);
    });
}

TEST_CASE("a client is identified by its own UID, others by the process's [Q-1]") {
    simCase([] {
        LivePlatform platform(edge());
        std::uint32_t seen = 0;
        platform.run({{"one", 10123, [&seen](ClientContext& context) {
                           seen = android::hardware::IPCThreadState::self()->getCallingUid();
                           CHECK(context.uid() == 10123);
                       }}});
        CHECK(seen == 10123);
        CHECK(android::hardware::IPCThreadState::self()->getCallingUid() == getuid());
    });
}

TEST_CASE("time stands still while no thread waits, and passes for waiting threads [E-5]") {
    simCase([] {
        LivePlatform platform(edge());
        const auto before = platform.port().now();
        const auto event = platform.port().createEvent();
        CHECK(platform.port().now() == before);
        CHECK_FALSE(event->waitFor(std::chrono::milliseconds(2)));
        const auto passed = platform.port().now() - before;
        CHECK(passed >= std::chrono::milliseconds(2));
        event->set();
        CHECK(event->waitFor(std::chrono::hours(1)));
        event->wait();
        event->reset();
        CHECK_FALSE(event->waitFor(std::chrono::microseconds(1)));
    });
}

TEST_CASE("a slow interrupt handler costs other waiting threads no device time [E-5]") {
    simCase([] {
        constexpr int kAccesses =
                2000;  // each takes the host microseconds, but a nanosecond of device time
        LivePlatform platform(edge());
        auto& port = platform.port();
        const auto done = port.createEvent();
        std::atomic<std::int64_t> passedNs{-1};
        platform.run({{"client", 10000, [&](ClientContext& context) {
                           const auto runner =
                                   ModelRunner::prepare(context, adder(), nn::Priority::MEDIUM);
                           // Replaces the driver's handler, so that the driver learns of ends only
                           // by polling.
                           port.setInterruptHandler([&] {
                               namespace regs = vnpu::hw::regs;
                               const std::uint32_t status =
                                       port.read32(regs::IrqStatus::kSpec.offset);
                               if (regs::IrqStatus::kJobDone.get(status) == 0) {
                                   port.write32(regs::IrqStatus::kSpec.offset, status);
                                   return;  // the last message of the preparation
                               }
                               const auto begin = port.now();
                               for (int i = 0; i < kAccesses; ++i) {
                                   port.read32(regs::Heartbeat::kSpec.offset);
                               }
                               passedNs = (port.now() - begin).count();
                               port.write32(regs::IrqStatus::kSpec.offset, ~0U);
                               done->set();
                           });
                           CHECK(wrongSums(*runner, ExecutionPath::kSync, 1.0F) == 0);
                           done->wait();
                           port.setInterruptHandler({});
                       }}});
        CHECK(passedNs >= 0);
        CHECK(passedNs <= 2 * kAccesses);
    });
}

TEST_CASE("an undisturbed device reports no fault [E-5] [E-7]") {
    simCase([] {
        FaultCounter counter;
        LivePlatform::Options options = edge();
        options.config.clockKhz = 700'000;  // the line falls at an edge that is no whole nanosecond
        options.driverObserver = &counter;
        LivePlatform platform(options);
        executeMuch(platform);
        CHECK(counter.spurious == 0);
        CHECK(counter.others == 0);
    });
}

TEST_CASE("each injected spurious interrupt is reported once [E-5] [E-7]") {
    simCase([] {
        constexpr int kPulses = 20;
        FaultCounter counter;
        vnpu::hw::FaultInjector faults;
        LivePlatform::Options options = edge();
        options.driverObserver = &counter;
        options.faults = &faults;
        LivePlatform platform(options);
        platform.runOnDevice([&] {
            const auto now = static_cast<std::uint64_t>(platform.port().now().count());
            for (std::uint64_t i = 1; i <= kPulses; ++i) {  // a cycle is a nanosecond
                faults.arm({.kind = vnpu::hw::FaultKind::kSpuriousInterrupt,
                            .atCycle = now + 1000 * i});
            }
        });
        // An idle device, so that no pulse coincides with another interrupt.
        const auto event = platform.port().createEvent();
        CHECK_FALSE(event->waitFor(std::chrono::microseconds(1000 + kPulses)));
        platform.port().setInterruptHandler({});  // waits for a handler that still runs
        platform.runOnDevice([&] { CHECK(faults.injected().size() == kPulses); });
        CHECK(counter.spurious == kPulses);
        CHECK(counter.others == 0);
    });
}

TEST_CASE("a busy device seldom uses SystemC's scheduler [E-5]") {
    simCase([] {
        constexpr std::uint64_t kExecutions = 20;
        LivePlatform platform(edge());
        const auto deltas = [&] {
            std::uint64_t count = 0;
            platform.runOnDevice([&] { count = sc_core::sc_delta_count(); });
            return count;
        };
        platform.run(
                {{"one", 10000, [&](ClientContext& context) {
                      const auto runner = ModelRunner::prepare(context, loadNetwork("zoo:ds_cnn"),
                                                               nn::Priority::MEDIUM);
                      const std::uint64_t before = deltas();
                      for (std::uint64_t i = 0; i < kExecutions; ++i) {
                          CHECK(runner->execute(ExecutionPath::kSync).status ==
                                nn::ErrorStatus::NONE);
                      }
                      const std::uint64_t used = (deltas() - before) / kExecutions;
                      CHECK(used <
                            50);  // chosen: twice as many as needed; in step with SystemC, 95 are
                  }}});
    });
}

TEST_CASE("a deadline of the steady clock grants that much device time [Q-5]") {
    simCase([] {
        LivePlatform platform(edge());
        platform.run(
                {{"one", 10000, [](ClientContext& context) {
                      const auto runner =
                              ModelRunner::prepare(context, adder(), nn::Priority::MEDIUM);
                      const auto steady = std::chrono::steady_clock::now().time_since_epoch();
                      fill(runner->input(0), 0.0F);
                      fill(runner->input(1), 0.0F);
                      CHECK(runner->execute(ExecutionPath::kSync, steady + std::chrono::hours(1))
                                    .status == nn::ErrorStatus::NONE);
                      CHECK(runner->execute(ExecutionPath::kSync, steady).status ==
                            nn::ErrorStatus::MISSED_DEADLINE_PERSISTENT);
                  }}});
    });
}

TEST_CASE("an exception of a client is rethrown by run [E-5]") {
    simCase([] {
        LivePlatform platform(edge());
        CHECK_THROWS_WITH_AS(
                platform.run({{"one", 10000,
                               [](ClientContext&) { throw std::runtime_error("no such file"); }}}),
                "no such file", std::runtime_error);
    });
}

TEST_SUITE_END();

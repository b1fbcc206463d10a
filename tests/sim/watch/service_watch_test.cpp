// SPDX-License-Identifier: Apache-2.0
#include "sim/watch/service_watch.h"

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

#include "sim/service/activity_json.h"
#include "tests/support/browser.h"
#include "tests/support/http_client.h"

namespace {

using namespace std::chrono_literals;
using nlohmann::ordered_json;
using vnpu::sim::activityJson;
using vnpu::sim::DeviceStatus;
using vnpu::sim::ServiceStatus;
using vnpu::sim::ServiceWatch;
using vnpu::test::bodyOf;
using vnpu::test::browser;
using vnpu::test::checkHolds;
using vnpu::test::checkNoMessage;
using vnpu::test::httpGet;

/// A device with one job that runs, one that waits before the device, one that ended late, an
/// injected and a reported fault.
ServiceStatus exampleStatus() {
    vnpu::driver::DriverActivity activity;
    const auto camera = std::make_shared<const std::string>("1x8x8x3 to 1x10, 2 operations");
    activity.current = {{.id = 41,
                         .uid = 10101,
                         .halPriority = 2,
                         .arrival = 7ms,
                         .submitted = 7ms,
                         .deadline = 12ms,
                         .estimate = 2500us,
                         .model = camera},
                        {.uid = 10102, .halPriority = 0, .arrival = 8ms}};
    activity.ended = {{.id = 40,
                       .uid = 10102,
                       .halPriority = 1,
                       .arrival = 1ms,
                       .submitted = 1ms,
                       .deadline = 5ms,
                       .ended = 6ms,
                       .onDevice = 4ms,
                       .preemptions = 3}};
    activity.faults = {{.at = 3ms,
                        .report = {.cause = vnpu::driver::FaultCause::kEngineHang,
                                   .remedy = vnpu::driver::FaultRemedy::kJobEnded,
                                   .jobId = 39,
                                   .engine = 4,
                                   .what = "<img src=x onerror=console.log(1)>"}}};
    activity.faultCount = 5;
    ServiceStatus status;
    DeviceStatus& device = status.devices.emplace_back();
    device.name = "vnpu-edge";
    device.pace = "max";
    device.inForce.faults = "engine-hang at 2 ms";
    device.injectedFaults = 1;
    device.deviceNs = 10'000'000;
    device.driver.jobsCompleted = 40;
    device.load.power = "active 1000 MHz";
    device.load.job = 41;
    device.userTimes = {{10101, 1500us}, {10102, 4ms}};
    device.activity = activityJson(activity);
    device.injected = {
            {{"kind", "engine-hang"}, {"at_ns", 2'000'000}, {"engine", "mac"}, {"job", 39}}};
    status.users = {{.uid = 10101, .connections = 2, .objects = 3, .processes = {77, 78}}};
    return status;
}

ServiceWatch::Options optionsFor(std::function<ServiceStatus()> status) {
    return {.socketPath = "/run/vnpu.sock",
            .devices = {{"vnpu-edge", "edge <b>"}},
            .status = std::move(status)};
}

/// The samples of the device's work, as soon as there are `least` of them.
ordered_json samplesOf(const ServiceWatch& watch, std::size_t least) {
    const auto begin = std::chrono::steady_clock::now();
    while (true) {
        const std::string answer = httpGet(watch.port(), "/history.json");
        CHECK(answer.find("Content-Type: application/json\r\n") != std::string::npos);
        const ordered_json samples =
                ordered_json::parse(bodyOf(answer))["devices"].value("vnpu-edge", ordered_json());
        if (samples.size() >= least) {
            return samples;
        }
        REQUIRE(std::chrono::steady_clock::now() - begin < 60s);
        std::this_thread::sleep_for(5ms);
    }
}

TEST_SUITE_BEGIN("sim/watch/service_watch");

TEST_CASE("the state holds clients, jobs, engines and faults as numbers") {
    const ServiceWatch watch(optionsFor(exampleStatus));
    const std::string answer = httpGet(watch.port(), "/state.json");
    CHECK(answer.find("Content-Type: application/json\r\n") != std::string::npos);
    const ordered_json state = ordered_json::parse(bodyOf(answer));
    const ordered_json& device = state["devices"][0];
    CHECK(device["device_ns"] == 10'000'000);
    CHECK(device["job"] == 41);
    CHECK(device["busy_ns"]["mac"] == 0);
    const ordered_json& current = device["activity"]["current"];
    REQUIRE(current.size() == 2);
    CHECK(current[0] == ordered_json({{"id", 41},
                                      {"uid", 10101},
                                      {"model", "1x8x8x3 to 1x10, 2 operations"},
                                      {"priority", "high"},
                                      {"arrival_ns", 7'000'000},
                                      {"submitted_ns", 7'000'000},
                                      {"deadline_ns", 12'000'000},
                                      {"estimate_ns", 2'500'000}}));
    CHECK(current[1]["model"].is_null());
    CHECK(current[1]["submitted_ns"].is_null());
    CHECK(current[1]["deadline_ns"].is_null());
    const ordered_json& ended = device["activity"]["ended"][0];
    CHECK(ended["ended_ns"] == 6'000'000);
    CHECK(ended["status"] == "NONE");
    CHECK(ended["on_device_ns"] == 4'000'000);
    CHECK(ended["preemptions"] == 3);
    const ordered_json& fault = device["activity"]["faults"][0];
    CHECK(fault["cause"] == "engine-hang");
    CHECK(fault["remedy"] == "job-ended");
    CHECK(fault["job"] == 39);
    CHECK(device["activity"]["fault_count"] == 5);
    CHECK(device["injected"][0]["at_ns"] == 2'000'000);
    CHECK(state["users"][0]["processes"] == ordered_json({77, 78}));
}

TEST_CASE("the service is asked once, however many clients ask within a moment") {
    std::atomic<int> asked = 0;
    const ServiceWatch watch(optionsFor([&] {
        ++asked;
        return exampleStatus();
    }));
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < 20; ++i) {
        CHECK(!bodyOf(httpGet(watch.port(), "/state.json")).empty());
    }
    const auto took = std::chrono::steady_clock::now() - begin;
    CHECK(asked <= 1 + took / ServiceWatch::kFreshness);
}

TEST_CASE("a service that has no state is an error of the request, and then it works again") {
    std::atomic<bool> fails = true;
    const ServiceWatch watch(optionsFor([&] {
        return fails ? throw std::runtime_error("out of descriptors") : exampleStatus();
    }));
    CHECK(httpGet(watch.port(), "/state.json").find("HTTP/1.1 500 ") == 0);
    fails = false;
    CHECK(httpGet(watch.port(), "/state.json").find("HTTP/1.1 200 ") == 0);
}

TEST_CASE("the engines' work is kept from the begin on, for at most as long as the page shows it") {
    std::uint64_t asked = 0;  // on the server's thread
    const auto growing = [&] {
        ServiceStatus status = exampleStatus();
        ++asked;
        status.devices[0].deviceNs = 1000 * asked;
        status.devices[0].load.busy[vnpu::hw::engineIndex(vnpu::hw::Engine::kMac)] =
                std::chrono::nanoseconds(250 * asked);
        return status;
    };
    const ServiceWatch watch(optionsFor(growing), 3 * ServiceWatch::kFreshness);
    const ordered_json three = samplesOf(watch, 3);
    CHECK(three[0] == ordered_json({{"device_ns", 1000},
                                    {"busy_ns",
                                     {{"dma0", 0},
                                      {"dma1", 0},
                                      {"dma2", 0},
                                      {"dma3", 0},
                                      {"mac", 250},
                                      {"vector", 0},
                                      {"dsp", 0},
                                      {"controller", 0}}},
                                    {"jobs", 2}}));
    CHECK(three[2]["device_ns"] == 3000);
    CHECK(three[2]["busy_ns"]["mac"] == 750);
    // Faster than states become old, so that samples of the same state follow each other.
    const ServiceWatch fast(optionsFor(exampleStatus), 1ms);
    CHECK(samplesOf(fast, ServiceWatch::kSamples).size() == ServiceWatch::kSamples);
    std::this_thread::sleep_for(50ms);
    CHECK(samplesOf(fast, ServiceWatch::kSamples).size() == ServiceWatch::kSamples);
}

TEST_CASE("a browser draws the engines' work of the time before the page was opened") {
    const std::string program = browser();
    if (program.empty()) {
        return;
    }
    // 10 us of work in each 40 us until the page asks, and from then on no time passes.
    std::atomic<bool> isOver = false;
    ServiceStatus status = exampleStatus();
    const auto growing = [&] {
        DeviceStatus& device = status.devices[0];
        if (!isOver) {
            device.deviceNs += 40'000;
            device.load.busy[vnpu::hw::engineIndex(vnpu::hw::Engine::kMac)] += 10us;
        }
        return status;
    };
    const ServiceWatch watch(optionsFor(growing), 3 * ServiceWatch::kFreshness);
    const std::size_t count = samplesOf(watch, 5).size();
    isOver = true;
    const auto result = vnpu::test::openedAddress(
            program, "http://127.0.0.1:" + std::to_string(watch.port()) + "/");
    checkNoMessage(result);
    // The height of a strip is 34: a quarter of it from the base up, as often as there were
    // samples.
    std::size_t quarters = 0;
    const std::string quarter = "V215.5H";
    for (std::size_t at = result.output.find(quarter); at != std::string::npos;
         at = result.output.find(quarter, at + 1)) {
        ++quarters;
    }
    CHECK(quarters + 1 >= count);
}

TEST_CASE("a browser draws the page of a service without a message, with its state") {
    const std::string program = browser();
    if (program.empty()) {
        return;
    }
    const ServiceWatch watch(optionsFor(exampleStatus));
    const auto result = vnpu::test::openedAddress(
            program, "http://127.0.0.1:" + std::to_string(watch.port()) + "/");
    checkNoMessage(result);
    checkHolds(result, "2 under way: 1 high, 0 medium, 1 low.");
    checkHolds(result, "<td class=\"text \">runs</td>");
    checkHolds(result, "<td class=\"text \">waits</td>");
    // At 10 ms: the job that arrived at 7 ms has 2 ms until its deadline at 12 ms.
    checkHolds(result, "<td class=\" \">12 ms</td><td class=\" \">2 ms</td>");
    checkHolds(result, "<td class=\" \">7 ms</td><td class=\" \">3 ms</td>");
    checkHolds(result, "<td class=\"text \">77, 78</td>");
    checkHolds(result, "<td class=\"text wide\">1x8x8x3 to 1x10, 2 operations</td>");
    checkHolds(result, "Injected so far: 1; reported by the driver: 5.");
    checkHolds(result, "&lt;img src=x onerror=console.log(1)&gt;");
    CHECK(result.output.find("<img") == std::string::npos);
    checkHolds(result, "vnpu-edge: edge &lt;b&gt;");
    // The job that ended at 6 ms had its deadline at 5 ms, and was preempted 3 times.
    checkHolds(result, "<td class=\" \">1 ms</td><td class=\" \">3</td>");
}

TEST_SUITE_END();

}  // namespace

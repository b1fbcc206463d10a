// SPDX-License-Identifier: Apache-2.0
#include <android-base/unique_fd.h>
#include <doctest/doctest.h>
#include <unistd.h>

#include <atomic>
#include <charconv>
#include <csignal>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "sim/base/child_program.h"
#include "sim/client/model_runner.h"
#include "sim/client/remote_context.h"
#include "sim/import/source.h"
#include "tests/support/http_client.h"
#include "tests/support/program.h"

namespace {

using namespace vnpu::sim;
using android::base::unique_fd;
using android::hardware::neuralnetworks::V1_3::ErrorStatus;
using nlohmann::ordered_json;
using vnpu::test::bodyOf;
using vnpu::test::httpGet;
using vnpu::test::TcpConnection;
using vnpu::test::TemporaryFolder;

/// `vnpu serve --http 0`, until it shows its state.
class WatchedService {
  public:
    explicit WatchedService(const std::vector<std::string>& arguments) {
        std::vector<std::string> words{VNPU_PROGRAM, "serve",  "--socket",
                                       socketPath(), "--http", "0"};
        words.insert(words.end(), arguments.begin(), arguments.end());
        unique_fd output;
        unique_fd input;
        REQUIRE(android::base::Pipe(&output, &input));
        process_.emplace(std::move(words), ChildProgram::Streams{.output = input.get()});
        input.reset();
        std::string lines;
        char next = 0;
        while (!lines.ends_with("/\n") && read(output.get(), &next, 1) == 1) {
            lines += next;
        }
        const std::string before = "\nshowing it at http://127.0.0.1:";
        const std::size_t at = lines.find(before);
        REQUIRE_MESSAGE(at != std::string::npos, lines);
        const char* const digits = lines.data() + at + before.size();
        std::from_chars(digits, lines.data() + lines.size(), port_);
    }
    ~WatchedService() { CHECK(process_->end(SIGTERM) == 0); }

    std::string socketPath() const { return (folder_ / "vnpu.sock").string(); }
    std::uint16_t port() const { return port_; }
    ordered_json state() const {
        return ordered_json::parse(bodyOf(httpGet(port_, "/state.json")));
    }

  private:
    const TemporaryFolder folder_;
    std::optional<ChildProgram> process_;
    std::uint16_t port_ = 0;
};

/// The device times of the jobs that ended.
std::vector<std::uint64_t> timesOnDevice(const ordered_json& state) {
    std::vector<std::uint64_t> times;
    for (const ordered_json& job : state["devices"][0]["activity"]["ended"]) {
        times.push_back(job["on_device_ns"].get<std::uint64_t>());
    }
    return times;
}

/// The state changes at most each 100 ms, so this waits for the next one.
ordered_json nextState(const WatchedService& service) {
    std::this_thread::sleep_for(std::chrono::milliseconds(150));
    return service.state();
}

void execute(RemoteContext& context, int count) {
    const auto runner =
            ModelRunner::prepare(context, loadNetwork("zoo:ds_cnn"), nn::Priority::HIGH);
    for (int i = 0; i < count; ++i) {
        CHECK(runner->execute(ExecutionPath::kSync).status == ErrorStatus::NONE);
    }
}

}  // namespace

TEST_SUITE_BEGIN("integration/service/watch");

TEST_CASE("the page's state shows clients, jobs and engines of a service [E-5]") {
    const WatchedService service({"--config", "edge"});
    const ordered_json before = service.state();
    CHECK(before["devices"][0]["name"] == "vnpu-edge");
    CHECK(before["users"].empty());
    CHECK(before["devices"][0]["activity"]["ended"].empty());
    {
        RemoteContext context(service.socketPath());
        execute(context, 3);
        const ordered_json during = nextState(service);
        REQUIRE(during["users"].size() == 1);
        CHECK(during["users"][0]["uid"] == getuid());
        CHECK(during["users"][0]["processes"] == ordered_json({getpid()}));
        const ordered_json& device = during["devices"][0];
        CHECK(device["driver"]["jobs_completed"] == 3);
        const ordered_json& ended = device["activity"]["ended"];
        REQUIRE(ended.size() == 3);
        CHECK(device["job"] == ended[2]["id"]);
        CHECK(ended[2]["priority"] == "high");
        CHECK(ended[2]["uid"] == getuid());
        CHECK(ended[2]["status"] == "NONE");
        CHECK(ended[2]["ended_ns"] <= device["device_ns"]);
        CHECK(ended[2]["arrival_ns"] >= ended[1]["ended_ns"]);
        // All jobs together had the device as long as their user.
        std::uint64_t sum = 0;
        for (const std::uint64_t time : timesOnDevice(during)) {
            sum += time;
        }
        CHECK(device["users"][0]["device_ns"] == sum);
        CHECK(device["busy_ns"]["mac"].get<std::uint64_t>() > 0);
    }
    for (int i = 0; i < 100 && !nextState(service)["users"].empty(); ++i) {
    }
    CHECK(service.state()["users"].empty());
    CHECK(bodyOf(httpGet(service.port(), "/")).find("\"kind\":\"live\"") != std::string::npos);
}

TEST_CASE("an injected fault and the driver's report of it appear in the state [E-7]") {
    const TemporaryFolder folder;
    const std::string file = (folder / "device.toml").string();
    vnpu::test::writeFile(file, "[[fault]]\nkind = \"engine-hang\"\nengine = \"mac\"\njob = 2\n");
    const WatchedService service({"--config", "edge", "--device", file});
    RemoteContext context(service.socketPath());
    const auto runner =
            ModelRunner::prepare(context, loadNetwork("zoo:ds_cnn"), nn::Priority::MEDIUM);
    CHECK(runner->execute(ExecutionPath::kSync).status == ErrorStatus::NONE);
    CHECK(nextState(service)["devices"][0]["injected"].empty());
    CHECK(runner->execute(ExecutionPath::kSync).status == ErrorStatus::GENERAL_FAILURE);
    CHECK(runner->execute(ExecutionPath::kSync).status == ErrorStatus::NONE);
    const ordered_json device = nextState(service)["devices"][0];
    CHECK(device["injected_faults"] == 1);
    REQUIRE(device["injected"].size() == 1);
    CHECK(device["injected"][0]["kind"] == "engine-hang");
    CHECK(device["injected"][0]["engine"] == "mac");
    const ordered_json& ended = device["activity"]["ended"];
    REQUIRE(ended.size() == 3);
    CHECK(device["injected"][0]["job"] == ended[1]["id"]);
    CHECK(ended[1]["status"] == "GENERAL_FAILURE");
    CHECK(ended[2]["status"] == "NONE");
    REQUIRE(device["activity"]["faults"].size() == 1);
    const ordered_json& report = device["activity"]["faults"][0];
    CHECK(report["cause"] == "engine-hang");
    CHECK(report["remedy"] == "job-ended");
    CHECK(report["job"] == ended[1]["id"]);
    CHECK(report["at_ns"] >= device["injected"][0]["at_ns"]);
}

TEST_CASE("several devices behind one service are shown with their own jobs [E-5]") {
    const WatchedService service({"--config", "edge", "--config", "mobile"});
    RemoteContext context(service.socketPath(), "vnpu-mobile");
    execute(context, 1);
    const ordered_json state = nextState(service);
    REQUIRE(state["devices"].size() == 2);
    CHECK(state["devices"][0]["activity"]["ended"].empty());
    CHECK(state["devices"][1]["activity"]["ended"].size() == 1);
}

TEST_CASE("watchers, patient and hostile, change no time of the device [E-4]") {
    std::vector<std::uint64_t> alone;
    {
        const WatchedService service({"--config", "edge"});
        RemoteContext context(service.socketPath());
        execute(context, 20);
        alone = timesOnDevice(nextState(service));
    }
    CHECK(alone.size() == 20);
    const WatchedService service({"--config", "edge"});
    std::atomic<bool> isOver = false;
    std::thread watcher([&] {
        std::vector<std::unique_ptr<TcpConnection>> hostile;
        while (!isOver) {
            CHECK(!service.state()["devices"].empty());
            hostile.push_back(std::make_unique<TcpConnection>(service.port()));
            hostile.back()->send("POST /\x01 HTTP/1.1\r\nX: ");
            if (hostile.size() == 16) {
                hostile.clear();
            }
        }
    });
    {
        RemoteContext context(service.socketPath());
        execute(context, 20);
    }
    isOver = true;
    watcher.join();
    CHECK(timesOnDevice(nextState(service)) == alone);
}

TEST_CASE("a port that is taken is a mistake of the command line") {
    const WatchedService service({"--config", "edge"});
    const TemporaryFolder folder;
    const auto result = vnpu::test::runVnpu({"serve", "--socket", (folder / "s").string(), "--http",
                                             std::to_string(service.port())});
    CHECK(result.exitCode == 2);
    CHECK(result.errors.find("--http " + std::to_string(service.port())) != std::string::npos);
    CHECK(vnpu::test::runVnpu({"serve", "--http", "70000"}).exitCode == 2);
    CHECK(vnpu::test::runVnpu({"serve", "--http", "-1"}).exitCode == 2);
}

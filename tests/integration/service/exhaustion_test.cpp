// SPDX-License-Identifier: Apache-2.0
// A service that has no file descriptors left.
#include <doctest/doctest.h>
#include <sys/resource.h>

#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

#include "sim/client/model_runner.h"
#include "sim/client/remote_context.h"
#include "sim/import/source.h"
#include "sim/service/service_process.h"
#include "sim/service/service_status.h"
#include "tests/support/program.h"

namespace {

using namespace vnpu::sim;
using vnpu::hal::RpcClient;
namespace nn = android::hardware::neuralnetworks::V1_3;

/// Sets the number of descriptors that a process may have.
void limitDescriptors(ServiceProcess& service, rlim_t count) {
    rlimit limit{};
    REQUIRE(prlimit(service.process().id(), RLIMIT_NOFILE, nullptr, &limit) == 0);
    limit.rlim_cur = count;
    REQUIRE(prlimit(service.process().id(), RLIMIT_NOFILE, &limit, nullptr) == 0);
}

bool executes(RemoteContext& context, const Network& network, ExecutionPath path) {
    try {
        return ModelRunner::prepare(context, network, nn::Priority::MEDIUM)->execute(path).status ==
               nn::ErrorStatus::NONE;
    } catch (const std::runtime_error&) {  // not prepared
        return false;
    }
}

}  // namespace

TEST_SUITE_BEGIN("integration/service/exhaustion");

TEST_CASE(
        "a service without descriptors refuses new clients, keeps its clients, and recovers "
        "[E-5]") {
    if (VNPU_CHECKS_TYPES) {
        MESSAGE("skipped: the sanitizer needs a descriptor for itself to tell an object's type");
        return;
    }
    ServiceProcess service(VNPU_PROGRAM, {"--config", "edge"});
    const auto network = loadNetwork("zoo:ds_cnn");
    RemoteContext context(service.socketPath());
    auto watcher = RpcClient::connect(service.socketPath());
    REQUIRE(watcher.has_value());
    REQUIRE(executes(context, network, ExecutionPath::kBurst));
    const std::uint64_t before = readStatus(**watcher).descriptors;

    limitDescriptors(service, before + 6);
    std::vector<std::unique_ptr<RpcClient>> others;
    size_t refused = 0;
    for (int i = 0; i < 20; ++i) {
        auto client = RpcClient::connect(service.socketPath());
        if (client && (*client)->names(nn::IDevice::descriptor).has_value()) {
            others.push_back(std::move(*client));
        } else {
            ++refused;
        }
    }
    CHECK_FALSE(others.empty());
    CHECK(refused > 0);
    CHECK(context.device()->getStatus().isOk());
    for (const ExecutionPath path : {ExecutionPath::kSync, ExecutionPath::kAsync,
                                     ExecutionPath::kFenced, ExecutionPath::kBurst}) {
        CHECK_FALSE(executes(context, network, path));
    }
    CHECK(context.device()->getStatus().isOk());

    others.clear();
    limitDescriptors(service, before + 200);
    CHECK(executes(context, network, ExecutionPath::kBurst));
    while (readStatus(**watcher).descriptors > before) {  // the last are released after the answers
        std::this_thread::yield();
    }
}

TEST_CASE("a service that gets no thread says so and ends with code 1 [E-5]") {
    if (VNPU_CHECKS_THREADS) {
        MESSAGE("skipped: the sanitizer does not start where so much is kept free for the stack");
        return;
    }
    const vnpu::test::CommandFolder folder;
    // The limit sets the stack size of new threads: here it exceeds the address space.
    CHECK(folder.system("ulimit -s 137438953472 && exec '" VNPU_PROGRAM "' serve --socket sock") ==
          1);
    CHECK(folder.read("err").find("vnpu: no thread for the simulation: ") == 0);
    CHECK(folder.read("out").empty());
}

TEST_SUITE_END();

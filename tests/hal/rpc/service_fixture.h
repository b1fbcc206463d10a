// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <doctest/doctest.h>
#include <vnpu/hal/rpc_client.h>
#include <vnpu/hal/rpc_server.h>

#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <filesystem>
#include <future>
#include <memory>
#include <mutex>
#include <string>

#include "tests/hal/rpc/recording_device.h"

namespace vnpu::hal::rpc::test {

/// The time limit of a wait; only a failure takes this long.
constexpr std::chrono::seconds kPatience{30};

template <typename T>
T awaitResult(std::future<T> future) {
    REQUIRE(future.wait_for(kPatience) == std::future_status::ready);
    return future.get();
}

/// An event that happens once, on any thread.
class Happening {
  public:
    void happen() {
        const std::lock_guard guard(mutex_);
        hasHappened_ = true;
        changed_.notify_all();
    }
    /// Returns false after the time limit.
    bool wait() {
        std::unique_lock lock(mutex_);
        return changed_.wait_for(lock, kPatience, [this] { return hasHappened_; });
    }

  private:
    std::mutex mutex_;
    std::condition_variable changed_;
    bool hasHappened_ = false;
};

/// A folder for a socket, removed on destruction.
class SocketFolder {
  public:
    SocketFolder() {
        std::string pattern = (std::filesystem::temp_directory_path() / "vnpu_rpc_XXXXXX").string();
        REQUIRE(mkdtemp(pattern.data()) != nullptr);
        path_ = pattern;
    }
    ~SocketFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    std::string socket() const { return path_ + "/vnpu.sock"; }

  private:
    std::string path_;
};

/// A server and a client in one process with separate threads and a socket between them, as between
/// two processes.
struct Service {
    explicit Service(const RpcLimits& limits = {}) {
        auto created = RpcServer::create({.socketPath = folder.socket(),
                                          .limits = limits,
                                          .services = {{"vnpu-test", device}}});
        REQUIRE(created.has_value());
        server = std::move(*created);
        client = connect();
    }

    std::unique_ptr<RpcClient> connect() const {
        auto connected = RpcClient::connect(folder.socket());
        REQUIRE(connected.has_value());
        return std::move(*connected);
    }
    static android::sp<android::hardware::neuralnetworks::V1_3::IDevice> find(RpcClient& from) {
        using android::hardware::neuralnetworks::V1_3::IDevice;
        const auto found = from.find(IDevice::descriptor, "vnpu-test");
        REQUIRE(found.has_value());
        const android::sp<IDevice> proxy = IDevice::castFrom(*found);
        REQUIRE(proxy != nullptr);
        return proxy;
    }
    android::sp<android::hardware::neuralnetworks::V1_3::IDevice> find() const {
        return find(*client);
    }

    SocketFolder folder;
    android::sp<RecordingDevice> device = new RecordingDevice;
    std::unique_ptr<RpcServer> server;
    std::unique_ptr<RpcClient> client;
};

}  // namespace vnpu::hal::rpc::test

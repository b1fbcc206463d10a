// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hidl/base/1.0/IBase.h>
#include <sys/types.h>
#include <utils/StrongPointer.h>
#include <vnpu/hal/rpc_limits.h>

#include <cstddef>
#include <memory>
#include <string>
#include <tl/expected.hpp>
#include <vector>

namespace vnpu::hal {

/// Serves objects to other processes at a Unix socket. Calls run on threads of the server, where
/// IPCThreadState reports the caller. When a client process ends, the server releases everything
/// that the process held. Any thread.
class RpcServer {
  public:
    struct Service {
        std::string name;
        android::sp<android::hidl::base::V1_0::IBase> object;
    };

    struct Options {
        std::string socketPath;
        /// Permissions of the socket, which decide who may connect.
        mode_t mode = 0600;
        RpcLimits limits{};
        std::vector<Service> services{};
    };

    /// The current resource usage of a user.
    struct Usage {
        uid_t uid = 0;
        size_t connections = 0;
        size_t calls = 0;
        size_t objects = 0;
        size_t references = 0;
        /// The processes with connections, each once, by number.
        std::vector<pid_t> processes{};
    };

    /// Why there is no server.
    struct Failure {
        std::string reason;
        /// The system has no thread or no descriptor for it; else the options are wrong.
        bool isOfSystem = false;
    };

    /// Fails if another server listens at the path, the path is not a socket, or the system has no
    /// thread for connections and calls. Replaces a socket that no process listens at.
    [[nodiscard]] static tl::expected<std::unique_ptr<RpcServer>, Failure> create(Options options);
    /// Closes all connections and waits for running calls. Must not be called on a thread that
    /// serves a call.
    ~RpcServer();
    RpcServer(const RpcServer&) = delete;
    RpcServer& operator=(const RpcServer&) = delete;

    /// The users with connections, by UID.
    std::vector<Usage> usage() const;

  private:
    struct Impl;

    explicit RpcServer(std::unique_ptr<Impl> impl);

    const std::unique_ptr<Impl> impl_;
};

}  // namespace vnpu::hal

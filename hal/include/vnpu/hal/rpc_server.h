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

/// Serves objects to other processes at a Unix socket. Their calls run on threads of the server's;
/// IPCThreadState tells who calls. All that a process holds is let go of when it ends. Any thread.
class RpcServer {
  public:
    struct Service {
        std::string name;
        android::sp<android::hidl::base::V1_0::IBase> object;
    };

    struct Options {
        std::string socketPath;
        /// Permissions of the socket: who may connect.
        mode_t mode = 0600;
        RpcLimits limits{};
        std::vector<Service> services{};
    };

    /// A user's share, as of now.
    struct Usage {
        uid_t uid = 0;
        size_t connections = 0;
        size_t calls = 0;
        size_t objects = 0;
        size_t references = 0;
    };

    /// Fails, with the reason, if somebody listens there already, or what is there is no socket. A
    /// socket that nobody listens at any more is replaced.
    [[nodiscard]] static tl::expected<std::unique_ptr<RpcServer>, std::string> create(
            Options options);
    /// Ends all connections and waits for the calls that are under way. Not on a thread that serves
    /// one.
    ~RpcServer();
    RpcServer(const RpcServer&) = delete;
    RpcServer& operator=(const RpcServer&) = delete;

    /// The users that have connections, by number.
    std::vector<Usage> usage() const;

  private:
    struct Impl;

    explicit RpcServer(std::unique_ptr<Impl> impl);

    const std::unique_ptr<Impl> impl_;
};

}  // namespace vnpu::hal

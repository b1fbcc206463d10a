// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hidl/base/1.0/IBase.h>
#include <utils/StrongPointer.h>
#include <vnpu/hal/rpc_limits.h>

#include <memory>
#include <string>
#include <tl/expected.hpp>
#include <vector>

namespace vnpu::hal {

/// The path of the service's socket: $VNPU_SOCKET, else $XDG_RUNTIME_DIR/vnpu.sock, else
/// /tmp/vnpu-<uid>.sock.
std::string serviceSocketPath();

/// The default limits, with $VNPU_LIMIT_MESSAGE as messageBytes if it is a number from 1 to
/// RpcLimits::kMostMessageBytes.
RpcLimits clientLimits();

/// A connection to the services of another process. Objects obtained through it work while the
/// connection is open; afterwards their calls end with DEAD_OBJECT. Any thread.
class RpcClient {
  public:
    [[nodiscard]] static tl::expected<std::unique_ptr<RpcClient>, std::string> connect(
            const std::string& socketPath, const RpcLimits& limits = clientLimits());
    /// Closes the connection and waits for running callbacks, unless it is called within one.
    ~RpcClient();
    RpcClient(const RpcClient&) = delete;
    RpcClient& operator=(const RpcClient&) = delete;

    bool isConnected() const;

    /// The service with this interface and name, or null if there is none. Fails if the peer does
    /// not answer.
    [[nodiscard]] tl::expected<android::sp<android::hidl::base::V1_0::IBase>, std::string> find(
            const std::string& descriptor, const std::string& name);
    /// The sorted names of the services with the interface.
    [[nodiscard]] tl::expected<std::vector<std::string>, std::string> names(
            const std::string& descriptor);

  private:
    struct Impl;

    explicit RpcClient(std::unique_ptr<Impl> impl);

    const std::unique_ptr<Impl> impl_;
};

/// Makes getService and getAllHalInstanceNames also find the services at serviceSocketPath(), which
/// is evaluated for every new connection. May be called before main(). Any thread.
void useServiceSocket();

}  // namespace vnpu::hal

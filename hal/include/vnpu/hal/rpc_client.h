// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hidl/base/1.0/IBase.h>
#include <utils/StrongPointer.h>

#include <memory>
#include <string>
#include <tl/expected.hpp>
#include <vector>

namespace vnpu::hal {

/// Where a service is looked for: VNPU_SOCKET, else vnpu.sock in XDG_RUNTIME_DIR, else
/// /tmp/vnpu-<uid>.sock.
std::string serviceSocketPath();

/// A connection to the services of another process. Objects that came over it work as long as the
/// connection does, then their calls end with DEAD_OBJECT. Any thread.
class RpcClient {
  public:
    [[nodiscard]] static tl::expected<std::unique_ptr<RpcClient>, std::string> connect(
            const std::string& socketPath);
    /// Ends the connection, and waits for callbacks that run (but not in one).
    ~RpcClient();
    RpcClient(const RpcClient&) = delete;
    RpcClient& operator=(const RpcClient&) = delete;

    bool isConnected() const;

    /// The service of this interface and name; null if there is none. Fails if it cannot be asked.
    [[nodiscard]] tl::expected<android::sp<android::hidl::base::V1_0::IBase>, std::string> find(
            const std::string& descriptor, const std::string& name);
    /// Sorted names of the services that have the interface.
    [[nodiscard]] tl::expected<std::vector<std::string>, std::string> names(
            const std::string& descriptor);

  private:
    struct Impl;

    explicit RpcClient(std::unique_ptr<Impl> impl);

    const std::unique_ptr<Impl> impl_;
};

/// From now on getService and getAllHalInstanceNames also find what is served at
/// serviceSocketPath(), which is read each time that there is no connection. May be called before
/// main(). Any thread.
void useServiceSocket();

}  // namespace vnpu::hal

// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>
#include <vnpu/hal/rpc_client.h>
#include <vnpu/hal/service_registry.h>

#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <utility>

#include "hal/rpc/connection.h"
#include "hal/rpc/service_socket.h"
#include "hal/src/try.h"

namespace vnpu::hal {

using android::sp;
using android::hidl::base::V1_0::IBase;
using rpc::Connection;

namespace {

std::string environment(const char* name) {
    const char* const value = std::getenv(name);
    return value == nullptr ? "" : value;
}

/// The services at serviceSocketPath(), over a connection that is opened on demand.
class ServiceSocketSource : public ServiceSource {
    using Object = sp<IBase>;
    using Names = std::vector<std::string>;

  public:
    sp<IBase> find(const std::string& descriptor, const std::string& name) override {
        return ask<Object>([&](RpcClient& client) { return client.find(descriptor, name); });
    }
    std::vector<std::string> names(const std::string& descriptor) override {
        return ask<Names>([&](RpcClient& client) { return client.names(descriptor); });
    }

  private:
    /// A service that died may leave a connection whose end is not noticed yet; a new connection is
    /// then tried.
    template <typename Result, typename Question>
    Result ask(const Question& question) {
        for (int attempt = 0; attempt < 2; ++attempt) {
            const std::shared_ptr<RpcClient> client = connected();
            if (client == nullptr) {
                return Result();
            }
            auto found = question(*client);
            if (found) {
                return std::move(*found);
            }
            android::hardware::details::logError("service: " + found.error());
            drop(client);
        }
        return Result();
    }

    std::shared_ptr<RpcClient> connected() {
        // Destroyed after the lock is released, because its destructor waits for notifications of
        // the service's end, which may ask for the service again.
        std::shared_ptr<RpcClient> former;
        const std::lock_guard guard(mutex_);
        if (client_ == nullptr || !client_->isConnected()) {
            auto client = RpcClient::connect(serviceSocketPath());
            former = std::exchange(
                    client_, client ? std::shared_ptr<RpcClient>(std::move(*client)) : nullptr);
        }
        return client_;
    }

    void drop(const std::shared_ptr<RpcClient>& client) {
        const std::lock_guard guard(mutex_);
        if (client_ == client) {
            client_ = nullptr;
        }
    }

    std::mutex mutex_;  // guards client_
    std::shared_ptr<RpcClient> client_;
};

}  // namespace

struct RpcClient::Impl {
    const std::shared_ptr<rpc::Workers> workers;
    const std::shared_ptr<rpc::EventLoop> loop;
    const std::shared_ptr<Connection> connection;
};

std::string serviceSocketPath() {
    if (const std::string path = environment("VNPU_SOCKET"); !path.empty()) {
        return path;
    }
    if (const std::string folder = environment("XDG_RUNTIME_DIR"); !folder.empty()) {
        return folder + "/vnpu.sock";
    }
    return "/tmp/vnpu-" + std::to_string(getuid()) + ".sock";
}

RpcLimits clientLimits() {
    RpcLimits limits;
    const std::string text = environment("VNPU_LIMIT_MESSAGE");
    size_t bytes = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), bytes);
    if (error == std::errc() && end == text.data() + text.size() && bytes >= 1 &&
        bytes <= RpcLimits::kMostMessageBytes) {
        limits.messageBytes = bytes;
    } else if (!text.empty()) {
        android::hardware::details::logError(
                fmt::format("VNPU_LIMIT_MESSAGE is \"{}\", expected 1 to {} bytes; {} are used",
                            text, RpcLimits::kMostMessageBytes, limits.messageBytes));
    }
    return limits;
}

tl::expected<std::unique_ptr<RpcClient>, std::string> RpcClient::connect(
        const std::string& socketPath, const RpcLimits& limits) {
    VNPU_TRY_ASSIGN(auto socket, rpc::connectTo(socketPath));
    VNPU_TRY_ASSIGN(const auto peer, rpc::peerOf(socket.get()));
    VNPU_TRY_ASSIGN(auto workers, rpc::Workers::create());
    VNPU_TRY_ASSIGN(auto loop, rpc::EventLoop::create());
    RpcLimits own = limits;
    own.unreadBytes = SIZE_MAX;  // the client's own calls wait there
    auto connection = Connection::open(
            {loop, workers, std::make_shared<rpc::PeerAccount>(own), nullptr, peer, nullptr},
            std::move(socket));
    return std::unique_ptr<RpcClient>(
            new RpcClient(std::unique_ptr<Impl>(new Impl{workers, loop, std::move(connection)})));
}

RpcClient::RpcClient(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

RpcClient::~RpcClient() {
    impl_->connection->close();
    impl_->workers->drain(*impl_->loop);
}

bool RpcClient::isConnected() const {
    return impl_->connection->isOpen();
}

tl::expected<sp<IBase>, std::string> RpcClient::find(const std::string& descriptor,
                                                     const std::string& name) {
    return impl_->connection->find(descriptor, name);
}

tl::expected<std::vector<std::string>, std::string> RpcClient::names(
        const std::string& descriptor) {
    return impl_->connection->names(descriptor);
}

void useServiceSocket() {
    setServiceSource(std::make_shared<ServiceSocketSource>());
}

}  // namespace vnpu::hal

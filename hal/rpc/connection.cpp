// SPDX-License-Identifier: Apache-2.0
#include "hal/rpc/connection.h"

#include <capnp/rpc-twoparty.capnp.h>
#include <hidl/HidlInternal.h>

#include <utility>

namespace vnpu::hal::rpc {

using android::base::unique_fd;
using android::hardware::details::logError;

namespace {

// Messages hold objects and protocol data beside the bytes of a parcel.
constexpr uint64_t kMessageOverheadWords = uint64_t{1} << 16;

}  // namespace

class Connection::ErrorLog final : public kj::TaskSet::ErrorHandler {
    void taskFailed(kj::Exception&& exception) override { logError("rpc: " + textOf(exception)); }
};

std::shared_ptr<Connection> Connection::open(Parts parts, unique_fd socket) {
    auto connection = std::make_shared<Connection>(std::move(parts));
    connection->parts_.loop->post([connection, socket = std::move(socket)]() mutable {
        connection->begin(std::move(socket));
    });
    return connection;
}

Connection::Connection(Parts parts)
    : parts_(std::move(parts)), releases_(std::make_shared<ReleaseQueue>(parts_.workers)) {}

Connection::~Connection() = default;

void Connection::close() {
    parts_.loop->post([self = shared_from_this()] { self->end(); });
}

void Connection::begin(unique_fd socket) {
    using capnp::rpc::twoparty::Side;
    using kj::LowLevelAsyncIoProvider;
    capnp::ReaderOptions options;
    options.traversalLimitInWords =
            limits().messageBytes / sizeof(capnp::word) + kMessageOverheadWords;
    const std::weak_ptr<Connection> weak = weak_from_this();
    const auto onEnd = [weak] {
        if (const auto self = weak.lock()) {
            self->close();  // deferred, because it destroys the caller of this function
        }
    };
    const bool isServer = parts_.services != nullptr;
    errors_ = kj::heap<ErrorLog>();
    tasks_ = kj::heap<kj::TaskSet>(*errors_);
    stream_ = parts_.loop->io().lowLevelProvider->wrapUnixSocketFd(
            socket.release(), LowLevelAsyncIoProvider::TAKE_OWNERSHIP |
                                      LowLevelAsyncIoProvider::ALREADY_CLOEXEC |
                                      LowLevelAsyncIoProvider::ALREADY_NONBLOCK);
    const auto unreadBytes = [this] {
        return network_.get() == nullptr ? 0 : network_->getCurrentQueueSize();
    };
    messages_ =
            kj::heap<GuardedStream>(*stream_, limits(), GuardedStream::Watch{unreadBytes, onEnd});
    network_ = kj::heap<capnp::TwoPartyVatNetwork>(
            *messages_, static_cast<unsigned>(limits().descriptorsPerMessage),
            isServer ? Side::SERVER : Side::CLIENT, options);
    tasks_->add(network_->onDisconnect().then([onEnd] { onEnd(); }));
    if (isServer) {
        system_ = kj::heap(capnp::makeRpcServer(*network_, makeRegistry()));
    } else {
        system_ = kj::heap(capnp::makeRpcClient(*network_));
        capnp::MallocMessageBuilder message;
        auto vat = message.initRoot<capnp::rpc::twoparty::VatId>();
        vat.setSide(Side::SERVER);
        registry_ = system_->bootstrap(vat).castAs<wire::Registry>();
    }
}

void Connection::end() {
    if (!isOpen_.exchange(false)) {
        return;
    }
    const auto self = shared_from_this();
    tasks_ = nullptr;
    registry_ = nullptr;
    imports_.clear();
    system_ = nullptr;
    network_ = nullptr;
    messages_ = nullptr;
    stream_ = nullptr;
    errors_ = nullptr;
    deathWatch_.notifyAll(*parts_.workers);
    if (parts_.onClosed) {
        parts_.onClosed(*this);
    }
}

}  // namespace vnpu::hal::rpc

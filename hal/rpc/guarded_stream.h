// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <capnp/rpc.capnp.h>
#include <capnp/serialize-async.h>
#include <kj/async-io.h>
#include <vnpu/hal/rpc_limits.h>

#include <cstddef>
#include <functional>
#include <utility>

namespace vnpu::hal::rpc {

/// A message stream that ends if the peer claims more entries of Cap'n Proto's tables than an
/// honest peer would, because the tables have no limits of their own, or uses protocol features
/// that this project never uses: promises that resolve to each other make Cap'n Proto 0.9 leak
/// memory. Runs on the loop's thread.
class GuardedStream final : public capnp::MessageStream {
  public:
    struct Watch {
        std::function<size_t()> unreadBytes;  // bytes sent to the peer and not yet read by it
        std::function<void()> onEnd;          // called when the stream ends, for any reason
    };

    GuardedStream(kj::AsyncCapabilityStream& stream, const RpcLimits& limits, Watch watch)
        : inner_(stream), limits_(limits), watch_(std::move(watch)) {}

    kj::Promise<kj::Maybe<capnp::MessageReaderAndFds>> tryReadMessage(
            kj::ArrayPtr<kj::AutoCloseFd> fdSpace, capnp::ReaderOptions options,
            kj::ArrayPtr<capnp::word> scratchSpace) override;
    kj::Promise<void> writeMessage(
            kj::ArrayPtr<const int> fds,
            kj::ArrayPtr<const kj::ArrayPtr<const capnp::word>> segments) override;
    kj::Promise<void> writeMessages(
            kj::ArrayPtr<kj::ArrayPtr<const kj::ArrayPtr<const capnp::word>>> messages) override;
    kj::Maybe<int> getSendBufferSize() override { return inner_.getSendBufferSize(); }
    kj::Promise<void> end() override { return inner_.end(); }

  private:
    void check(capnp::rpc::Message::Reader message);
    void checkCall(capnp::rpc::Call::Reader call) const;
    void checkReturn(capnp::rpc::Return::Reader answer) const;
    void checkPayload(capnp::rpc::Payload::Reader payload) const;

    capnp::AsyncCapabilityMessageStream inner_;
    const RpcLimits limits_;
    const Watch watch_;
    size_t answers_ = 0;  // answers that the peer has requested and not released
};

}  // namespace vnpu::hal::rpc

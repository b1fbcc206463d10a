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

/// A stream of messages that ends where the peer asks for more of Cap'n Proto's own tables than an
/// honest one, as those have no bounds of their own, or uses what an honest one never does: with
/// promises that resolve to one another a peer makes Cap'n Proto (0.9) lose its memory. Loop's
/// thread.
class GuardedStream final : public capnp::MessageStream {
  public:
    struct Watch {
        std::function<size_t()> unreadBytes;  // that the peer was sent and has not read
        std::function<void()> onEnd;          // nothing more can be read, for whatever reason
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
    size_t answers_ = 0;  // that the peer has asked for and not let go of
};

}  // namespace vnpu::hal::rpc

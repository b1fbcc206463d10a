// SPDX-License-Identifier: Apache-2.0
#include "hal/rpc/guarded_stream.h"

#include <kj/debug.h>

namespace vnpu::hal::rpc {

namespace {

// chosen: many times the calls that may be under way, as refused ones count too until the peer has
// read the refusal
constexpr size_t kMostAnswers = 4096;

}  // namespace

kj::Promise<kj::Maybe<capnp::MessageReaderAndFds>> GuardedStream::tryReadMessage(
        kj::ArrayPtr<kj::AutoCloseFd> fdSpace, capnp::ReaderOptions options,
        kj::ArrayPtr<capnp::word> scratchSpace) {
    return inner_.tryReadMessage(fdSpace, options, scratchSpace)
            .then([this](kj::Maybe<capnp::MessageReaderAndFds>&& message) {
                KJ_IF_MAYBE (present, message) {
                    check(present->reader->getRoot<capnp::rpc::Message>());
                } else {
                    onEnd_();
                }
                return kj::mv(message);
            })
            .catch_([this](kj::Exception&& exception)
                            -> kj::Promise<kj::Maybe<capnp::MessageReaderAndFds>> {
                onEnd_();
                return kj::mv(exception);
            });
}

kj::Promise<void> GuardedStream::writeMessage(
        kj::ArrayPtr<const int> fds, kj::ArrayPtr<const kj::ArrayPtr<const capnp::word>> segments) {
    return inner_.writeMessage(fds, segments);
}

kj::Promise<void> GuardedStream::writeMessages(
        kj::ArrayPtr<kj::ArrayPtr<const kj::ArrayPtr<const capnp::word>>> messages) {
    return inner_.writeMessages(messages);
}

void GuardedStream::check(capnp::rpc::Message::Reader message) {
    switch (message.which()) {
        case capnp::rpc::Message::BOOTSTRAP:
            ++answers_;
            break;
        case capnp::rpc::Message::CALL:
            ++answers_;
            checkPayload(message.getCall().getParams());
            break;
        case capnp::rpc::Message::RETURN:
            if (message.getReturn().isResults()) {
                checkPayload(message.getReturn().getResults());
            }
            break;
        case capnp::rpc::Message::FINISH:
            answers_ -= answers_ > 0 ? 1 : 0;
            break;
        default:
            break;
    }
    KJ_REQUIRE(answers_ <= kMostAnswers, "the peer holds too many answers", answers_);
}

void GuardedStream::checkPayload(capnp::rpc::Payload::Reader payload) const {
    const size_t capabilities = payload.getCapTable().size();
    KJ_REQUIRE(capabilities <= limits_.objectsPerMessage + limits_.descriptorsPerMessage,
               "a message has too many objects", capabilities);
}

}  // namespace vnpu::hal::rpc

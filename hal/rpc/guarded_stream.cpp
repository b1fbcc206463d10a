// SPDX-License-Identifier: Apache-2.0
#include "hal/rpc/guarded_stream.h"

#include <kj/debug.h>

namespace vnpu::hal::rpc {

namespace {

// chosen: many times the calls that may run at once, because refused calls also count until the
// peer has read the refusal
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
                    watch_.onEnd();
                }
                return kj::mv(message);
            })
            .catch_([this](kj::Exception&& exception)
                            -> kj::Promise<kj::Maybe<capnp::MessageReaderAndFds>> {
                watch_.onEnd();
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
    using capnp::rpc::Message;
    switch (message.which()) {
        case Message::BOOTSTRAP:
            ++answers_;
            break;
        case Message::CALL:
            ++answers_;
            checkCall(message.getCall());
            break;
        case Message::RETURN:
            checkReturn(message.getReturn());
            break;
        case Message::FINISH:
            answers_ -= answers_ > 0 ? 1 : 0;
            break;
        case Message::RELEASE:
        case Message::ABORT:
            break;
        default:
            KJ_FAIL_REQUIRE("a message of a kind that is not used here",
                            static_cast<unsigned>(message.which()));
    }
    const size_t unreadBytes = watch_.unreadBytes();
    KJ_REQUIRE(unreadBytes <= limits_.unreadBytes, "the peer does not read", unreadBytes);
    KJ_REQUIRE(answers_ <= kMostAnswers, "the peer holds too many answers", answers_);
}

void GuardedStream::checkCall(capnp::rpc::Call::Reader call) const {
    const auto target = call.getTarget();
    // The peer calls the registry before it has received it.
    KJ_REQUIRE(target.isImportedCap() || (target.isPromisedAnswer() &&
                                          target.getPromisedAnswer().getTransform().size() == 0),
               "a call of an object that another call has not returned yet");
    KJ_REQUIRE(call.getSendResultsTo().isCaller(), "a call whose results go to another receiver");
    checkPayload(call.getParams());
}

void GuardedStream::checkReturn(capnp::rpc::Return::Reader answer) const {
    KJ_REQUIRE(answer.isResults() || answer.isException() || answer.isCanceled(),
               "an answer of a kind that is not used here", static_cast<unsigned>(answer.which()));
    if (answer.isResults()) {
        checkPayload(answer.getResults());
    }
}

void GuardedStream::checkPayload(capnp::rpc::Payload::Reader payload) const {
    const auto capabilities = payload.getCapTable();
    KJ_REQUIRE(capabilities.size() <= limits_.objectsPerMessage + limits_.descriptorsPerMessage,
               "a message has too many objects", capabilities.size());
    for (const auto capability : capabilities) {
        KJ_REQUIRE(
                capability.isNone() || capability.isSenderHosted() || capability.isReceiverHosted(),
                "an object that is not yet resolved", static_cast<unsigned>(capability.which()));
    }
}

}  // namespace vnpu::hal::rpc

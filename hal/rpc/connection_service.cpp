// SPDX-License-Identifier: Apache-2.0
#include "hal/rpc/connection.h"

#include <fmt/format.h>

#include <exception>
#include <optional>
#include <utility>

#include "hal/rpc/interfaces.h"

namespace vnpu::hal::rpc {

using android::sp;
using android::hardware::Status;

namespace {

void write(wire::Status::Builder out, const Status& status) {
    out.setException(status.exceptionCode());
    out.setTransactionError(status.transactionError());
    out.setMessage(status.exceptionMessage());
}

}  // namespace

/// A call from the peer, from its arrival to its answer.
struct Connection::IncomingCall {
    sp<IBase> object;
    MethodId method;
    Parcel arguments{};
    uint64_t releasesBefore = 0;
    Charge ofConnection;
    Charge ofUser;
    Charge bytes;

    Reply run() {
        try {
            return dispatch(*object, method, std::move(arguments));
        } catch (const std::exception& error) {  // memory may be exhausted
            return {failed(Status::EX_TRANSACTION_FAILED, error.what()), {}};
        }
    }
};

std::string Connection::whyNotToServe(MethodId method, size_t bytes) const {
    if (incomingCalls_ >= limits().callsPerConnection) {
        return fmt::format("this process has {} calls under way, expected at most {}",
                           incomingCalls_.load(), limits().callsPerConnection);
    }
    return parts_.account->refusal(carriesObjects(method), bytes);
}

kj::Promise<void> Connection::serve(const sp<IBase>& object, CallContext context) {
    const auto params = context.getParams();
    const MethodId method{params.getInterface(), params.getMethod()};
    const auto arguments = params.getArguments();
    const auto bytes = arguments.getBytes();
    if (!isOpen_) {
        return kj::READY_NOW;
    }
    if (const std::string reason = whyNotToServe(method, bytes.size()); !reason.empty()) {
        answer(context, {failed(Status::EX_TRANSACTION_FAILED, reason), HeldParcel(releases_)});
        return kj::READY_NOW;
    }
    auto call = kj::heap<IncomingCall>(
            IncomingCall{object,
                         method,
                         {},
                         0,
                         Charge({shared_from_this(), &incomingCalls_}, 1),
                         parts_.account->charge(&PeerAccount::calls),
                         parts_.account->charge(&PeerAccount::bytes, bytes.size())});
    const auto self = shared_from_this();
    return receive(arguments, bytes)
            .then([self, context, call = kj::mv(call)](HeldParcel&& received) mutable {
                context.releaseParams();
                call->arguments = received.take();
                call->releasesBefore = self->releases_->asked();
                return self->run(kj::mv(call));
            })
            .then([self,
                   context](HeldReply&& reply) mutable { self->answer(context, kj::mv(reply)); },
                  [self, context](kj::Exception&& exception) mutable {
                      self->answer(context, {failed(Status::EX_BAD_PARCELABLE, textOf(exception)),
                                             HeldParcel(self->releases_)});
                  });
}

kj::Promise<HeldReply> Connection::run(kj::Own<IncomingCall> call) {
    auto ending = kj::newPromiseAndFulfiller<HeldReply>();
    parts_.workers->run([self = shared_from_this(), call = kj::mv(call),
                         fulfiller = kj::mv(ending.fulfiller)]() mutable {
        self->releases_->await(call->releasesBefore);
        std::optional<CallerScope> scope(std::in_place, self->parts_.peer);
        Reply reply = call->run();
        scope.reset();
        // Before the answer, so that a later release by the caller comes last.
        call = nullptr;
        const auto loop = self->parts_.loop;
        loop->post(
                [fulfiller = kj::mv(fulfiller),
                 held = HeldReply{reply.status, HeldParcel(self->releases_,
                                                           std::move(reply.results))}]() mutable {
                    fulfiller->fulfill(kj::mv(held));
                });
    });
    return kj::mv(ending.promise);
}

void Connection::answer(CallContext& context, HeldReply reply) {
    if (!isOpen_) {
        return;
    }
    if (reply.status.isOk()) {
        if (const std::string reason = whyNotToSend(reply.results.parcel); !reason.empty()) {
            reply.status = failed(Status::EX_TRANSACTION_FAILED, reason);
        }
    }
    auto results = context.getResults();
    write(results.initStatus(), reply.status);
    if (reply.status.isOk()) {
        fill(results.initResults(), reply.results.take());
    }
}

}  // namespace vnpu::hal::rpc

// SPDX-License-Identifier: Apache-2.0
#include "hal/rpc/connection.h"

#include <fmt/format.h>
#include <utils/Errors.h>

#include <utility>

namespace vnpu::hal::rpc {

using android::hardware::Status;

namespace {

// chosen: one notification for each job that a peer may have running
constexpr size_t kMostSends = 1024;

Reply deadReply() {
    return {Status::fromStatusT(android::DEAD_OBJECT), {}};
}

Status read(wire::Status::Reader in) {
    if (in.getException() == Status::EX_TRANSACTION_FAILED && in.getMessage().size() == 0) {
        return Status::fromStatusT(in.getTransactionError());
    }
    return in.getException() == Status::EX_NONE
                   ? Status::ok()
                   : Status::fromExceptionCode(in.getException(), in.getMessage().cStr());
}

}  // namespace

std::string Connection::whyNotToSend(const Parcel& parcel) const {
    const auto tooMany = [](const char* what, size_t present, size_t limit) {
        return fmt::format("a message of {} {}, expected at most {}", present, what, limit);
    };
    if (parcel.bytes.size() > limits().messageBytes) {
        const bool isServer = parts_.services != nullptr;
        return tooMany("bytes", parcel.bytes.size(), limits().messageBytes) +
               (isServer ? " (--limit-message)" : " (VNPU_LIMIT_MESSAGE)");
    }
    if (parcel.descriptors.size() > limits().descriptorsPerMessage) {
        return tooMany("file descriptors", parcel.descriptors.size(),
                       limits().descriptorsPerMessage);
    }
    if (parcel.objects.size() > limits().objectsPerMessage) {
        return tooMany("objects", parcel.objects.size(), limits().objectsPerMessage);
    }
    return "";
}

Reply Connection::call(ImportId import, MethodId method, Parcel arguments) {
    if (const std::string reason = whyNotToSend(arguments); !reason.empty()) {
        return {failed(Status::EX_TRANSACTION_FAILED, reason), {}};
    }
    if (!isOpen_) {
        return deadReply();
    }
    auto answer = std::make_shared<Answer<Reply>>(deadReply());
    auto reply = answer->future();
    parts_.loop->post([self = shared_from_this(), import, method,
                       held = HeldParcel(releases_, std::move(arguments)),
                       answer = std::move(answer)]() mutable {
        self->transmit(import, method, held.take(), std::move(answer));
    });
    return reply.get();
}

Status Connection::send(ImportId import, MethodId method, Parcel arguments) {
    if (const std::string reason = whyNotToSend(arguments); !reason.empty()) {
        return failed(Status::EX_TRANSACTION_FAILED, reason);
    }
    if (!isOpen_) {
        return Status::fromStatusT(android::DEAD_OBJECT);
    }
    if (sends_ >= kMostSends) {
        return failed(Status::EX_TRANSACTION_FAILED,
                      fmt::format("{} calls that the peer has not taken, expected less than {}",
                                  sends_.load(), kMostSends));
    }
    struct Sent {
        explicit Sent(Charge underWay) : charge(std::move(underWay)) {}
        const Charge charge;
        Answer<Reply> nobodys{deadReply()};
    };
    const auto sent = std::make_shared<Sent>(Charge({shared_from_this(), &sends_}, 1));
    parts_.loop->post([self = shared_from_this(), import, method,
                       held = HeldParcel(releases_, std::move(arguments)),
                       answer = std::shared_ptr<Answer<Reply>>(sent, &sent->nobodys)]() mutable {
        self->transmit(import, method, held.take(), std::move(answer));
    });
    return Status::ok();
}

void Connection::transmit(ImportId import, MethodId method, Parcel arguments,
                          std::shared_ptr<Answer<Reply>> answer) {
    HeldParcel held(releases_, std::move(arguments));
    const auto found = imports_.find(import);
    if (!isOpen_ || found == imports_.end()) {
        return;
    }
    auto request = found->second.callRequest();
    request.setInterface(method.interface);
    request.setMethod(method.method);
    fill(request.initArguments(), held.take());
    tasks_->add(
            request.send()
                    .then([self = shared_from_this(),
                           answer](capnp::Response<wire::Object::CallResults>&& response) {
                        return self->receiveReply(response, answer);
                    })
                    .catch_([answer](kj::Exception&& exception) {
                        if (exception.getType() != kj::Exception::Type::DISCONNECTED) {
                            answer->deliver(
                                    {failed(Status::EX_TRANSACTION_FAILED, textOf(exception)), {}});
                        }
                    }));
}

kj::Promise<void> Connection::receiveReply(wire::Object::CallResults::Reader results,
                                           std::shared_ptr<Answer<Reply>> answer) {
    const Status status = read(results.getStatus());
    if (!status.isOk()) {
        answer->deliver({status, {}});
        return kj::READY_NOW;
    }
    const auto parcel = results.getResults();
    return receive(parcel, parcel.getBytes()).then([answer](HeldParcel&& received) {
        answer->deliver({Status::ok(), received.take()});
    });
}

}  // namespace vnpu::hal::rpc

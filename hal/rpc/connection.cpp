// SPDX-License-Identifier: Apache-2.0
#include "hal/rpc/connection.h"

#include <capnp/rpc-twoparty.capnp.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <hidl/HidlInternal.h>
#include <kj/debug.h>
#include <utils/Errors.h>

#include <algorithm>
#include <exception>
#include <new>
#include <optional>
#include <utility>

#include "hal/rpc/interfaces.h"

namespace vnpu::hal::rpc {

using android::sp;
using android::base::unique_fd;
using android::hardware::Status;
using android::hardware::details::logError;

namespace {

// chosen: one notification for each job that a peer may have running
constexpr size_t kMostSends = 1024;

// Messages hold objects and protocol data beside the bytes of a parcel.
constexpr uint64_t kMessageOverheadWords = uint64_t{1} << 16;

Status failedStatus(const std::string& reason) {
    return Status::fromExceptionCode(Status::EX_TRANSACTION_FAILED, reason.c_str());
}

Reply deadReply() {
    return {Status::fromStatusT(android::DEAD_OBJECT), {}};
}

std::string textOf(const kj::Exception& exception) {
    return exception.getDescription().cStr();
}

void write(wire::Status::Builder out, const Status& status) {
    out.setException(status.exceptionCode());
    out.setTransactionError(status.transactionError());
    out.setMessage(status.exceptionMessage());
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

/// The remote end of a proxy.
class Connection::Import final : public RemoteReference {
  public:
    Import(std::shared_ptr<Connection> connection, ImportId id)
        : connection_(std::move(connection)),
          id_(id),
          charge_(connection_->parts_.account->charge(&PeerAccount::references)) {}
    ~Import() override {
        connection_->deathWatch_.forget(*this);
        connection_->parts_.loop->post(
                [connection = connection_, id = id_] { connection->imports_.erase(id); });
    }

    Reply call(MethodId method, Parcel arguments) override {
        return connection_->call(id_, method, std::move(arguments));
    }
    Status send(MethodId method, Parcel arguments) override {
        return connection_->send(id_, method, std::move(arguments));
    }
    bool linkToDeath(const sp<android::hardware::hidl_death_recipient>& recipient, uint64_t cookie,
                     const android::wp<IBase>& who) override {
        return connection_->deathWatch_.add({this, recipient, cookie, who});
    }
    bool unlinkToDeath(const sp<android::hardware::hidl_death_recipient>& recipient) override {
        return connection_->deathWatch_.remove(*this, recipient.get());
    }

    bool isOf(const Connection& connection) const { return connection_.get() == &connection; }
    ImportId id() const { return id_; }

  private:
    const std::shared_ptr<Connection> connection_;
    const ImportId id_;
    const Charge charge_;
};

/// Keeps an object of this process alive for as long as the peer holds it.
class Connection::ObjectServer final : public wire::Object::Server {
  public:
    ObjectServer(std::shared_ptr<Connection> connection, sp<IBase> object)
        : connection_(std::move(connection)),
          object_(std::move(object)),
          charge_(connection_->parts_.account->charge(&PeerAccount::objects)) {
        connection_->exports_[object_.get()] = this;
    }
    ~ObjectServer() {
        connection_->exports_.erase(object_.get());
        connection_->releases_->add({std::move(object_)});
    }

    const sp<IBase>& object() const { return object_; }
    wire::Object::Client client() { return thisCap(); }

    kj::Promise<void> call(CallContext context) override {
        return connection_->serve(object_, context);
    }

  private:
    const std::shared_ptr<Connection> connection_;
    sp<IBase> object_;
    const Charge charge_;
};

class Connection::DescriptorServer final : public wire::Descriptor::Server {
  public:
    DescriptorServer(unique_fd descriptor, Charge charge)
        : descriptor_(std::move(descriptor)), charge_(std::move(charge)) {}
    kj::Maybe<int> getFd() override { return descriptor_.get(); }

  private:
    const unique_fd descriptor_;
    const Charge charge_;
};

class Connection::RegistryServer final : public wire::Registry::Server {
  public:
    explicit RegistryServer(std::weak_ptr<Connection> connection)
        : connection_(std::move(connection)) {}

    kj::Promise<void> find(FindContext context) override {
        const auto connection = connection_.lock();
        KJ_REQUIRE(connection != nullptr, "the service has ended");
        const auto params = context.getParams();
        KJ_REQUIRE(params.getVersion() == wire::VERSION, "another version of the protocol",
                   params.getVersion(), wire::VERSION);
        for (const Services::Entry& entry : connection->parts_.services->entries) {
            if (entry.name == params.getName().cStr() &&
                has(entry, params.getDescriptor().cStr())) {
                auto results = context.getResults();
                results.setIsFound(true);
                results.getService().setInterface(entry.interface);
                results.getService().setObject(connection->exportOf(entry.object));
                break;
            }
        }
        return kj::READY_NOW;
    }

    kj::Promise<void> names(NamesContext context) override {
        const auto connection = connection_.lock();
        KJ_REQUIRE(connection != nullptr, "the service has ended");
        std::vector<std::string> found;
        for (const Services::Entry& entry : connection->parts_.services->entries) {
            if (has(entry, context.getParams().getDescriptor().cStr())) {
                found.push_back(entry.name);
            }
        }
        auto names = context.getResults().initNames(static_cast<unsigned>(found.size()));
        for (size_t i = 0; i < found.size(); ++i) {
            names.set(static_cast<unsigned>(i), found[i].c_str());
        }
        return kj::READY_NOW;
    }

  private:
    static bool has(const Services::Entry& entry, const char* descriptor) {
        return std::find(entry.chain.begin(), entry.chain.end(), descriptor) != entry.chain.end();
    }

    const std::weak_ptr<Connection> connection_;
};

class Connection::ErrorLog final : public kj::TaskSet::ErrorHandler {
    void taskFailed(kj::Exception&& exception) override { logError("rpc: " + textOf(exception)); }
};

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
            return {failedStatus(error.what()), {}};
        }
    }
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
        system_ = kj::heap(
                capnp::makeRpcServer(*network_, kj::heap<RegistryServer>(weak_from_this())));
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
    deathWatch_.tell(*parts_.workers);
    if (parts_.onClosed) {
        parts_.onClosed(*this);
    }
}

Connection::Result<sp<android::hidl::base::V1_0::IBase>> Connection::find(
        const std::string& descriptor, const std::string& name) {
    using Found = Result<sp<IBase>>;
    auto answer =
            std::make_shared<Answer<Found>>(tl::unexpected(std::string("the service has ended")));
    auto found = answer->future();
    parts_.loop->post([self = shared_from_this(), descriptor, name,
                       answer = std::move(answer)]() mutable {
        KJ_IF_MAYBE (registry, self->registry_) {
            auto request = registry->findRequest();
            request.setVersion(wire::VERSION);
            request.setDescriptor(descriptor.c_str());
            request.setName(name.c_str());
            self->tasks_->add(request.send().then(
                    [self, answer](capnp::Response<wire::Registry::FindResults>&& response) {
                        const auto service = response.getService();
                        answer->deliver(response.getIsFound()
                                                ? self->importOf(service.getInterface(),
                                                                 service.getObject())
                                                : nullptr);
                    },
                    [answer](kj::Exception&& exception) {
                        answer->deliver(tl::unexpected(textOf(exception)));
                    }));
        }
    });
    return found.get();
}

Connection::Result<std::vector<std::string>> Connection::names(const std::string& descriptor) {
    using Names = Result<std::vector<std::string>>;
    auto answer =
            std::make_shared<Answer<Names>>(tl::unexpected(std::string("the service has ended")));
    auto names = answer->future();
    parts_.loop->post(
            [self = shared_from_this(), descriptor, answer = std::move(answer)]() mutable {
                KJ_IF_MAYBE (registry, self->registry_) {
                    auto request = registry->namesRequest();
                    request.setDescriptor(descriptor.c_str());
                    self->tasks_->add(request.send().then(
                            [answer](capnp::Response<wire::Registry::NamesResults>&& response) {
                                std::vector<std::string> all;
                                for (const auto name : response.getNames()) {
                                    all.emplace_back(name.cStr());
                                }
                                std::sort(all.begin(), all.end());
                                answer->deliver(std::move(all));
                            },
                            [answer](kj::Exception&& exception) {
                                answer->deliver(tl::unexpected(textOf(exception)));
                            }));
                }
            });
    return names.get();
}

std::string Connection::whyNotToSend(const Parcel& parcel) const {
    const auto tooMany = [](const char* what, size_t present, size_t limit) {
        return fmt::format("a message of {} {}, expected at most {}", present, what, limit);
    };
    if (parcel.bytes.size() > limits().messageBytes) {
        return tooMany("bytes", parcel.bytes.size(), limits().messageBytes);
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
        return {failedStatus(reason), {}};
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
        return failedStatus(reason);
    }
    if (!isOpen_) {
        return Status::fromStatusT(android::DEAD_OBJECT);
    }
    if (sends_ >= kMostSends) {
        return failedStatus(
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
    tasks_->add(request.send()
                        .then([self = shared_from_this(),
                               answer](capnp::Response<wire::Object::CallResults>&& response) {
                            return self->receiveReply(response, answer);
                        })
                        .catch_([answer](kj::Exception&& exception) {
                            if (exception.getType() != kj::Exception::Type::DISCONNECTED) {
                                answer->deliver({failedStatus(textOf(exception)), {}});
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
    return receive(results.getResults()).then([answer](HeldParcel&& parcel) {
        answer->deliver({Status::ok(), parcel.take()});
    });
}

void Connection::fill(wire::Parcel::Builder out, Parcel parcel) {
    HeldParcel held(releases_, std::move(parcel));
    const Parcel& content = held.parcel;
    auto bytes = out.initBytes(static_cast<unsigned>(content.bytes.size()));
    std::copy_n(reinterpret_cast<const kj::byte*>(content.bytes.data()), content.bytes.size(),
                bytes.begin());
    auto objects = out.initObjects(static_cast<unsigned>(content.objects.size()));
    for (unsigned i = 0; i < objects.size(); ++i) {
        objects[i].setInterface(content.objects[i].interface);
        objects[i].setObject(exportOf(content.objects[i].object));
    }
    auto descriptors = out.initDescriptors(static_cast<unsigned>(content.descriptors.size()));
    for (unsigned i = 0; i < descriptors.size(); ++i) {
        descriptors.set(
                i, kj::heap<DescriptorServer>(std::move(held.parcel.descriptors[i]),
                                              parts_.account->charge(&PeerAccount::descriptors)));
    }
}

kj::Promise<HeldParcel> Connection::receive(wire::Parcel::Reader in) {
    const auto objects = in.getObjects();
    const auto descriptors = in.getDescriptors();
    KJ_REQUIRE(objects.size() <= limits().objectsPerMessage &&
                       descriptors.size() <= limits().descriptorsPerMessage,
               "too many objects or file descriptors", objects.size(), descriptors.size());
    auto held = kj::heap<HeldParcel>(releases_);
    const auto bytes = in.getBytes();
    const auto* const begin = reinterpret_cast<const std::byte*>(bytes.begin());
    held->parcel.bytes.assign(begin, begin + bytes.size());
    held->parcel.objects.resize(objects.size());
    held->parcel.descriptors.resize(descriptors.size());
    auto steps = kj::heapArrayBuilder<kj::Promise<void>>(objects.size() + descriptors.size());
    for (unsigned i = 0; i < objects.size(); ++i) {
        steps.add(receiveObject(objects[i], held->parcel.objects[i]));
    }
    for (unsigned i = 0; i < descriptors.size(); ++i) {
        steps.add(receiveDescriptor(descriptors[i], held->parcel.descriptors[i]));
    }
    return kj::joinPromises(steps.finish()).then([held = kj::mv(held)]() mutable {
        return kj::mv(*held);
    });
}

kj::Promise<void> Connection::receiveObject(wire::ObjectReference::Reader in,
                                            Parcel::Object& slot) {
    auto client = kj::heap<wire::Object::Client>(in.getObject());
    const uint16_t interface = in.getInterface();
    auto found = servers_.getLocalServer(*client);
    return found.then([self = shared_from_this(), interface, client = kj::mv(client),
                       &slot](kj::Maybe<wire::Object::Server&> own) mutable {
        KJ_IF_MAYBE (server, own) {
            slot = {static_cast<ObjectServer&>(*server).object(), interface};
        } else {
            slot = {self->importOf(interface, *client), interface};
        }
        KJ_REQUIRE(slot.object != nullptr, "an object of an unknown interface", interface);
    });
}

kj::Promise<void> Connection::receiveDescriptor(wire::Descriptor::Client descriptor,
                                                unique_fd& slot) {
    auto found = descriptor.getFd();
    return found.then([descriptor, &slot](kj::Maybe<int> lent) {
        KJ_IF_MAYBE (number, lent) {
            slot.reset(fcntl(*number, F_DUPFD_CLOEXEC, 0));
        }
        KJ_REQUIRE(slot.ok(), "a file descriptor did not come along");
    });
}

wire::Object::Client Connection::exportOf(const sp<IBase>& object) {
    const auto* const import = dynamic_cast<Import*>(remoteOf(*object));
    if (import != nullptr && import->isOf(*this)) {
        const auto found = imports_.find(import->id());
        KJ_REQUIRE(found != imports_.end(), "an object is gone");
        return found->second;
    }
    if (const auto known = exports_.find(object.get()); known != exports_.end()) {
        return known->second->client();
    }
    return servers_.add(kj::heap<ObjectServer>(shared_from_this(), object));
}

sp<android::hidl::base::V1_0::IBase> Connection::importOf(uint16_t interface,
                                                          wire::Object::Client object) {
    const ImportId id = ++lastImport_;
    imports_.emplace(id, kj::mv(object));
    return makeProxy(interface, std::make_unique<Import>(shared_from_this(), id));
}

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
    const size_t bytes = params.getArguments().getBytes().size();
    if (!isOpen_) {
        return kj::READY_NOW;
    }
    if (const std::string reason = whyNotToServe(method, bytes); !reason.empty()) {
        answer(context, {failedStatus(reason), HeldParcel(releases_)});
        return kj::READY_NOW;
    }
    auto call = kj::heap<IncomingCall>(
            IncomingCall{object,
                         method,
                         {},
                         0,
                         Charge({shared_from_this(), &incomingCalls_}, 1),
                         parts_.account->charge(&PeerAccount::calls),
                         parts_.account->charge(&PeerAccount::bytes, bytes)});
    const auto self = shared_from_this();
    return receive(params.getArguments())
            .then([self, context, call = kj::mv(call)](HeldParcel&& arguments) mutable {
                context.releaseParams();
                call->arguments = arguments.take();
                call->releasesBefore = self->releases_->asked();
                return self->run(kj::mv(call));
            })
            .then([self,
                   context](HeldReply&& reply) mutable { self->answer(context, kj::mv(reply)); },
                  [self, context](kj::Exception&& exception) mutable {
                      const auto status = Status::fromExceptionCode(Status::EX_BAD_PARCELABLE,
                                                                    textOf(exception).c_str());
                      self->answer(context, {status, HeldParcel(self->releases_)});
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
            reply.status = failedStatus(reason);
        }
    }
    auto results = context.getResults();
    write(results.initStatus(), reply.status);
    if (reply.status.isOk()) {
        fill(results.initResults(), reply.results.take());
    }
}

}  // namespace vnpu::hal::rpc

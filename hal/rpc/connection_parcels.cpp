// SPDX-License-Identifier: Apache-2.0
#include "hal/rpc/connection.h"

#include <fcntl.h>
#include <kj/debug.h>

#include <algorithm>
#include <utility>

#include "hal/rpc/interfaces.h"

namespace vnpu::hal::rpc {

using android::sp;
using android::base::unique_fd;
using android::hardware::Status;

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

kj::Promise<HeldParcel> Connection::receive(wire::Parcel::Reader in, capnp::Data::Reader bytes) {
    const auto objects = in.getObjects();
    const auto descriptors = in.getDescriptors();
    KJ_REQUIRE(objects.size() <= limits().objectsPerMessage &&
                       descriptors.size() <= limits().descriptorsPerMessage,
               "too many objects or file descriptors", objects.size(), descriptors.size());
    auto held = kj::heap<HeldParcel>(releases_);
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
        KJ_REQUIRE(slot.ok(), "a file descriptor is missing");
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

}  // namespace vnpu::hal::rpc

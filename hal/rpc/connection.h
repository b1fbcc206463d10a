// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android-base/unique_fd.h>
#include <android/hidl/base/1.0/IBase.h>
#include <capnp/rpc-twoparty.h>
#include <capnp/rpc.h>
#include <hal/rpc/wire.capnp.h>
#include <hidl/Status.h>
#include <vnpu/hal/caller_identity.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "hal/rpc/answer.h"
#include "hal/rpc/death_watch.h"
#include "hal/rpc/event_loop.h"
#include "hal/rpc/guarded_stream.h"
#include "hal/rpc/held_parcel.h"
#include "hal/rpc/peer_account.h"
#include "hal/rpc/release_queue.h"
#include "hal/rpc/remote.h"
#include "hal/rpc/services.h"
#include "hal/rpc/workers.h"

namespace vnpu::hal::rpc {

/// A connection to another process. Outgoing calls come from any thread, which waits for the
/// answer. Incoming calls arrive on the loop, run on workers and are answered on the loop.
///
///     caller ── call() ──► loop ── socket ──► peer's loop ──► peer's worker ──► its object
///     caller ◄── Answer ── loop ◄── socket ── peer's loop ◄── peer's worker
///
/// It is open until the peer ends, the peer breaks the protocol, or close(). Then all objects that
/// the peer held are released, all calls to it end with DEAD_OBJECT, and death recipients are
/// notified. Objects of KJ are used only in tasks of the loop.
class Connection : public std::enable_shared_from_this<Connection> {
    using IBase = android::hidl::base::V1_0::IBase;
    template <typename T>
    using Result = tl::expected<T, std::string>;

  public:
    struct Parts {
        std::shared_ptr<EventLoop> loop;
        std::shared_ptr<Workers> workers;
        std::shared_ptr<PeerAccount> account;      // of the peer's user
        std::shared_ptr<const Services> services;  // null: the peer is the server
        Caller peer;
        std::function<void(const Connection&)> onClosed;  // called once, in a task of the loop
    };

    /// Any thread; calls wait until the connection is established. The loop must outlive the
    /// connection.
    static std::shared_ptr<Connection> open(Parts parts, android::base::unique_fd socket);
    explicit Connection(Parts parts);
    ~Connection();
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    /// Any thread.
    bool isOpen() const { return isOpen_; }
    /// Any thread; returns at once.
    void close();

    // Query the services of the peer. Any thread but the loop's.
    Result<android::sp<IBase>> find(const std::string& descriptor, const std::string& name);
    Result<std::vector<std::string>> names(const std::string& descriptor);

  private:
    class Import;
    class ObjectServer;
    class DescriptorServer;
    class RegistryServer;
    class ErrorLog;
    struct IncomingCall;
    using ImportId = uint64_t;
    using CallContext = capnp::CallContext<wire::Object::CallParams, wire::Object::CallResults>;

    const RpcLimits& limits() const { return parts_.account->limits(); }
    static std::string textOf(const kj::Exception& exception) {
        return exception.getDescription().cStr();
    }

    // Any thread.
    /// Sends `request(registry of the peer)` and waits for the result.
    template <typename T, typename Request>
    Result<T> ask(Request&& request);
    Reply call(ImportId import, MethodId method, Parcel arguments);
    android::hardware::Status send(ImportId import, MethodId method, Parcel arguments);
    std::string whyNotToSend(const Parcel& parcel) const;

    // The following run as tasks of the loop.
    void begin(android::base::unique_fd socket);
    void end();
    capnp::Capability::Client makeRegistry();
    void transmit(ImportId import, MethodId method, Parcel arguments,
                  std::shared_ptr<Answer<Reply>> answer);
    kj::Promise<void> receiveReply(wire::Object::CallResults::Reader results,
                                   std::shared_ptr<Answer<Reply>> answer);
    void fill(wire::Parcel::Builder out, Parcel parcel);
    /// `bytes` are those of `in`, which the caller has read: Cap'n Proto counts each reading
    /// toward the limit of a message.
    kj::Promise<HeldParcel> receive(wire::Parcel::Reader in, capnp::Data::Reader bytes);
    kj::Promise<void> receiveObject(wire::ObjectReference::Reader in, Parcel::Object& slot);
    static kj::Promise<void> receiveDescriptor(wire::Descriptor::Client descriptor,
                                               android::base::unique_fd& slot);
    wire::Object::Client exportOf(const android::sp<IBase>& object);
    android::sp<IBase> importOf(uint16_t interface, wire::Object::Client object);
    kj::Promise<void> serve(const android::sp<IBase>& object, CallContext context);
    std::string whyNotToServe(MethodId method, size_t bytes) const;
    kj::Promise<HeldReply> run(kj::Own<IncomingCall> call);
    void answer(CallContext& context, HeldReply reply);

    const Parts parts_;
    const std::shared_ptr<ReleaseQueue> releases_;
    DeathWatch deathWatch_;
    std::atomic<bool> isOpen_{true};
    std::atomic<size_t> sends_{0};          // without an answer yet
    std::atomic<size_t> incomingCalls_{0};  // without an answer yet

    // Used by tasks of the loop only; null after the connection has ended.
    kj::Own<kj::AsyncCapabilityStream> stream_;
    kj::Own<GuardedStream> messages_;
    kj::Own<capnp::TwoPartyVatNetwork> network_;
    kj::Own<capnp::RpcSystem<capnp::rpc::twoparty::VatId>> system_;
    kj::Own<kj::TaskSet::ErrorHandler> errors_;
    kj::Own<kj::TaskSet> tasks_;
    kj::Maybe<wire::Registry::Client> registry_;
    capnp::CapabilityServerSet<wire::Object> servers_;
    std::map<IBase*, ObjectServer*> exports_;
    std::map<ImportId, wire::Object::Client> imports_;
    ImportId lastImport_ = 0;
};

}  // namespace vnpu::hal::rpc

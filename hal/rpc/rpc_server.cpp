// SPDX-License-Identifier: Apache-2.0
#include <kj/async-unix.h>
#include <vnpu/hal/hidl/interface.h>
#include <vnpu/hal/rpc_server.h>

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <list>
#include <map>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

#include "hal/rpc/connection.h"
#include "hal/rpc/interface_list.h"
#include "hal/rpc/interfaces.h"
#include "hal/rpc/service_socket.h"
#include "hal/src/try.h"

namespace vnpu::hal {

using android::base::unique_fd;
using android::hardware::hidl_string;
using android::hardware::hidl_vec;
using android::hardware::details::logError;
using rpc::Connection;

namespace {

tl::expected<std::shared_ptr<const rpc::Services>, std::string> describe(
        const std::vector<RpcServer::Service>& services) {
    auto described = std::make_shared<rpc::Services>();
    for (const RpcServer::Service& service : services) {
        rpc::Services::Entry entry{service.name, service.object, 0, {}};
        if (service.object == nullptr || service.name.empty() ||
            !service.object
                     ->interfaceChain([&](const hidl_vec<hidl_string>& chain) {
                         entry.chain.assign(chain.begin(), chain.end());
                     })
                     .isOk()) {
            return tl::unexpected(
                    "service \"" + service.name +
                    "\": expected a name and an object that returns its interface chain");
        }
        entry.interface = rpc::interfaceOf(*service.object);
        described->entries.push_back(std::move(entry));
    }
    return described;
}

RpcServer::Failure ofOptions(std::string reason) {
    return {std::move(reason), false};
}

RpcServer::Failure ofSystem(std::string reason) {
    return {std::move(reason), true};
}

}  // namespace

struct RpcServer::Impl {
    Impl(const RpcLimits& limits, std::shared_ptr<const rpc::Services> served,
         rpc::ListeningSocket listening, std::shared_ptr<rpc::Workers> forCalls,
         std::shared_ptr<rpc::EventLoop> forConnections)
        : services(std::move(served)),
          accounts(limits),
          socket(std::move(listening)),
          workers(std::move(forCalls)),
          loop(std::move(forConnections)) {}

    const std::shared_ptr<const rpc::Services> services;
    rpc::PeerAccounts accounts;
    rpc::ListeningSocket socket;
    const std::shared_ptr<rpc::Workers> workers;
    const std::shared_ptr<rpc::EventLoop> loop;

    struct Served {
        std::shared_ptr<Connection> connection;
        rpc::Charge charge;
        Caller peer;
    };

    mutable std::mutex peersMutex;                // guards peers
    std::map<uid_t, std::multiset<pid_t>> peers;  // one process for each connection

    // The following run as tasks of the loop.
    kj::Own<kj::UnixEventPort::FdObserver> observer;
    kj::Own<kj::Promise<void>> accepting;
    std::list<Served> connections;

    void start() {
        loop->post([this] {
            observer = kj::heap<kj::UnixEventPort::FdObserver>(
                    loop->io().unixEventPort, socket.fd(),
                    kj::UnixEventPort::FdObserver::OBSERVE_READ);
            accepting = kj::heap<kj::Promise<void>>(acceptAll().eagerlyEvaluate(
                    [](kj::Exception&& e) { logError(e.getDescription().cStr()); }));
        });
    }

    kj::Promise<void> acceptAll() {
        while (true) {
            unique_fd accepted = socket.accept();
            if (accepted.ok()) {
                serve(std::move(accepted));
            } else if (errno != EMFILE && errno != ECONNABORTED) {
                return observer->whenBecomesReadable().then([this] { return acceptAll(); });
            }
        }
    }

    void serve(unique_fd accepted) {
        const auto peer = rpc::peerOf(accepted.get());
        if (!peer) {
            logError("rpc: " + peer.error());
            return;
        }
        const auto account = accounts.of(peer->uid);
        if (account->connections >= account->limits().connections) {
            logError("rpc: user " + std::to_string(peer->uid) + " has too many connections");
            return;
        }
        auto charge = account->charge(&rpc::PeerAccount::connections);
        connections.push_back(
                {Connection::open({loop, workers, account, services, *peer,
                                   [this](const Connection& closed) { forget(closed); }},
                                  std::move(accepted)),
                 std::move(charge), *peer});
        const std::lock_guard guard(peersMutex);
        peers[peer->uid].insert(peer->pid);
    }

    void forget(const Connection& closed) {
        const auto found = std::find_if(
                connections.begin(), connections.end(),
                [&](const Served& served) { return served.connection.get() == &closed; });
        if (found == connections.end()) {
            return;
        }
        {
            const std::lock_guard guard(peersMutex);
            const auto processes = peers.find(found->peer.uid);
            processes->second.erase(processes->second.find(found->peer.pid));
            if (processes->second.empty()) {
                peers.erase(processes);
            }
        }
        connections.erase(found);
    }

    /// Any thread.
    std::vector<pid_t> processesOf(uid_t uid) const {
        const std::lock_guard guard(peersMutex);
        const auto found = peers.find(uid);
        std::vector<pid_t> processes;
        if (found != peers.end()) {
            std::unique_copy(found->second.begin(), found->second.end(),
                             std::back_inserter(processes));
        }
        return processes;
    }

    /// Closes everything; runs on the loop.
    void endAll() {
        accepting = nullptr;
        observer = nullptr;
        for (const Served& served : connections) {
            served.connection->close();
        }
    }
};

tl::expected<std::unique_ptr<RpcServer>, RpcServer::Failure> RpcServer::create(Options options) {
    VNPU_TRY_ASSIGN(auto services, describe(options.services).map_error(ofOptions));
    VNPU_TRY_ASSIGN(
            auto socket,
            rpc::ListeningSocket::create(options.socketPath, options.mode).map_error(ofOptions));
    VNPU_TRY_ASSIGN(auto workers, rpc::Workers::create().map_error(ofSystem));
    VNPU_TRY_ASSIGN(auto loop, rpc::EventLoop::create().map_error(ofSystem));
    auto impl = std::make_unique<Impl>(options.limits, std::move(services), std::move(socket),
                                       std::move(workers), std::move(loop));
    impl->start();
    return std::unique_ptr<RpcServer>(new RpcServer(std::move(impl)));
}

RpcServer::RpcServer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

RpcServer::~RpcServer() {
    impl_->loop->post([this] { impl_->endAll(); });
    impl_->workers->drain(*impl_->loop);
}

std::vector<RpcServer::Usage> RpcServer::usage() const {
    std::vector<Usage> all;
    for (const auto& [uid, account] : impl_->accounts.all()) {
        all.push_back({uid, account->connections, account->calls, account->objects,
                       account->references, impl_->processesOf(uid)});
    }
    return all;
}

}  // namespace vnpu::hal

// SPDX-License-Identifier: Apache-2.0
#include "hal/rpc/connection.h"

#include <kj/debug.h>

#include <algorithm>
#include <utility>

namespace vnpu::hal::rpc {

using android::sp;

/// The services of this process, as the peer sees them.
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

capnp::Capability::Client Connection::makeRegistry() {
    return kj::heap<RegistryServer>(weak_from_this());
}

template <typename T, typename Request>
Connection::Result<T> Connection::ask(Request&& request) {
    auto answer = std::make_shared<Answer<Result<T>>>(
            tl::unexpected(std::string("the service has ended")));
    auto result = answer->future();
    parts_.loop->post([self = shared_from_this(), request = std::forward<Request>(request),
                       answer = std::move(answer)]() mutable {
        KJ_IF_MAYBE (registry, self->registry_) {
            self->tasks_->add(request(*registry).then(
                    [answer](T&& value) { answer->deliver(std::move(value)); },
                    [answer](kj::Exception&& exception) {
                        answer->deliver(tl::unexpected(textOf(exception)));
                    }));
        }
    });
    return result.get();
}

Connection::Result<sp<android::hidl::base::V1_0::IBase>> Connection::find(
        const std::string& descriptor, const std::string& name) {
    return ask<sp<IBase>>([this, descriptor, name](wire::Registry::Client& registry) {
        auto request = registry.findRequest();
        request.setVersion(wire::VERSION);
        request.setDescriptor(descriptor.c_str());
        request.setName(name.c_str());
        return request.send().then(
                [self = shared_from_this()](
                        capnp::Response<wire::Registry::FindResults>&& response) {
                    const auto service = response.getService();
                    return response.getIsFound()
                                   ? self->importOf(service.getInterface(), service.getObject())
                                   : nullptr;
                });
    });
}

Connection::Result<std::vector<std::string>> Connection::names(const std::string& descriptor) {
    return ask<std::vector<std::string>>([descriptor](wire::Registry::Client& registry) {
        auto request = registry.namesRequest();
        request.setDescriptor(descriptor.c_str());
        return request.send().then([](capnp::Response<wire::Registry::NamesResults>&& response) {
            std::vector<std::string> all;
            for (const auto name : response.getNames()) {
                all.emplace_back(name.cStr());
            }
            std::sort(all.begin(), all.end());
            return all;
        });
    });
}

}  // namespace vnpu::hal::rpc

// SPDX-License-Identifier: Apache-2.0
#include <android/hidl/manager/1.0/IServiceNotification.h>
#include <hidl/ServiceManagement.h>
#include <vnpu/hal/hidl/interface.h>
#include <vnpu/hal/service_registry.h>

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "hal/src/memory/ashmem_allocator.h"

namespace android::hardware::details {
namespace {

using ::android::hidl::manager::V1_0::IServiceNotification;

/// The descriptors of an object's interfaces, or nothing if the object does not answer.
std::optional<std::vector<std::string>> chainOf(const sp<IBase>& service) {
    std::vector<std::string> chain;
    const Return<void> result =
            service->interfaceChain([&](const hidl_vec<hidl_string>& descriptors) {
                chain.assign(descriptors.begin(), descriptors.end());
            });
    if (!result.isOk()) {
        return std::nullopt;
    }
    return chain;
}

/// The services of this process. Any thread. Created on first use, possibly before main(), and
/// never destroyed, because destructors that run after main() may use it.
class ServiceRegistry {
  public:
    static ServiceRegistry& instance() {
        static ServiceRegistry* const registry = makeWithBuiltIns().release();
        return *registry;
    }

    sp<IBase> find(const std::string& descriptor, const std::string& name) {
        const Key key{descriptor, name};
        std::shared_ptr<Offer> offer;
        std::shared_ptr<vnpu::hal::ServiceSource> source;
        {
            const std::lock_guard lock(mutex_);
            if (const auto found = services_.find(key); found != services_.end()) {
                return found->second;
            }
            if (const auto found = offers_.find(key); found != offers_.end()) {
                offer = found->second;
            }
            source = source_;
        }
        if (offer != nullptr) {
            return accept(*offer, key);
        }
        return source == nullptr ? nullptr : source->find(descriptor, name);
    }

    std::vector<std::string> namesOf(const std::string& descriptor) {
        std::set<std::string> names;
        std::shared_ptr<vnpu::hal::ServiceSource> source;
        {
            const std::lock_guard lock(mutex_);
            collectNames(services_, descriptor, names);
            collectNames(offers_, descriptor, names);
            source = source_;
        }
        if (source != nullptr) {
            const std::vector<std::string> others = source->names(descriptor);
            names.insert(others.begin(), others.end());
        }
        return {names.begin(), names.end()};
    }

    void setSource(std::shared_ptr<vnpu::hal::ServiceSource> source) {
        const std::lock_guard lock(mutex_);
        source_.swap(source);  // the old source is destroyed after the lock is released
    }

    void offer(const std::vector<std::string>& descriptors, const std::string& name,
               std::function<sp<IBase>()> make) {
        const auto offer = std::make_shared<Offer>();
        offer->make = std::move(make);
        const std::lock_guard lock(mutex_);
        for (const std::string& descriptor : descriptors) {
            offers_[{descriptor, name}] = offer;
        }
    }

    void add(const std::vector<std::string>& chain, const std::string& name,
             const sp<IBase>& service) {
        std::vector<Listener> listeners;
        {
            const std::lock_guard lock(mutex_);
            for (const std::string& descriptor : chain) {
                const auto earlier = services_.find({descriptor, name});
                if (earlier != services_.end()) {
                    eraseNamed(name, earlier->second);
                }
            }
            for (const std::string& descriptor : chain) {
                services_[{descriptor, name}] = service;
                for (const Listener& listener : listeners_) {
                    if (listener.key.descriptor == descriptor && listener.matches(name)) {
                        listeners.push_back(listener);
                    }
                }
            }
        }
        for (const Listener& listener : listeners) {
            listener.tell(name, false);
        }
    }

    bool remove(const sp<IBase>& service) {
        const std::lock_guard lock(mutex_);
        return std::erase_if(services_,
                             [&](const auto& entry) { return entry.second == service; }) > 0;
    }

    void listen(const std::string& descriptor, const std::string& name,
                const sp<IServiceNotification>& notification) {
        const Listener listener{{descriptor, name}, notification};
        {
            const std::lock_guard lock(mutex_);
            listeners_.push_back(listener);
        }
        for (const std::string& present : namesOf(descriptor)) {
            if (listener.matches(present)) {
                listener.tell(present, true);
            }
        }
    }

  private:
    /// A service that is created on first use.
    struct Offer {
        // held during creation, so that it runs once; locked before the registry's
        std::mutex mutex;
        std::function<sp<IBase>()> make;
    };

    struct Key {
        std::string descriptor;
        std::string name;

        friend bool operator<(const Key& a, const Key& b) {
            return std::tie(a.descriptor, a.name) < std::tie(b.descriptor, b.name);
        }
    };

    struct Listener {
        Key key;  ///< an empty name matches all names
        sp<IServiceNotification> notification;

        bool matches(const std::string& name) const { return key.name.empty() || key.name == name; }
        void tell(const std::string& name, bool isPreexisting) const {
            const Return<void> told =
                    notification->onRegistration(key.descriptor, name, isPreexisting);
            if (!told.isOk()) {
                logError("a service notification failed: " + told.description());
            }
        }
    };

    template <typename Entries>
    static void collectNames(const Entries& entries, const std::string& descriptor,
                             std::set<std::string>& names) {
        for (auto it = entries.lower_bound({descriptor, ""});
             it != entries.end() && it->first.descriptor == descriptor; ++it) {
            names.insert(it->first.name);
        }
    }

    sp<IBase> accept(Offer& offer, const Key& key) {
        const std::lock_guard making(offer.mutex);
        {
            const std::lock_guard lock(mutex_);
            if (const auto made = services_.find(key); made != services_.end()) {
                return made->second;
            }
        }
        const sp<IBase> service = offer.make ? offer.make() : nullptr;
        if (service != nullptr) {
            offer.make = nullptr;
            add(chainOf(service).value_or(std::vector<std::string>{key.descriptor}), key.name,
                service);
            const std::lock_guard lock(mutex_);
            std::erase_if(offers_, [&](const auto& entry) { return entry.second.get() == &offer; });
        }
        return service;
    }

    static std::unique_ptr<ServiceRegistry> makeWithBuiltIns() {
        auto registry = std::make_unique<ServiceRegistry>();
        registry->add({::android::hidl::allocator::V1_0::IAllocator::descriptor}, "ashmem",
                      vnpu::hal::makeAshmemAllocator());
        return registry;
    }

    // mutex_ is held. By value: the caller's reference may point into an erased entry.
    void eraseNamed(const std::string& name, sp<IBase> service) {
        std::erase_if(services_, [&](const auto& entry) {
            return entry.first.name == name && entry.second == service;
        });
    }

    std::mutex mutex_;  // guards the rest; never held during a call to other code
    std::map<Key, sp<IBase>> services_;
    std::map<Key, std::shared_ptr<Offer>> offers_;
    std::vector<Listener> listeners_;
    std::shared_ptr<vnpu::hal::ServiceSource> source_;
};

}  // namespace

sp<IBase> findService(const char* descriptor, const std::string& name) {
    return ServiceRegistry::instance().find(descriptor, name);
}

status_t registerService(const std::string& name, const sp<IBase>& service) {
    if (service == nullptr || name.empty()) {
        return BAD_VALUE;
    }
    const std::optional<std::vector<std::string>> chain = chainOf(service);
    if (!chain) {
        return UNKNOWN_ERROR;
    }
    ServiceRegistry::instance().add(*chain, name, service);
    return OK;
}

bool registerForNotifications(const char* descriptor, const std::string& name,
                              const sp<IServiceNotification>& notification) {
    if (notification == nullptr) {
        return false;
    }
    ServiceRegistry::instance().listen(descriptor, name, notification);
    return true;
}

}  // namespace android::hardware::details

namespace android::hardware {

std::vector<std::string> getAllHalInstanceNames(const std::string& descriptor) {
    return details::ServiceRegistry::instance().namesOf(descriptor);
}

}  // namespace android::hardware

namespace vnpu::hal {

void offerService(const std::vector<std::string>& descriptors, const std::string& name,
                  std::function<android::sp<android::hidl::base::V1_0::IBase>()> make) {
    android::hardware::details::ServiceRegistry::instance().offer(descriptors, name,
                                                                  std::move(make));
}

void setServiceSource(std::shared_ptr<ServiceSource> source) {
    android::hardware::details::ServiceRegistry::instance().setSource(std::move(source));
}

bool unregisterService(const android::sp<android::hidl::base::V1_0::IBase>& service) {
    return android::hardware::details::ServiceRegistry::instance().remove(service);
}

}  // namespace vnpu::hal

// SPDX-License-Identifier: Apache-2.0
#include <android/hidl/manager/1.0/IServiceNotification.h>
#include <hidl/ServiceManagement.h>
#include <vnpu/hal/hidl/interface.h>
#include <vnpu/hal/service_registry.h>

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "hal/src/ashmem_allocator.h"

namespace android::hardware::details {
namespace {

using ::android::hidl::manager::V1_0::IServiceNotification;

/// The services of this process. Any thread. Made on first use, which may be before main(), and
/// never destroyed, as services may be asked for in destructors after it.
class ServiceRegistry {
  public:
    static ServiceRegistry& instance() {
        static ServiceRegistry* const registry = makeWithBuiltIns().release();
        return *registry;
    }

    sp<IBase> find(const std::string& descriptor, const std::string& name) {
        const std::lock_guard lock(mutex_);
        const auto found = services_.find({descriptor, name});
        return found == services_.end() ? nullptr : found->second;
    }

    std::vector<std::string> namesOf(const std::string& descriptor) {
        const std::lock_guard lock(mutex_);
        std::vector<std::string> names;
        for (auto it = services_.lower_bound({descriptor, ""});
             it != services_.end() && it->first.descriptor == descriptor; ++it) {
            names.push_back(it->first.name);
        }
        return names;
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
    struct Key {
        std::string descriptor;
        std::string name;

        friend bool operator<(const Key& a, const Key& b) {
            return std::tie(a.descriptor, a.name) < std::tie(b.descriptor, b.name);
        }
    };

    struct Listener {
        Key key;  ///< an empty name stands for all
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

    static std::unique_ptr<ServiceRegistry> makeWithBuiltIns() {
        auto registry = std::make_unique<ServiceRegistry>();
        registry->add({::android::hidl::allocator::V1_0::IAllocator::descriptor}, "ashmem",
                      vnpu::hal::makeAshmemAllocator());
        return registry;
    }

    // mutex_ is held. By value: the caller's reference may be to an entry that goes.
    void eraseNamed(const std::string& name, sp<IBase> service) {
        std::erase_if(services_, [&](const auto& entry) {
            return entry.first.name == name && entry.second == service;
        });
    }

    std::mutex mutex_;  // guards services_ and listeners_; a leaf, never held over a call outward
    std::map<Key, sp<IBase>> services_;
    std::vector<Listener> listeners_;
};

}  // namespace

sp<IBase> findService(const char* descriptor, const std::string& name) {
    return ServiceRegistry::instance().find(descriptor, name);
}

status_t registerService(const std::string& name, const sp<IBase>& service) {
    if (service == nullptr || name.empty()) {
        return BAD_VALUE;
    }
    std::vector<std::string> chain;
    const Return<void> result =
            service->interfaceChain([&](const hidl_vec<hidl_string>& descriptors) {
                chain.assign(descriptors.begin(), descriptors.end());
            });
    if (!result.isOk()) {
        return UNKNOWN_ERROR;
    }
    ServiceRegistry::instance().add(chain, name, service);
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

bool unregisterService(const android::sp<android::hidl::base::V1_0::IBase>& service) {
    return android::hardware::details::ServiceRegistry::instance().remove(service);
}

}  // namespace vnpu::hal

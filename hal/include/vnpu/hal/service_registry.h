// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hidl/base/1.0/IBase.h>
#include <utils/StrongPointer.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace vnpu::hal {

/// Registers a service that is created on first use. `make` is called once, without a lock held,
/// and may return null: getService then returns null and a later call tries again. `descriptors`
/// are the interfaces of the service, as in its interface chain. A later registration under the
/// same name replaces it. May be called before main(). Any thread.
void offerService(const std::vector<std::string>& descriptors, const std::string& name,
                  std::function<android::sp<android::hidl::base::V1_0::IBase>()> make);

/// Removes a service from the registry under all its names and interfaces. Existing references stay
/// valid. Returns false if the service was not registered.
bool unregisterService(const android::sp<android::hidl::base::V1_0::IBase>& service);

/// A source of services outside this process. Any thread.
class ServiceSource {
  public:
    virtual ~ServiceSource() = default;

    /// The service, or null.
    virtual android::sp<android::hidl::base::V1_0::IBase> find(const std::string& descriptor,
                                                               const std::string& name) = 0;
    virtual std::vector<std::string> names(const std::string& descriptor) = 0;
};

/// Sets the source in which getService looks for services that this process does not have; null for
/// none. May be called before main(). Any thread.
void setServiceSource(std::shared_ptr<ServiceSource> source);

}  // namespace vnpu::hal

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hidl/base/1.0/IBase.h>
#include <utils/StrongPointer.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace vnpu::hal {

/// Offers a service that is made when it is first asked for: `make` is called once, without a lock,
/// and may return null, which getService then returns (and a later one tries again). `descriptors`
/// are the interfaces under which it is found, as of its interface chain. A service registered
/// under the same name later takes its place. May be called before main(). Any thread.
void offerService(const std::vector<std::string>& descriptors, const std::string& name,
                  std::function<android::sp<android::hidl::base::V1_0::IBase>()> make);

/// Takes a service out of the registry, under every name and interface it has there. Whoever got it
/// before keeps it. False if it was not registered.
bool unregisterService(const android::sp<android::hidl::base::V1_0::IBase>& service);

/// Services beside those of this process. Any thread.
class ServiceSource {
  public:
    virtual ~ServiceSource() = default;

    /// Null if there is none.
    virtual android::sp<android::hidl::base::V1_0::IBase> find(const std::string& descriptor,
                                                               const std::string& name) = 0;
    virtual std::vector<std::string> names(const std::string& descriptor) = 0;
};

/// Where getService looks for what is not registered in this process; null for nowhere. May be
/// called before main(). Any thread.
void setServiceSource(std::shared_ptr<ServiceSource> source);

}  // namespace vnpu::hal

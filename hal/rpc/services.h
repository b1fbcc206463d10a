// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hidl/base/1.0/IBase.h>
#include <utils/StrongPointer.h>

#include <cstdint>
#include <string>
#include <vector>

namespace vnpu::hal::rpc {

/// The services of a process by name. Immutable.
struct Services {
    struct Entry {
        std::string name;
        android::sp<android::hidl::base::V1_0::IBase> object;
        uint16_t interface = 0;          ///< the number of its interface
        std::vector<std::string> chain;  ///< the descriptors of its interfaces
    };
    std::vector<Entry> entries;
};

}  // namespace vnpu::hal::rpc

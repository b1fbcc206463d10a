// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hidl/HidlSupport.h>
#include <vnpu/hal/hidl/declare.h>

#include <cstdint>

namespace android::hidl::base::V1_0 {

VNPU_HIDL_OPERATORS

struct DebugInfo {
    enum class Architecture : int32_t { UNKNOWN = 0, IS_64BIT = 1, IS_32BIT = 2 };

    int32_t pid = 0;   ///< process that serves the interface
    uint64_t ptr = 0;  ///< address of the object there
    Architecture arch = Architecture::UNKNOWN;
};
static_assert(sizeof(DebugInfo) == 24);

constexpr auto enumeratorsOf(DebugInfo::Architecture) {
    using E = DebugInfo::Architecture;
    return hardware::details::enumerators<E>(
            {{E::UNKNOWN, "UNKNOWN"}, {E::IS_64BIT, "IS_64BIT"}, {E::IS_32BIT, "IS_32BIT"}});
}
VNPU_HIDL_FIELDS(DebugInfo, pid, ptr, arch)

}  // namespace android::hidl::base::V1_0

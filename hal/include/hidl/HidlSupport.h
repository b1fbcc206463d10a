// SPDX-License-Identifier: Apache-2.0
#pragma once

// Sources written for this header rely on the headers that it includes on Android.
#include <cutils/native_handle.h>
#include <hidl/HidlInternal.h>
#include <hidl/Status.h>
#include <utils/Errors.h>
#include <utils/RefBase.h>
#include <utils/StrongPointer.h>
#include <vnpu/hal/hidl/description.h>
#include <vnpu/hal/hidl/enumerators.h>
#include <vnpu/hal/hidl/hidl_array.h>
#include <vnpu/hal/hidl/hidl_handle.h>
#include <vnpu/hal/hidl/hidl_memory.h>
#include <vnpu/hal/hidl/hidl_string.h>
#include <vnpu/hal/hidl/hidl_vec.h>
#include <vnpu/hal/hidl/safe_union.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace android::hidl::base::V1_0 {
struct IBase;
}

namespace android::hardware {

/// Notified when a service dies; `cookie` is the argument of linkToDeath.
struct hidl_death_recipient : public virtual RefBase {
    virtual void serviceDied(uint64_t cookie,
                             const wp<::android::hidl::base::V1_0::IBase>& who) = 0;
};

}  // namespace android::hardware

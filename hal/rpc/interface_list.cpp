// SPDX-License-Identifier: Apache-2.0
#include "hal/rpc/interface_list.h"

#include <hidl/HidlSupport.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace vnpu::hal::rpc {

using android::hardware::hidl_string;
using android::hardware::hidl_vec;
using base::IBase;

uint16_t interfaceOf(IBase& object) {
    static const auto descriptors = []<typename... Is>(std::type_identity<std::tuple<Is...>>) {
        return std::array{Is::descriptor...};
    }(std::type_identity<Interfaces>());
    uint16_t number = numberOf<IBase>();
    const auto answer = object.interfaceChain([&](const hidl_vec<hidl_string>& chain) {
        for (const hidl_string& descriptor : chain) {
            const auto found = std::find_if(
                    descriptors.begin(), descriptors.end(),
                    [&](const char* known) { return std::strcmp(known, descriptor.c_str()) == 0; });
            if (found != descriptors.end()) {
                number = static_cast<uint16_t>(found - descriptors.begin());
                return;
            }
        }
    });
    return answer.isOk() ? number : numberOf<IBase>();
}

}  // namespace vnpu::hal::rpc

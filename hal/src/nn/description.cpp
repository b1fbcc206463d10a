// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <vnpu/hal/hidl/description.h>

namespace android::hardware::details {

std::string describeNumber(bool value) {
    return value ? "true" : "false";
}

std::string describeNumber(float value) {
    return fmt::format("{}", value);
}

std::string describeNumber(double value) {
    return fmt::format("{}", value);
}

std::string describeNumber(int64_t value) {
    return fmt::format("{}", value);
}

std::string describeNumber(uint64_t value) {
    return fmt::format("{}", value);
}

std::string describeHex(uint64_t value) {
    return fmt::format("{:#x}", value);
}

std::string describeHandle(const native_handle_t* handle) {
    if (handle == nullptr) {
        return "no handle";
    }
    return fmt::format("handle of {} fds and {} ints", handle->numFds, handle->numInts);
}

std::string describeMemory(const hidl_memory& memory) {
    return fmt::format("{{.name = {}, .size = {}, .handle = {}}}",
                       Printer<hidl_string>::print(memory.name()), memory.size(),
                       describeHandle(memory.handle()));
}

}  // namespace android::hardware::details

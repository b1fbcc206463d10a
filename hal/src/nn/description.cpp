// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <vnpu/hal/hidl/description.h>

#include <string_view>

namespace android::hardware::details {

std::string nameAt(const char* names, size_t index) {
    std::string_view rest = names;
    for (size_t i = 0; i < index; ++i) {
        rest.remove_prefix(rest.find(", ") + 2);
    }
    return std::string(rest.substr(0, rest.find(',')));
}

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

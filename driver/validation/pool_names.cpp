// SPDX-License-Identifier: Apache-2.0
#include "driver/validation/pool_names.h"

#include <vnpu/hal/conversion.h>

#include <string>

#include "driver/validation/broken_rule.h"

namespace vnpu::driver {

namespace {

constexpr std::size_t kShownCharacters = 64;  // chosen: of a client's text in a line of the log

}  // namespace

Result<void> checkPoolName(const android::hardware::hidl_memory& memory, std::size_t index) {
    if (!hal::isPoolName(memory.name(), hal::HalVersion::k13)) {
        return broken(
                "pool {} is a \"{}\", expected ashmem, mmap_fd, hardware_buffer_blob "
                "or hardware_buffer",
                index, std::string(memory.name()).substr(0, kShownCharacters));
    }
    return {};
}

bool isWholeBuffer(const android::hardware::hidl_memory& memory) {
    return memory.name() == "hardware_buffer";
}

}  // namespace vnpu::driver

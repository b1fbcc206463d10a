// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>
#include <vnpu/hal/hardware_buffer.h>

#include <utility>

namespace vnpu::hal {

/// The reason of a refused buffer: a negative errno value and a sentence for the log.
template <typename... Args>
tl::unexpected<HardwareBufferError> bufferFailure(int code, fmt::format_string<Args...> text,
                                                  Args&&... args) {
    return tl::unexpected(
            HardwareBufferError{code, fmt::format(text, std::forward<Args>(args)...)});
}

/// Checks a description without a stride: -EINVAL if Android refuses it, -ENOSYS if it is
/// unsupported here.
HardwareBufferResult<void> checkDescription(const AHardwareBuffer_Desc& desc);

/// Checks the description of a requested buffer and adds the stride.
HardwareBufferResult<AHardwareBuffer_Desc> completeDescription(const AHardwareBuffer_Desc& asked);

/// The layout of a checked description with a stride.
HardwareBufferResult<HardwareBufferLayout> layoutOf(const AHardwareBuffer_Desc& desc);

}  // namespace vnpu::hal

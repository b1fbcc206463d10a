// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>
#include <vnpu/hal/hardware_buffer.h>

#include <utility>

namespace vnpu::hal {

/// Why there is no buffer: an errno value, negative, and a sentence for the log.
template <typename... Args>
tl::unexpected<HardwareBufferError> bufferFailure(int code, fmt::format_string<Args...> text,
                                                  Args&&... args) {
    return tl::unexpected(
            HardwareBufferError{code, fmt::format(text, std::forward<Args>(args)...)});
}

/// Checks a description without its stride: -EINVAL for what Android refuses, -ENOSYS for what is
/// not served here.
HardwareBufferResult<void> checkDescription(const AHardwareBuffer_Desc& desc);

/// The description of the new buffer that is asked for, checked, with its stride.
HardwareBufferResult<AHardwareBuffer_Desc> completeDescription(const AHardwareBuffer_Desc& asked);

/// The layout of a checked description with its stride, of any origin.
HardwareBufferResult<HardwareBufferLayout> layoutOf(const AHardwareBuffer_Desc& desc);

}  // namespace vnpu::hal

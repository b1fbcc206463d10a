// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware_buffer.h>
#include <cutils/native_handle.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <tl/expected.hpp>

namespace vnpu::hal {

/// How a hardware buffer's bytes lie. The rows of all planes and layers follow each other at one
/// distance; YUV 4:2:0 is a plane of Y and then half as many rows of Cb and Cr in turns.
struct HardwareBufferLayout {
    uint32_t bytesPerPixel = 0;  // of YUV, in the plane of Y
    uint32_t strideBytes = 0;    // from a row to the next
    uint64_t rowBytes = 0;       // used at the start of each row
    uint64_t rowCount = 0;       // of all planes and layers
    bool isYuv = false;

    uint64_t sizeBytes() const { return rowCount * strideBytes; }
    /// Bytes without what lies between the rows.
    uint64_t packedBytes() const { return rowCount * rowBytes; }
    bool isPacked() const { return rowBytes == strideBytes; }
};

/// Copies an image's rows between two memories that set them so many bytes apart: strideBytes in
/// the buffer itself, rowBytes where nothing lies between them.
void copyRows(const HardwareBufferLayout& layout, std::byte* to, uint64_t toStride,
              const std::byte* from, uint64_t fromStride);

/// Why there is no such buffer: a negative errno for the caller, a sentence for the log.
struct HardwareBufferError {
    int code = 0;
    std::string reason;
};

template <typename T>
using HardwareBufferResult = tl::expected<T, HardwareBufferError>;

/// What a checked native handle of a hardware buffer says.
struct HardwareBufferInfo {
    AHardwareBuffer_Desc desc{};
    HardwareBufferLayout layout;
    uint64_t id = 0;
    int fd = -1;  // the handle's
};

/// Reads a foreign native handle and checks all of it: counts, every number, and the memory behind
/// it, which has all the bytes and is sealed against losing them from here on. -EINVAL or, where
/// the memory cannot be examined or sealed, what the system said.
[[nodiscard]] HardwareBufferResult<HardwareBufferInfo> decodeHardwareBuffer(
        const native_handle_t* handle);

}  // namespace vnpu::hal

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware_buffer.h>
#include <cutils/native_handle.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <tl/expected.hpp>

namespace vnpu::hal {

/// The memory layout of a hardware buffer. The rows of all planes and layers follow each other with
/// one stride. YUV 4:2:0 is a plane of Y, then half as many rows of interleaved Cb and Cr.
struct HardwareBufferLayout {
    uint32_t bytesPerPixel = 0;  // of the Y plane for YUV
    uint32_t strideBytes = 0;    // between the starts of two rows
    uint64_t rowBytes = 0;       // pixels of a row, without padding
    uint64_t rowCount = 0;       // of all planes and layers
    bool isYuv = false;

    uint64_t sizeBytes() const { return rowCount * strideBytes; }
    /// Size without the padding between rows.
    uint64_t packedBytes() const { return rowCount * rowBytes; }
    bool isPacked() const { return rowBytes == strideBytes; }
};

/// Copies the rows of an image between two memories with the given strides in bytes: strideBytes
/// for the buffer itself, rowBytes for packed memory.
void copyRows(const HardwareBufferLayout& layout, std::byte* to, uint64_t toStride,
              const std::byte* from, uint64_t fromStride);

/// Why a buffer is refused: a negative errno for the caller and a sentence for the log.
struct HardwareBufferError {
    int code = 0;
    std::string reason;
};

template <typename T>
using HardwareBufferResult = tl::expected<T, HardwareBufferError>;

/// The contents of a checked native handle of a hardware buffer.
struct HardwareBufferInfo {
    AHardwareBuffer_Desc desc{};
    HardwareBufferLayout layout;
    uint64_t id = 0;
    int fd = -1;  // the handle's
};

/// Reads and checks an untrusted native handle: its counts, every number, and its memory, which
/// must hold all bytes and is sealed against shrinking. Fails with -EINVAL, or with the errno of
/// the system if the memory cannot be examined or sealed.
[[nodiscard]] HardwareBufferResult<HardwareBufferInfo> decodeHardwareBuffer(
        const native_handle_t* handle);

}  // namespace vnpu::hal

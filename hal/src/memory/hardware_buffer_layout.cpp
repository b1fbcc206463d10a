// SPDX-License-Identifier: Apache-2.0
#include "hal/src/memory/hardware_buffer_layout.h"

#include <vndk/hardware_buffer.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <limits>
#include <numeric>
#include <utility>

#include "hal/src/try.h"

namespace vnpu::hal {
namespace {

struct Format {
    uint32_t value;
    uint32_t bytesPerPixel;  // 0: known to Android, unsupported here
};

// source: the Vulkan formats that the NDK names for each. D32_FLOAT_S8_UINT uses the 64 bits that
// VK_FORMAT_D32_SFLOAT_S8_UINT may take, so that the depth stays aligned.
constexpr Format kFormats[] = {
        {AHARDWAREBUFFER_FORMAT_R8G8B8A8_UNORM, 4},
        {AHARDWAREBUFFER_FORMAT_R8G8B8X8_UNORM, 4},
        {AHARDWAREBUFFER_FORMAT_R8G8B8_UNORM, 3},
        {AHARDWAREBUFFER_FORMAT_R5G6B5_UNORM, 2},
        {AHARDWAREBUFFER_FORMAT_R16G16B16A16_FLOAT, 8},
        {AHARDWAREBUFFER_FORMAT_BLOB, 1},
        {AHARDWAREBUFFER_FORMAT_Y8Cb8Cr8_420, 1},
        {AHARDWAREBUFFER_FORMAT_R10G10B10A2_UNORM, 4},
        {AHARDWAREBUFFER_FORMAT_D16_UNORM, 2},
        {AHARDWAREBUFFER_FORMAT_D24_UNORM, 4},
        {AHARDWAREBUFFER_FORMAT_D24_UNORM_S8_UINT, 4},
        {AHARDWAREBUFFER_FORMAT_D32_FLOAT, 4},
        {AHARDWAREBUFFER_FORMAT_D32_FLOAT_S8_UINT, 8},
        {AHARDWAREBUFFER_FORMAT_S8_UINT, 1},
        {AHARDWAREBUFFER_FORMAT_B8G8R8A8_UNORM, 4},
        {AHARDWAREBUFFER_FORMAT_YCbCr_422_SP, 0},
        {AHARDWAREBUFFER_FORMAT_YCrCb_420_SP, 0},
        {AHARDWAREBUFFER_FORMAT_YCbCr_422_I, 0},
        {AHARDWAREBUFFER_FORMAT_RAW16, 0},
        {AHARDWAREBUFFER_FORMAT_IMPLEMENTATION_DEFINED, 0},
        {AHARDWAREBUFFER_FORMAT_RAW_OPAQUE, 0},
        {AHARDWAREBUFFER_FORMAT_RAW10, 0},
        {AHARDWAREBUFFER_FORMAT_RAW12, 0},
        {AHARDWAREBUFFER_FORMAT_Y8, 0},
        {AHARDWAREBUFFER_FORMAT_Y16, 0},
        {AHARDWAREBUFFER_FORMAT_YV12, 0},
};

// chosen: a cache line, a common requirement of image units
constexpr uint32_t kRowAlignmentBytes = 64;
// chosen: the range of the width of a BLOB
constexpr uint64_t kMaxSizeBytes = std::numeric_limits<uint32_t>::max();

constexpr uint64_t kCpuUsage =
        AHARDWAREBUFFER_USAGE_CPU_READ_MASK | AHARDWAREBUFFER_USAGE_CPU_WRITE_MASK;
constexpr uint64_t kMipmapOrCubeMap =
        AHARDWAREBUFFER_USAGE_GPU_MIPMAP_COMPLETE | AHARDWAREBUFFER_USAGE_GPU_CUBE_MAP;
constexpr uint64_t kNotOfBlob = kMipmapOrCubeMap | AHARDWAREBUFFER_USAGE_GPU_SAMPLED_IMAGE |
                                AHARDWAREBUFFER_USAGE_GPU_FRAMEBUFFER |
                                AHARDWAREBUFFER_USAGE_VIDEO_ENCODE;
constexpr uint64_t kOnlyOfBlob =
        AHARDWAREBUFFER_USAGE_SENSOR_DIRECT_DATA | AHARDWAREBUFFER_USAGE_GPU_DATA_BUFFER;

const Format* findFormat(uint32_t value) {
    const auto* const found = std::find_if(std::begin(kFormats), std::end(kFormats),
                                           [&](const Format& f) { return f.value == value; });
    return found == std::end(kFormats) ? nullptr : found;
}

bool isYuv(uint32_t format) {
    return format == AHARDWAREBUFFER_FORMAT_Y8Cb8Cr8_420;
}

HardwareBufferResult<void> checkShape(const AHardwareBuffer_Desc& desc) {
    if (desc.width == 0 || desc.height == 0 || desc.layers == 0) {
        return bufferFailure(-EINVAL, "{} x {} pixels in {} layers are none", desc.width,
                             desc.height, desc.layers);
    }
    if (desc.format == AHARDWAREBUFFER_FORMAT_BLOB && (desc.height != 1 || desc.layers != 1)) {
        return bufferFailure(-EINVAL, "a BLOB has height {} and {} layers, expected 1 and 1",
                             desc.height, desc.layers);
    }
    if (isYuv(desc.format) && (desc.width % 2 != 0 || desc.height % 2 != 0 || desc.layers != 1)) {
        return bufferFailure(
                -EINVAL,
                "YUV 4:2:0 of {} x {} pixels in {} layers, expected even sizes and 1 layer",
                desc.width, desc.height, desc.layers);
    }
    if ((desc.usage & AHARDWAREBUFFER_USAGE_GPU_CUBE_MAP) != 0 &&
        (desc.width != desc.height || desc.layers % 6 != 0)) {
        return bufferFailure(-EINVAL,
                             "a cube map of {} x {} pixels in {} layers, expected squares by six",
                             desc.width, desc.height, desc.layers);
    }
    return {};
}

HardwareBufferResult<void> checkUsage(const AHardwareBuffer_Desc& desc) {
    uint64_t refused = kOnlyOfBlob;
    if (desc.format == AHARDWAREBUFFER_FORMAT_BLOB) {
        refused = kNotOfBlob;
    } else if (isYuv(desc.format)) {
        refused |= kMipmapOrCubeMap;
    }
    if ((desc.usage & refused) != 0) {
        return bufferFailure(-EINVAL, "format {:#x} does not go with usage {:#x}", desc.format,
                             desc.usage & refused);
    }
    if ((desc.usage & AHARDWAREBUFFER_USAGE_PROTECTED_CONTENT) != 0) {
        return (desc.usage & kCpuUsage) != 0
                       ? bufferFailure(-EINVAL,
                                       "protected content does not go with the CPU's usage")
                       : bufferFailure(-ENOSYS, "no memory here is protected");
    }
    if ((desc.usage & AHARDWAREBUFFER_USAGE_GPU_MIPMAP_COMPLETE) != 0) {
        return bufferFailure(-ENOSYS, "mipmaps have no place here");
    }
    return {};
}

}  // namespace

HardwareBufferResult<void> checkDescription(const AHardwareBuffer_Desc& desc) {
    const Format* const format = findFormat(desc.format);
    if (format == nullptr) {
        return bufferFailure(-EINVAL, "format {:#x} is none", desc.format);
    }
    if (desc.rfu0 != 0 || desc.rfu1 != 0) {
        return bufferFailure(-EINVAL, "the reserved fields are {} and {}, expected 0", desc.rfu0,
                             desc.rfu1);
    }
    if (auto checked = checkShape(desc); !checked) {
        return checked;
    }
    if (auto checked = checkUsage(desc); !checked) {
        return checked;
    }
    if (format->bytesPerPixel == 0) {
        return bufferFailure(-ENOSYS, "format {:#x} is not served", desc.format);
    }
    return {};
}

HardwareBufferResult<AHardwareBuffer_Desc> completeDescription(const AHardwareBuffer_Desc& asked) {
    VNPU_TRY(checkDescription(asked));
    AHardwareBuffer_Desc desc = asked;
    desc.stride = desc.width;
    if (desc.format != AHARDWAREBUFFER_FORMAT_BLOB) {
        const uint32_t bytesPerPixel = findFormat(desc.format)->bytesPerPixel;
        const uint64_t pixels = kRowAlignmentBytes / std::gcd(kRowAlignmentBytes, bytesPerPixel);
        const uint64_t stride = (desc.width + pixels - 1) / pixels * pixels;
        if (stride > std::numeric_limits<uint32_t>::max()) {
            return bufferFailure(-ENOSYS, "rows of {} pixels are too long", desc.width);
        }
        desc.stride = static_cast<uint32_t>(stride);
    }
    VNPU_TRY(layoutOf(desc));
    return desc;
}

HardwareBufferResult<HardwareBufferLayout> layoutOf(const AHardwareBuffer_Desc& desc) {
    if (desc.stride < desc.width) {
        return bufferFailure(-EINVAL, "the stride is {}, less than the {} pixels of a row",
                             desc.stride, desc.width);
    }
    if (desc.format == AHARDWAREBUFFER_FORMAT_BLOB && desc.stride != desc.width) {
        return bufferFailure(-EINVAL, "a BLOB of {} bytes has stride {}", desc.width, desc.stride);
    }
    if (isYuv(desc.format) && desc.stride % 2 != 0) {
        return bufferFailure(-EINVAL, "YUV 4:2:0 has the odd stride {}", desc.stride);
    }
    const uint32_t bytesPerPixel = findFormat(desc.format)->bytesPerPixel;
    const uint64_t strideBytes = uint64_t{desc.stride} * bytesPerPixel;
    // 32 bits times 32 bits. YUV adds half of that but has only one layer, so nothing overflows.
    const uint64_t imageRows = uint64_t{desc.height} * desc.layers;
    const uint64_t rowCount = isYuv(desc.format) ? imageRows + imageRows / 2 : imageRows;
    if (rowCount > kMaxSizeBytes / strideBytes) {
        return bufferFailure(-ENOSYS, "{} rows of {} bytes are more than {} bytes", rowCount,
                             strideBytes, kMaxSizeBytes);
    }
    return HardwareBufferLayout{.bytesPerPixel = bytesPerPixel,
                                .strideBytes = static_cast<uint32_t>(strideBytes),
                                .rowBytes = uint64_t{desc.width} * bytesPerPixel,
                                .rowCount = rowCount,
                                .isYuv = isYuv(desc.format)};
}

void copyRows(const HardwareBufferLayout& layout, std::byte* to, uint64_t toStride,
              const std::byte* from, uint64_t fromStride) {
    for (uint64_t row = 0; row < layout.rowCount; ++row) {
        std::memcpy(to + row * toStride, from + row * fromStride, layout.rowBytes);
    }
}

}  // namespace vnpu::hal

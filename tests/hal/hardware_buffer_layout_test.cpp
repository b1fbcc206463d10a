// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <vndk/hardware_buffer.h>
#include <vnpu/hal/hardware_buffer.h>

#include <cerrno>
#include <cstddef>
#include <vector>

#include "tests/hal/hardware_buffer_support.h"

namespace {

using vnpu::hal::decodeHardwareBuffer;
using vnpu::hal::test::BufferPtr;
using vnpu::hal::test::describeBlob;
using vnpu::hal::test::describeImage;
using vnpu::hal::test::descriptionOf;
using vnpu::hal::test::makeBuffer;

int allocationOf(const AHardwareBuffer_Desc& desc) {
    AHardwareBuffer* buffer = nullptr;
    const int result = AHardwareBuffer_allocate(&desc, &buffer);
    AHardwareBuffer_release(buffer);
    return result;
}

TEST_SUITE_BEGIN("hal/hardware_buffer_layout");

// The layout of Android's structures on 64 bits: four words, a double word, two words, a double
// word; a pointer and two words; a word, its padding, and four planes.
static_assert(sizeof(AHardwareBuffer_Desc) == 40);
static_assert(offsetof(AHardwareBuffer_Desc, usage) == 16);
static_assert(offsetof(AHardwareBuffer_Desc, stride) == 24);
static_assert(offsetof(AHardwareBuffer_Desc, rfu1) == 32);
static_assert(sizeof(AHardwareBuffer_Plane) == 16);
static_assert(sizeof(AHardwareBuffer_Planes) == 72);
static_assert(sizeof(ARect) == 16);

TEST_CASE("every format has rows of whole pixels on 64 byte boundaries [MP-5]") {
    // Rows of 17 pixels. Hand calculation: pixels up to the next multiple of 64 bytes, times bytes
    // per pixel, times 6 rows (6 and 3 for YUV).
    struct Expected {
        uint32_t format;
        uint32_t stride;
        uint32_t bytesPerPixel;
        uint64_t sizeBytes;
    };
    const std::vector<Expected> table = {
            {AHARDWAREBUFFER_FORMAT_R8G8B8A8_UNORM, 32, 4, 768},
            {AHARDWAREBUFFER_FORMAT_R8G8B8X8_UNORM, 32, 4, 768},
            {AHARDWAREBUFFER_FORMAT_B8G8R8A8_UNORM, 32, 4, 768},
            {AHARDWAREBUFFER_FORMAT_R8G8B8_UNORM, 64, 3, 1152},
            {AHARDWAREBUFFER_FORMAT_R5G6B5_UNORM, 32, 2, 384},
            {AHARDWAREBUFFER_FORMAT_R16G16B16A16_FLOAT, 24, 8, 1152},
            {AHARDWAREBUFFER_FORMAT_R10G10B10A2_UNORM, 32, 4, 768},
            {AHARDWAREBUFFER_FORMAT_D16_UNORM, 32, 2, 384},
            {AHARDWAREBUFFER_FORMAT_D24_UNORM, 32, 4, 768},
            {AHARDWAREBUFFER_FORMAT_D24_UNORM_S8_UINT, 32, 4, 768},
            {AHARDWAREBUFFER_FORMAT_D32_FLOAT, 32, 4, 768},
            {AHARDWAREBUFFER_FORMAT_D32_FLOAT_S8_UINT, 24, 8, 1152},
            {AHARDWAREBUFFER_FORMAT_S8_UINT, 64, 1, 384},
    };
    for (const Expected& expected : table) {
        CAPTURE(expected.format);
        const AHardwareBuffer_Desc desc = describeImage(expected.format, 17, 6);
        CHECK(AHardwareBuffer_isSupported(&desc) == 1);
        const BufferPtr buffer = makeBuffer(desc);
        CHECK(descriptionOf(buffer).stride == expected.stride);
        const auto info = decodeHardwareBuffer(AHardwareBuffer_getNativeHandle(buffer.get()));
        REQUIRE(info);
        CHECK(info->layout.bytesPerPixel == expected.bytesPerPixel);
        CHECK(info->layout.rowBytes == 17 * expected.bytesPerPixel);
        CHECK(info->layout.sizeBytes() == expected.sizeBytes);
        CHECK(info->layout.packedBytes() == 17 * 6 * expected.bytesPerPixel);
        CHECK_FALSE(info->layout.isPacked());
    }
}

TEST_CASE("a BLOB has its width in bytes and nothing between [MP-5]") {
    const BufferPtr buffer = makeBuffer(describeBlob(1001));
    CHECK(descriptionOf(buffer).stride == 1001);
    const auto info = decodeHardwareBuffer(AHardwareBuffer_getNativeHandle(buffer.get()));
    REQUIRE(info);
    CHECK(info->layout.sizeBytes() == 1001);
    CHECK(info->layout.isPacked());
}

TEST_CASE("YUV 4:2:0 has half as many rows of chroma as of luma [MP-5]") {
    const BufferPtr buffer = makeBuffer(describeImage(AHARDWAREBUFFER_FORMAT_Y8Cb8Cr8_420, 66, 4));
    CHECK(descriptionOf(buffer).stride == 128);
    const auto info = decodeHardwareBuffer(AHardwareBuffer_getNativeHandle(buffer.get()));
    REQUIRE(info);
    CHECK(info->layout.isYuv);
    CHECK(info->layout.rowCount == 6);  // 4 of Y, 2 of Cb and Cr
    CHECK(info->layout.sizeBytes() == 768);
    CHECK(info->layout.packedBytes() == 396);  // 66 x 4 pixels times 12 bits
}

TEST_CASE("rows that end on a boundary are not lengthened [MP-5]") {
    CHECK(descriptionOf(makeBuffer(describeImage(AHARDWAREBUFFER_FORMAT_R8G8B8A8_UNORM, 16, 2)))
                  .stride == 16);
    CHECK(descriptionOf(makeBuffer(describeImage(AHARDWAREBUFFER_FORMAT_R8G8B8_UNORM, 64, 2)))
                  .stride == 64);
}

TEST_CASE("layers follow each other [MP-5]") {
    AHardwareBuffer_Desc desc = describeImage(AHARDWAREBUFFER_FORMAT_R8G8B8A8_UNORM, 16, 2);
    desc.layers = 3;
    const BufferPtr buffer = makeBuffer(desc);
    const auto info = decodeHardwareBuffer(AHardwareBuffer_getNativeHandle(buffer.get()));
    REQUIRE(info);
    CHECK(info->layout.rowCount == 6);
    CHECK(info->layout.sizeBytes() == 384);
}

TEST_CASE("descriptions that Android refuses are invalid [MP-5]") {
    const AHardwareBuffer_Desc image = describeImage(AHARDWAREBUFFER_FORMAT_R8G8B8A8_UNORM, 12, 12);
    const AHardwareBuffer_Desc blob = describeBlob(64);
    const AHardwareBuffer_Desc yuv = describeImage(AHARDWAREBUFFER_FORMAT_Y8Cb8Cr8_420, 8, 8);
    struct Mutation {
        const char* what;
        AHardwareBuffer_Desc desc;
        void (*mutate)(AHardwareBuffer_Desc&);
    };
    const std::vector<Mutation> table = {
            {"no width", image, [](auto& d) { d.width = 0; }},
            {"no height", image, [](auto& d) { d.height = 0; }},
            {"no layers", image, [](auto& d) { d.layers = 0; }},
            {"format 0", image, [](auto& d) { d.format = 0; }},
            {"unknown format", image, [](auto& d) { d.format = 6; }},
            {"rfu0", image, [](auto& d) { d.rfu0 = 1; }},
            {"rfu1", image, [](auto& d) { d.rfu1 = 1; }},
            {"blob of two rows", blob, [](auto& d) { d.height = 2; }},
            {"blob of two layers", blob, [](auto& d) { d.layers = 2; }},
            {"sampled blob", blob,
             [](auto& d) { d.usage |= AHARDWAREBUFFER_USAGE_GPU_SAMPLED_IMAGE; }},
            {"framebuffer blob", blob,
             [](auto& d) { d.usage |= AHARDWAREBUFFER_USAGE_GPU_FRAMEBUFFER; }},
            {"encoded blob", blob, [](auto& d) { d.usage |= AHARDWAREBUFFER_USAGE_VIDEO_ENCODE; }},
            {"mipmapped blob", blob,
             [](auto& d) { d.usage |= AHARDWAREBUFFER_USAGE_GPU_MIPMAP_COMPLETE; }},
            {"odd width of YUV", yuv, [](auto& d) { d.width = 7; }},
            {"odd height of YUV", yuv, [](auto& d) { d.height = 7; }},
            {"layers of YUV", yuv, [](auto& d) { d.layers = 2; }},
            {"mipmapped YUV", yuv,
             [](auto& d) { d.usage |= AHARDWAREBUFFER_USAGE_GPU_MIPMAP_COMPLETE; }},
            {"sensor's image", image,
             [](auto& d) { d.usage |= AHARDWAREBUFFER_USAGE_SENSOR_DIRECT_DATA; }},
            {"data buffer of pixels", image,
             [](auto& d) { d.usage |= AHARDWAREBUFFER_USAGE_GPU_DATA_BUFFER; }},
            {"protected and read", image,
             [](auto& d) { d.usage |= AHARDWAREBUFFER_USAGE_PROTECTED_CONTENT; }},
            {"cube of one layer", image,
             [](auto& d) { d.usage |= AHARDWAREBUFFER_USAGE_GPU_CUBE_MAP; }},
            {"cube of no squares", image,
             [](auto& d) {
                 d.usage |= AHARDWAREBUFFER_USAGE_GPU_CUBE_MAP;
                 d.layers = 6;
                 d.width = 13;
             }},
    };
    for (const Mutation& mutation : table) {
        CAPTURE(mutation.what);
        AHardwareBuffer_Desc desc = mutation.desc;
        CHECK(AHardwareBuffer_isSupported(&desc) == 1);
        mutation.mutate(desc);
        CHECK(AHardwareBuffer_isSupported(&desc) == 0);
        CHECK(allocationOf(desc) == -EINVAL);
    }
}

TEST_CASE("a cube map has six squares, a data buffer is a BLOB [MP-5]") {
    AHardwareBuffer_Desc cube = describeImage(AHARDWAREBUFFER_FORMAT_R8G8B8A8_UNORM, 12, 12);
    cube.usage |= AHARDWAREBUFFER_USAGE_GPU_CUBE_MAP;
    cube.layers = 6;
    CHECK(AHardwareBuffer_isSupported(&cube) == 1);
    AHardwareBuffer_Desc blob = describeBlob(64);
    blob.usage |= AHARDWAREBUFFER_USAGE_GPU_DATA_BUFFER | AHARDWAREBUFFER_USAGE_SENSOR_DIRECT_DATA;
    CHECK(AHardwareBuffer_isSupported(&blob) == 1);
}

TEST_CASE("a valid but unsupported description is reported as such [MP-5]") {
    AHardwareBuffer_Desc desc = describeImage(AHARDWAREBUFFER_FORMAT_YV12, 16, 16);
    CHECK(AHardwareBuffer_isSupported(&desc) == 0);
    CHECK(allocationOf(desc) == -ENOSYS);
    desc = describeImage(AHARDWAREBUFFER_FORMAT_R8G8B8A8_UNORM, 16, 16);
    desc.usage = AHARDWAREBUFFER_USAGE_PROTECTED_CONTENT;
    CHECK(allocationOf(desc) == -ENOSYS);
    desc.usage = AHARDWAREBUFFER_USAGE_GPU_MIPMAP_COMPLETE;
    CHECK(allocationOf(desc) == -ENOSYS);
}

TEST_CASE("sizes that overflow are not served") {
    struct Size {
        uint32_t width;
        uint32_t height;
        uint32_t layers;
    };
    const std::vector<Size> table = {
            {UINT32_MAX, 1, 1},  {UINT32_MAX, UINT32_MAX, UINT32_MAX},
            {16, UINT32_MAX, 1}, {16, 1 << 16, 1 << 16},
            {1 << 30, 1, 1},  // times 4 bytes: one byte more than a BLOB can have
            {1 << 28, 4, 1},  // the same
    };
    for (const Size& size : table) {
        AHardwareBuffer_Desc desc =
                describeImage(AHARDWAREBUFFER_FORMAT_R8G8B8A8_UNORM, size.width, size.height);
        desc.layers = size.layers;
        CAPTURE(size.width);
        CAPTURE(size.height);
        CHECK(AHardwareBuffer_isSupported(&desc) == 0);
        CHECK(allocationOf(desc) == -ENOSYS);
    }
    const AHardwareBuffer_Desc blob = describeBlob(UINT32_MAX);
    CHECK(AHardwareBuffer_isSupported(&blob) == 1);
    const AHardwareBuffer_Desc yuv =
            describeImage(AHARDWAREBUFFER_FORMAT_Y8Cb8Cr8_420, UINT32_MAX - 1, 2);
    CHECK(AHardwareBuffer_isSupported(&yuv) == 0);
}

TEST_SUITE_END();

}  // namespace

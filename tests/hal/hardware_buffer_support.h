// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <doctest/doctest.h>
#include <vndk/hardware_buffer.h>

#include <cstdint>
#include <memory>

namespace vnpu::hal::test {

struct BufferReleaser {
    void operator()(AHardwareBuffer* buffer) const { AHardwareBuffer_release(buffer); }
};

/// One reference to a buffer.
using BufferPtr = std::unique_ptr<AHardwareBuffer, BufferReleaser>;

constexpr uint64_t kReadAndWrite =
        AHARDWAREBUFFER_USAGE_CPU_READ_OFTEN | AHARDWAREBUFFER_USAGE_CPU_WRITE_OFTEN;

inline AHardwareBuffer_Desc describeImage(uint32_t format, uint32_t width, uint32_t height) {
    AHardwareBuffer_Desc desc{};
    desc.width = width;
    desc.height = height;
    desc.layers = 1;
    desc.format = format;
    desc.usage = kReadAndWrite;
    return desc;
}

inline AHardwareBuffer_Desc describeBlob(uint32_t sizeBytes) {
    return describeImage(AHARDWAREBUFFER_FORMAT_BLOB, sizeBytes, 1);
}

inline BufferPtr makeBuffer(const AHardwareBuffer_Desc& desc) {
    AHardwareBuffer* buffer = nullptr;
    REQUIRE(AHardwareBuffer_allocate(&desc, &buffer) == 0);
    return BufferPtr(buffer);
}

inline AHardwareBuffer_Desc descriptionOf(const BufferPtr& buffer) {
    AHardwareBuffer_Desc desc{};
    AHardwareBuffer_describe(buffer.get(), &desc);
    return desc;
}

/// The bytes of a buffer that no test has locked.
inline uint8_t* bytesOf(const BufferPtr& buffer) {
    void* address = nullptr;
    REQUIRE(AHardwareBuffer_lock(buffer.get(), kReadAndWrite, -1, nullptr, &address) == 0);
    REQUIRE(AHardwareBuffer_unlock(buffer.get(), nullptr) == 0);
    return static_cast<uint8_t*>(address);
}

/// 20 x 4 pixels of 4 bytes.
inline BufferPtr makeImage() {
    return makeBuffer(describeImage(AHARDWAREBUFFER_FORMAT_R8G8B8A8_UNORM, 20, 4));
}

}  // namespace vnpu::hal::test

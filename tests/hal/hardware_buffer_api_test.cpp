// SPDX-License-Identifier: Apache-2.0
#include <android-base/unique_fd.h>
#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/eventfd.h>
#include <unistd.h>
#include <vndk/hardware_buffer.h>

#include <atomic>
#include <cerrno>
#include <thread>
#include <vector>

#include "tests/hal/hardware_buffer_support.h"

namespace {

using android::base::unique_fd;
using vnpu::hal::test::BufferPtr;
using vnpu::hal::test::describeBlob;
using vnpu::hal::test::describeImage;
using vnpu::hal::test::kReadAndWrite;
using vnpu::hal::test::makeBuffer;

constexpr uint64_t kRead = AHARDWAREBUFFER_USAGE_CPU_READ_RARELY;
constexpr uint64_t kWrite = AHARDWAREBUFFER_USAGE_CPU_WRITE_RARELY;

int lock(const BufferPtr& buffer, uint64_t usage, const ARect* rect = nullptr, int fence = -1) {
    void* address = nullptr;
    return AHardwareBuffer_lock(buffer.get(), usage, fence, rect, &address);
}

bool isOpen(int fd) {
    return fcntl(fd, F_GETFD) >= 0;
}

TEST_SUITE_BEGIN("hal/hardware_buffer_api");

TEST_CASE("a lock shows what an earlier one wrote") {
    const BufferPtr buffer = makeImage();
    void* address = nullptr;
    REQUIRE(AHardwareBuffer_lock(buffer.get(), kWrite, -1, nullptr, &address) == 0);
    static_cast<uint8_t*>(address)[3 * 128 + 79] = 9;  // the last byte of the last pixel
    CHECK(AHardwareBuffer_unlock(buffer.get(), nullptr) == 0);
    REQUIRE(AHardwareBuffer_lock(buffer.get(), kRead, -1, nullptr, &address) == 0);
    CHECK(static_cast<uint8_t*>(address)[3 * 128 + 79] == 9);
    CHECK(AHardwareBuffer_unlock(buffer.get(), nullptr) == 0);
}

TEST_CASE("only usage of the CPU that the buffer was created with can lock") {
    const BufferPtr both = makeImage();
    CHECK(lock(both, 0) == -EINVAL);
    CHECK(lock(both, kRead | AHARDWAREBUFFER_USAGE_GPU_SAMPLED_IMAGE) == -EINVAL);
    CHECK(lock(both, uint64_t{1} << 63) == -EINVAL);

    AHardwareBuffer_Desc desc = describeImage(AHARDWAREBUFFER_FORMAT_R8G8B8A8_UNORM, 20, 4);
    desc.usage = kRead;
    const BufferPtr readable = makeBuffer(desc);
    CHECK(lock(readable, kWrite) == -EINVAL);
    CHECK(lock(readable, kRead | kWrite) == -EINVAL);
    CHECK(lock(readable, kRead) == 0);
    desc.usage = kWrite;
    const BufferPtr writable = makeBuffer(desc);
    CHECK(lock(writable, kRead) == -EINVAL);
    CHECK(lock(writable, kWrite) == 0);
    desc.usage = 0;
    CHECK(lock(makeBuffer(desc), kRead) == -EINVAL);
}

TEST_CASE("null and several layers are invalid") {
    const BufferPtr buffer = makeImage();
    void* address = nullptr;
    AHardwareBuffer_Planes planes{};
    CHECK(AHardwareBuffer_lock(nullptr, kRead, -1, nullptr, &address) == -EINVAL);
    CHECK(AHardwareBuffer_lock(buffer.get(), kRead, -1, nullptr, nullptr) == -EINVAL);
    CHECK(AHardwareBuffer_lockPlanes(nullptr, kRead, -1, nullptr, &planes) == -EINVAL);
    CHECK(AHardwareBuffer_lockPlanes(buffer.get(), kRead, -1, nullptr, nullptr) == -EINVAL);
    CHECK(AHardwareBuffer_lockAndGetInfo(nullptr, kRead, -1, nullptr, &address, nullptr, nullptr) ==
          -EINVAL);
    AHardwareBuffer_Desc desc = describeImage(AHARDWAREBUFFER_FORMAT_R8G8B8A8_UNORM, 20, 4);
    desc.layers = 2;
    CHECK(lock(makeBuffer(desc), kRead) == -EINVAL);
}

TEST_CASE("a rectangle lies within the pixels") {
    const BufferPtr buffer = makeImage();  // 20 x 4
    const std::vector<ARect> within = {{0, 0, 20, 4}, {19, 3, 20, 4}, {0, 0, 0, 0}};
    for (const ARect& rect : within) {
        CHECK(lock(buffer, kRead, &rect) == 0);
    }
    const std::vector<ARect> beyond = {{-1, 0, 20, 4},       {0, -1, 20, 4},       {0, 0, 21, 4},
                                       {0, 0, 20, 5},        {5, 0, 4, 4},         {0, 2, 20, 1},
                                       {0, 0, INT32_MAX, 4}, {INT32_MIN, 0, 20, 4}};
    for (const ARect& rect : beyond) {
        CHECK(lock(buffer, kRead, &rect) == -EINVAL);
    }
}

TEST_CASE("many may read an image at once, but one alone may write") {
    const BufferPtr buffer = makeImage();
    CHECK(lock(buffer, kRead) == 0);
    CHECK(lock(buffer, kRead) == 0);
    CHECK(lock(buffer, kWrite) == -EBUSY);
    CHECK(AHardwareBuffer_unlock(buffer.get(), nullptr) == 0);
    CHECK(lock(buffer, kWrite) == -EBUSY);
    CHECK(AHardwareBuffer_unlock(buffer.get(), nullptr) == 0);
    CHECK(lock(buffer, kWrite) == 0);
    CHECK(lock(buffer, kRead) == -EBUSY);
    CHECK(lock(buffer, kWrite) == -EBUSY);
    CHECK(AHardwareBuffer_unlock(buffer.get(), nullptr) == 0);
    CHECK(lock(buffer, kRead) == 0);
}

TEST_CASE("a BLOB is shared memory: any number of locks of any kind") {
    const BufferPtr buffer = makeBuffer(describeBlob(64));
    for (int i = 0; i < 3; ++i) {
        CHECK(lock(buffer, kReadAndWrite) == 0);
    }
    for (int i = 0; i < 3; ++i) {
        CHECK(AHardwareBuffer_unlock(buffer.get(), nullptr) == 0);
    }
    CHECK(AHardwareBuffer_unlock(buffer.get(), nullptr) == -EINVAL);
}

TEST_CASE("unlocking an unlocked buffer is refused; unlocking completes at once") {
    const BufferPtr buffer = makeImage();
    CHECK(AHardwareBuffer_unlock(nullptr, nullptr) == -EINVAL);
    CHECK(AHardwareBuffer_unlock(buffer.get(), nullptr) == -EINVAL);
    REQUIRE(lock(buffer, kRead) == 0);
    int32_t fence = 99;
    CHECK(AHardwareBuffer_unlock(buffer.get(), &fence) == 0);
    CHECK(fence == -1);
    CHECK(AHardwareBuffer_unlock(buffer.get(), nullptr) == -EINVAL);
}

TEST_CASE("a lock waits for its fence, and closes it [Q-6]") {
    const BufferPtr buffer = makeImage();
    const int fence = eventfd(0, EFD_CLOEXEC);
    const unique_fd signal(fcntl(fence, F_DUPFD_CLOEXEC, 0));
    std::atomic<bool> isLocked{false};
    int result = -1;
    std::thread locker([&] {
        result = lock(buffer, kRead, nullptr, fence);
        isLocked = true;
    });
    for (int turn = 0; turn < 2000 && !isLocked; ++turn) {
        std::this_thread::yield();
    }
    CHECK_FALSE(isLocked);
    const uint64_t one = 1;
    REQUIRE(write(signal.get(), &one, sizeof(one)) == sizeof(one));
    locker.join();
    CHECK(result == 0);
    CHECK_FALSE(isOpen(fence));
}

TEST_CASE("a fence stays the caller's when an argument is wrong, and must be a fence") {
    const BufferPtr buffer = makeImage();
    const unique_fd fence(eventfd(1, EFD_CLOEXEC));
    CHECK(lock(buffer, 0, nullptr, fence.get()) == -EINVAL);
    CHECK(isOpen(fence.get()));
    const int closed = fcntl(fence.get(), F_DUPFD_CLOEXEC, 0);
    close(closed);
    CHECK(lock(buffer, kRead, nullptr, closed) == -EIO);
    CHECK(AHardwareBuffer_unlock(buffer.get(), nullptr) == -EINVAL);  // it was not locked
}

TEST_CASE("an image has one plane with its strides [MP-5]") {
    const BufferPtr buffer = makeImage();
    AHardwareBuffer_Planes planes{};
    REQUIRE(AHardwareBuffer_lockPlanes(buffer.get(), kWrite, -1, nullptr, &planes) == 0);
    CHECK(planes.planeCount == 1);
    CHECK(planes.planes[0].pixelStride == 4);
    CHECK(planes.planes[0].rowStride == 128);
    CHECK(planes.planes[1].data == nullptr);
    CHECK(AHardwareBuffer_lockPlanes(buffer.get(), kWrite, -1, nullptr, &planes) == -EBUSY);
    CHECK(planes.planeCount == 0);
}

TEST_CASE("YUV has planes of Y, Cb and Cr [MP-5]") {
    const BufferPtr buffer = makeBuffer(describeImage(AHARDWAREBUFFER_FORMAT_Y8Cb8Cr8_420, 66, 4));
    AHardwareBuffer_Planes planes{};
    REQUIRE(AHardwareBuffer_lockPlanes(buffer.get(), kWrite, -1, nullptr, &planes) == 0);
    REQUIRE(planes.planeCount == 3);
    auto* const y = static_cast<uint8_t*>(planes.planes[0].data);
    CHECK(planes.planes[0].pixelStride == 1);
    CHECK(planes.planes[0].rowStride == 128);
    CHECK(planes.planes[1].data == y + 512);  // after 4 rows
    CHECK(planes.planes[1].pixelStride == 2);
    CHECK(planes.planes[1].rowStride == 128);
    CHECK(planes.planes[2].data == y + 513);
    CHECK(planes.planes[2].pixelStride == 2);
    CHECK(planes.planes[2].rowStride == 128);
}

TEST_CASE("lockAndGetInfo returns the bytes of pixel and row if there is only one plane") {
    const BufferPtr buffer = makeImage();
    void* address = nullptr;
    int32_t bytesPerPixel = 0;
    int32_t bytesPerStride = 0;
    REQUIRE(AHardwareBuffer_lockAndGetInfo(buffer.get(), kWrite, -1, nullptr, &address,
                                           &bytesPerPixel, &bytesPerStride) == 0);
    CHECK(address != nullptr);
    CHECK(bytesPerPixel == 4);
    CHECK(bytesPerStride == 128);
    CHECK(AHardwareBuffer_lockAndGetInfo(buffer.get(), kWrite, -1, nullptr, &address,
                                         &bytesPerPixel, &bytesPerStride) == -EBUSY);
    CHECK(bytesPerPixel == -1);
    CHECK(bytesPerStride == -1);
    const BufferPtr yuv = makeBuffer(describeImage(AHARDWAREBUFFER_FORMAT_Y8Cb8Cr8_420, 66, 4));
    CHECK(AHardwareBuffer_lockAndGetInfo(yuv.get(), kWrite, -1, nullptr, &address, &bytesPerPixel,
                                         &bytesPerStride) == -ENOSYS);
    CHECK(AHardwareBuffer_unlock(yuv.get(), nullptr) == -EINVAL);  // it was not locked
}

TEST_SUITE_END();

}  // namespace

// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <unistd.h>
#include <vndk/hardware_buffer.h>

#include <atomic>
#include <cerrno>
#include <thread>
#include <vector>

#include "tests/hal/hardware_buffer_support.h"
#include "tests/hal/test_support.h"

namespace {

using vnpu::hal::test::BufferPtr;
using vnpu::hal::test::bytesOf;
using vnpu::hal::test::describeBlob;
using vnpu::hal::test::describeImage;
using vnpu::hal::test::descriptionOf;
using vnpu::hal::test::kReadAndWrite;
using vnpu::hal::test::makeBuffer;
using vnpu::hal::test::openFdCount;

TEST_SUITE_BEGIN("hal/hardware_buffer");

TEST_CASE("a new buffer is as described, and zero [MP-5]") {
    AHardwareBuffer_Desc asked = describeImage(AHARDWAREBUFFER_FORMAT_R8G8B8A8_UNORM, 20, 3);
    asked.usage |= AHARDWAREBUFFER_USAGE_VENDOR_19;
    asked.stride = 7;  // is ignored
    const BufferPtr buffer = makeBuffer(asked);
    const AHardwareBuffer_Desc desc = descriptionOf(buffer);
    CHECK(desc.width == 20);
    CHECK(desc.height == 3);
    CHECK(desc.layers == 1);
    CHECK(desc.format == AHARDWAREBUFFER_FORMAT_R8G8B8A8_UNORM);
    CHECK(desc.usage == (kReadAndWrite | (uint64_t{1} << 63)));
    CHECK(desc.stride == 32);
    CHECK(desc.rfu0 == 0);
    CHECK(desc.rfu1 == 0);
    CHECK(bytesOf(buffer)[32 * 4 * 3 - 1] == 0);
}

TEST_CASE("lives until its last reference and leaks nothing") {
    const size_t before = openFdCount();
    BufferPtr buffer = makeBuffer(describeBlob(100));
    CHECK(openFdCount() == before + 1);
    AHardwareBuffer_acquire(buffer.get());
    AHardwareBuffer_release(buffer.get());
    bytesOf(buffer)[99] = 7;
    CHECK(bytesOf(buffer)[99] == 7);
    buffer.reset();
    CHECK(openFdCount() == before);
}

TEST_CASE("references are counted by several threads [Q-7]") {
    const size_t before = openFdCount();
    BufferPtr buffer = makeBuffer(describeBlob(100));
    std::vector<std::thread> threads;
    threads.reserve(4);
    std::atomic<int> failures{0};
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back([&] {
            for (int turn = 0; turn < 1000; ++turn) {
                AHardwareBuffer_acquire(buffer.get());
                void* address = nullptr;
                failures += AHardwareBuffer_lock(buffer.get(), kReadAndWrite, -1, nullptr,
                                                 &address) != 0;
                failures += AHardwareBuffer_unlock(buffer.get(), nullptr) != 0;
                AHardwareBuffer_release(buffer.get());
            }
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    CHECK(failures == 0);
    CHECK(openFdCount() == before + 1);
    buffer.reset();
    CHECK(openFdCount() == before);
}

TEST_CASE("the size of a buffer cannot be changed") {
    const BufferPtr buffer = makeBuffer(describeBlob(8192));
    const int fd = AHardwareBuffer_getNativeHandle(buffer.get())->data[0];
    CHECK(ftruncate(fd, 0) != 0);
    CHECK(ftruncate(fd, 16384) != 0);
}

TEST_CASE("no two buffers have one id") {
    const BufferPtr one = makeBuffer(describeBlob(8));
    const BufferPtr two = makeBuffer(describeBlob(8));
    uint64_t idOfOne = 0;
    uint64_t idOfTwo = 0;
    CHECK(AHardwareBuffer_getId(one.get(), &idOfOne) == 0);
    CHECK(AHardwareBuffer_getId(two.get(), &idOfTwo) == 0);
    CHECK(idOfOne != idOfTwo);
}

TEST_CASE("null is an invalid argument and no crash") {
    const AHardwareBuffer_Desc desc = describeBlob(8);
    AHardwareBuffer* buffer = nullptr;
    uint64_t id = 0;
    CHECK(AHardwareBuffer_allocate(nullptr, &buffer) == -EINVAL);
    CHECK(AHardwareBuffer_allocate(&desc, nullptr) == -EINVAL);
    CHECK(AHardwareBuffer_isSupported(nullptr) == 0);
    CHECK(AHardwareBuffer_getNativeHandle(nullptr) == nullptr);
    CHECK(AHardwareBuffer_getId(nullptr, &id) == -EINVAL);
    const BufferPtr some = makeBuffer(desc);
    CHECK(AHardwareBuffer_getId(some.get(), nullptr) == -EINVAL);
    AHardwareBuffer_acquire(nullptr);
    AHardwareBuffer_release(nullptr);
    AHardwareBuffer_Desc untouched = describeBlob(5);
    AHardwareBuffer_describe(nullptr, &untouched);
    CHECK(untouched.width == 5);
    AHardwareBuffer_describe(some.get(), nullptr);
}

TEST_SUITE_END();

}  // namespace

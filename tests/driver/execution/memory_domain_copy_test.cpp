// SPDX-License-Identifier: Apache-2.0
// Copies between buffers of memory domains and the client's memory.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <vndk/hardware_buffer.h>

#include <algorithm>
#include <vector>

#include "tests/driver/support/memory_domain_support.h"
#include "tests/hal/hardware_buffer_support.h"

using namespace vnpu::driver;
using namespace vnpu::driver::test;
using android::hardware::hidl_memory;
using vnpu::hal::test::BufferPtr;
using vnpu::hal::test::bytesOf;
using vnpu::hal::test::describeBlob;
using vnpu::hal::test::describeImage;
using vnpu::hal::test::makeBuffer;

TEST_SUITE_BEGIN("driver/execution/memory_domain/copy");

namespace {

using Shapes = std::vector<std::vector<std::uint32_t>>;

/// The part of a pool's memory visible through an mmap_fd of this protection.
hidl_memory fdMemory(const Pool& pool, int protection) {
    auto memory = vnpu::hal::createFdMemory({.fd = pool.memory.handle()->data[0],
                                             .protection = protection,
                                             .offsetBytes = 0,
                                             .sizeBytes = pool.view->size()});
    REQUIRE(memory.has_value());
    return std::move(*memory);
}

void checkHolds(DomainService& domain, const Allocated& allocated) {
    std::fill_n(domain.result.bytes(), kDomainBytes, std::uint8_t{0});
    CHECK_EQ(allocated.buffer->copyTo(domain.result.memory), ErrorStatus::NONE);
    CHECK(std::equal(domain.values.bytes(), domain.values.bytes() + kDomainBytes,
                     domain.result.bytes()));
}

}  // namespace

TEST_CASE("contents are copied through ashmem by the host, and counted [MD-4]") {
    DomainService domain;
    const Allocated allocated = domain.allocateBoth();

    CHECK_EQ(allocated.buffer->copyFrom(domain.values.memory, {}), ErrorStatus::NONE);
    CHECK_EQ(domain.service.counters().hostCopiedBytes, kDomainBytes);
    checkHolds(domain, allocated);
    CHECK_EQ(domain.service.counters().hostCopiedBytes, kDomainBytes + kDomainBytes);
    CHECK_EQ(domain.service.counters().livePoolMappings, 0);  // the device does not map it
}

TEST_CASE("contents are copied through files [MD-4]") {
    DomainService domain;
    const Allocated allocated = domain.allocateBoth();
    CHECK_EQ(allocated.buffer->copyFrom(fdMemory(domain.values, PROT_READ), {}), ErrorStatus::NONE);
    CHECK_EQ(allocated.buffer->copyTo(fdMemory(domain.result, PROT_READ | PROT_WRITE)),
             ErrorStatus::NONE);
    CHECK_EQ(domain.result.bytes()[kDomainBytes - 1], domain.values.bytes()[kDomainBytes - 1]);
}

TEST_CASE("read-only memory takes no contents [MD-4]") {
    DomainService domain;
    const Allocated allocated = domain.allocateBoth();
    REQUIRE_EQ(allocated.buffer->copyFrom(domain.values.memory, {}), ErrorStatus::NONE);
    CHECK_EQ(allocated.buffer->copyTo(fdMemory(domain.result, PROT_READ)),
             ErrorStatus::INVALID_ARGUMENT);
    checkHolds(domain, allocated);  // a failed copyTo leaves them unchanged
}

TEST_CASE("contents are copied through hardware buffers [MD-4]") {
    DomainService domain;
    const Allocated allocated = domain.allocateBoth();
    const BufferPtr blob = makeBuffer(describeBlob(kDomainBytes));
    const hidl_memory memory("hardware_buffer_blob", AHardwareBuffer_getNativeHandle(blob.get()),
                             kDomainBytes);
    std::copy_n(domain.values.bytes(), kDomainBytes, bytesOf(blob));
    CHECK_EQ(allocated.buffer->copyFrom(memory, {}), ErrorStatus::NONE);
    checkHolds(domain, allocated);
    std::fill_n(bytesOf(blob), kDomainBytes, std::uint8_t{0});
    CHECK_EQ(allocated.buffer->copyTo(memory), ErrorStatus::NONE);
    CHECK(std::equal(domain.values.bytes(), domain.values.bytes() + kDomainBytes, bytesOf(blob)));
}

TEST_CASE("gaps between a hardware buffer's rows are not contents [MD-4]") {
    DomainService domain;
    const Allocated allocated = domain.allocateBoth();
    const BufferPtr image = makeBuffer(describeImage(AHARDWAREBUFFER_FORMAT_R8G8B8A8_UNORM, 2, 8));
    const std::uint32_t stride = vnpu::hal::test::descriptionOf(image).stride * 4;
    REQUIRE_GT(stride, 8);
    const hidl_memory memory("hardware_buffer", AHardwareBuffer_getNativeHandle(image.get()), 0);
    std::fill_n(bytesOf(image), std::size_t{8} * stride, std::uint8_t{0xEE});
    REQUIRE_EQ(allocated.buffer->copyFrom(domain.values.memory, {}), ErrorStatus::NONE);

    CHECK_EQ(allocated.buffer->copyTo(memory), ErrorStatus::NONE);
    for (std::uint32_t row = 0; row < 8; ++row) {
        CHECK_EQ(bytesOf(image)[std::size_t{row} * stride],
                 domain.values.bytes()[std::size_t{row} * 8]);
        CHECK_EQ(bytesOf(image)[std::size_t{row} * stride + 7],
                 domain.values.bytes()[std::size_t{row} * 8 + 7]);
        CHECK_EQ(bytesOf(image)[std::size_t{row} * stride + 8], 0xEE);
    }
    const Allocated second = domain.allocateBoth();
    CHECK_EQ(second.buffer->copyFrom(memory, {}), ErrorStatus::NONE);
    checkHolds(domain, second);
}

TEST_CASE("copyFrom takes memory of exactly the contents' size [MD-4]") {
    DomainService domain;
    const Allocated allocated = domain.allocateBoth();
    CHECK_EQ(allocated.buffer->copyFrom(Pool(kDomainBytes / 2).memory, {}),
             ErrorStatus::INVALID_ARGUMENT);
    CHECK_EQ(allocated.buffer->copyFrom(Pool(std::uint64_t{2} * kDomainBytes).memory, {}),
             ErrorStatus::INVALID_ARGUMENT);
    CHECK_EQ(allocated.buffer->copyFrom(hidl_memory("ashmem", nullptr, kDomainBytes), {}),
             ErrorStatus::INVALID_ARGUMENT);
    CHECK_EQ(domain.service.counters().hostCopiedBytes, 0);
    CHECK_EQ(allocated.buffer->copyFrom(domain.values.memory, {}), ErrorStatus::NONE);
}

TEST_CASE("copyFrom to an open shape takes memory of the given shape's size [MD-4] [MD-5]") {
    DomainService domain({0, kDomainBytes});
    const Allocated allocated = domain.allocateBoth();
    REQUIRE_EQ(allocated.status, ErrorStatus::NONE);
    CHECK_EQ(allocated.buffer->copyFrom(Pool(kDomainBytes / 2).memory, {1, kDomainBytes}),
             ErrorStatus::INVALID_ARGUMENT);
    CHECK_EQ(allocated.buffer->copyFrom(Pool(std::uint64_t{2} * kDomainBytes).memory,
                                        {1, kDomainBytes}),
             ErrorStatus::INVALID_ARGUMENT);
    CHECK_EQ(allocated.buffer->copyFrom(domain.values.memory, {2, kDomainBytes}),
             ErrorStatus::INVALID_ARGUMENT);
    CHECK_EQ(allocated.buffer->copyFrom(domain.values.memory, {1, kDomainBytes}),
             ErrorStatus::NONE);
    checkHolds(domain, allocated);
    CHECK_EQ(allocated.buffer->copyFrom(Pool(std::uint64_t{2} * kDomainBytes).memory,
                                        {2, kDomainBytes}),
             ErrorStatus::NONE);
}

TEST_CASE("copyFrom takes the buffer's own dimensions, or none [MD-4]") {
    DomainService domain;
    const Allocated allocated = domain.allocateBoth();
    for (const auto& dimensions :
         Shapes{{1, 1, kDomainBytes}, {2, kDomainBytes}, {1, 0}, {kDomainBytes}}) {
        CHECK_EQ(allocated.buffer->copyFrom(domain.values.memory, dimensions),
                 ErrorStatus::INVALID_ARGUMENT);
    }
    CHECK_EQ(allocated.buffer->copyFrom(domain.values.memory, {}), ErrorStatus::NONE);
    CHECK_EQ(allocated.buffer->copyFrom(domain.values.memory, {1, kDomainBytes}),
             ErrorStatus::NONE);
}

TEST_CASE("copyFrom to an open shape needs all dimensions [MD-4] [MD-5]") {
    DomainService domain({0, kDomainBytes});
    const Allocated open = domain.allocateBoth();
    for (const auto& dimensions : Shapes{{}, {0, kDomainBytes}, {1}, {kDomainBytes, 1}}) {
        CHECK_EQ(open.buffer->copyFrom(domain.values.memory, dimensions),
                 ErrorStatus::INVALID_ARGUMENT);
    }
    const Allocated described = domain.allocateBoth({1, 0});
    CHECK_EQ(described.buffer->copyFrom(domain.values.memory, {}), ErrorStatus::NONE);
    CHECK_EQ(described.buffer->copyFrom(Pool(std::uint64_t{2} * kDomainBytes).memory,
                                        {2, kDomainBytes}),
             ErrorStatus::INVALID_ARGUMENT);
}

TEST_CASE("copyTo fails before there are contents [MD-4]") {
    DomainService domain;
    const Allocated allocated = domain.allocateBoth();
    CHECK_EQ(allocated.buffer->copyTo(domain.result.memory), ErrorStatus::GENERAL_FAILURE);
    REQUIRE_EQ(allocated.buffer->copyFrom(domain.values.memory, {}), ErrorStatus::NONE);
    CHECK_EQ(allocated.buffer->copyTo(domain.result.memory), ErrorStatus::NONE);
    CHECK_EQ(allocated.buffer->copyFrom(Pool(1).memory, {}), ErrorStatus::INVALID_ARGUMENT);
    CHECK_EQ(allocated.buffer->copyTo(domain.result.memory), ErrorStatus::GENERAL_FAILURE);
}

TEST_CASE("copyTo takes memory of exactly the contents' size [MD-4] [MD-5]") {
    for (const std::uint32_t first : {0U, 1U}) {
        DomainService domain({first, kDomainBytes});
        const Allocated allocated = domain.allocateBoth();
        REQUIRE_EQ(allocated.buffer->copyFrom(domain.values.memory, {1, kDomainBytes}),
                   ErrorStatus::NONE);
        CHECK_EQ(allocated.buffer->copyTo(Pool(kDomainBytes / 2).memory),
                 ErrorStatus::INVALID_ARGUMENT);
        CHECK_EQ(allocated.buffer->copyTo(Pool(std::uint64_t{2} * kDomainBytes).memory),
                 ErrorStatus::INVALID_ARGUMENT);
        CHECK_EQ(allocated.buffer->copyTo(hidl_memory("ashmem", nullptr, kDomainBytes)),
                 ErrorStatus::INVALID_ARGUMENT);
        checkHolds(domain, allocated);
    }
}

TEST_CASE("contents that do not fit the device are refused, later ones accepted [MD-6]") {
    DomainService domain({0, 1U << 20});
    const Allocated allocated = domain.allocateBoth();
    const Pool large(std::uint64_t{16} << 20);
    const Pool small(std::uint64_t{1} << 20);
    const std::uint64_t before = domain.service.counters().dmaBytes;
    CHECK_EQ(allocated.buffer->copyFrom(large.memory, {16, 1U << 20}),
             ErrorStatus::GENERAL_FAILURE);
    CHECK_EQ(domain.service.counters().dmaBytes, before);
    CHECK_EQ(allocated.buffer->copyFrom(small.memory, {1, 1U << 20}), ErrorStatus::NONE);
    CHECK_GE(domain.service.counters().dmaBytes, before + (1U << 20));  // and page tables
}

TEST_CASE("a broken device copies nothing [MD-4]") {
    DomainService domain;
    const Allocated allocated = domain.allocateBoth();
    domain.service.port.hang();
    CHECK_NE(run(domain.service, domain.model,
                 requestOf(domain.values, domain.result, kDomainBytes)),
             ErrorStatus::NONE);
    CHECK_EQ(allocated.buffer->copyFrom(domain.values.memory, {}), ErrorStatus::DEVICE_UNAVAILABLE);
    CHECK_EQ(allocated.buffer->copyTo(domain.result.memory), ErrorStatus::DEVICE_UNAVAILABLE);
    CHECK_EQ(domain.allocateBoth().status, ErrorStatus::DEVICE_UNAVAILABLE);
}

TEST_SUITE_END();

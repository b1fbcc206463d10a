// SPDX-License-Identifier: Apache-2.0
#include "sim/client/pool_memory.h"

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>

#include "vnpu/hal/shared_memory.h"

using namespace vnpu::sim;

TEST_SUITE_BEGIN("sim/client/pool_memory");

TEST_CASE("memory of every kind has its name and size and can be mapped twice [MP-4]") {
    for (const PoolKind kind :
         {PoolKind::kAshmem, PoolKind::kMmapFd, PoolKind::kHardwareBufferBlob}) {
        CAPTURE(nameOf(kind));
        const android::hardware::hidl_memory memory = createPoolMemory(kind, 5000);
        CHECK(std::string(memory.name()) == nameOf(kind));
        CHECK(memory.size() == 5000);
        const auto writer = vnpu::hal::MappedPool::create(memory);
        const auto reader = vnpu::hal::MappedPool::create(memory);
        REQUIRE(writer.has_value());
        REQUIRE(reader.has_value());
        REQUIRE(reader->size() == 5000);
        CHECK(reader->data()[4999] == std::byte{0});
        writer->data()[4999] = std::byte{7};
        CHECK(reader->data()[4999] == std::byte{7});
    }
}

TEST_CASE("the kinds have the HAL's names [MP-4]") {
    CHECK(std::string(nameOf(PoolKind::kAshmem)) == "ashmem");
    CHECK(std::string(nameOf(PoolKind::kMmapFd)) == "mmap_fd");
    CHECK(std::string(nameOf(PoolKind::kHardwareBufferBlob)) == "hardware_buffer_blob");
}

TEST_CASE("an impossible size is an error [MP-5]") {
    for (const PoolKind kind :
         {PoolKind::kAshmem, PoolKind::kMmapFd, PoolKind::kHardwareBufferBlob}) {
        CHECK_THROWS_AS(createPoolMemory(kind, 0), std::runtime_error);
    }
    CHECK_THROWS_AS(createPoolMemory(PoolKind::kHardwareBufferBlob, std::uint64_t{1} << 32),
                    std::runtime_error);
}

TEST_SUITE_END();

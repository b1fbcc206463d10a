// SPDX-License-Identifier: Apache-2.0
#include "sim/platform/bus_memory.h"

#include <doctest/doctest.h>
#include <sys/mman.h>

#include <cstring>
#include <string>
#include <vector>

#include "hw_model/regs/page_table.h"
#include "hw_model/regs/register_map.h"

namespace {

using vnpu::driver::ErrorStatus;
using vnpu::sim::BusMemory;

constexpr std::uint64_t kPage = vnpu::hw::kPageBytes;

/// Whole pages owned by the test, like a client's pool.
class Pages {
  public:
    explicit Pages(std::uint64_t bytes)
        : bytes_(bytes),
          address_(::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
                          0)) {
        REQUIRE(address_ != MAP_FAILED);
    }
    ~Pages() { ::munmap(address_, bytes_); }
    Pages(const Pages&) = delete;
    Pages& operator=(const Pages&) = delete;
    std::byte* get() const { return static_cast<std::byte*>(address_); }

  private:
    std::uint64_t bytes_;
    void* address_;
};

}  // namespace

TEST_SUITE_BEGIN("sim/platform/bus_memory");

TEST_CASE("no memory lies in the device's own window, however large it is [MD-2]") {
    using vnpu::hw::regs::ConfigResident;
    const std::uint64_t largest = std::uint64_t{ConfigResident::kKib.get(~0U)} * 1024;
    CHECK(vnpu::hw::regs::kResidentBase + largest <= BusMemory::kDramBase);
    const BusMemory memory(16 * kPage);
    CHECK(memory.find(vnpu::hw::regs::kResidentBase).host == nullptr);
}

TEST_CASE("allocated memory is zeroed and in whole pages [E-1]") {
    BusMemory memory(16 * kPage);
    const auto first = memory.allocate(100);
    REQUIRE(first);
    CHECK(first->sizeBytes == kPage);
    std::memset(first->host, 0xFF, kPage);
    memory.free(first->busAddress);
    const auto again = memory.allocate(kPage);
    REQUIRE(again);
    CHECK(again->busAddress == first->busAddress);
    CHECK(std::vector<std::byte>(again->host, again->host + kPage) ==
          std::vector<std::byte>(kPage));
}

TEST_CASE("memory in use is a transient refusal, memory that can never fit a permanent one [Q-6]") {
    BusMemory memory(4 * kPage);
    const auto most = memory.allocate(3 * kPage);
    REQUIRE(most);
    const auto more = memory.allocate(2 * kPage);
    REQUIRE_FALSE(more);
    CHECK(more.error().status == ErrorStatus::RESOURCE_EXHAUSTED_TRANSIENT);
    const auto never = memory.allocate(5 * kPage);
    REQUIRE_FALSE(never);
    CHECK(never.error().status == ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT);
    memory.free(most->busAddress);
    CHECK(memory.allocate(2 * kPage));
    CHECK_FALSE(memory.allocate(3 * kPage));
}

TEST_CASE("a gap is reused before memory at the end [E-1]") {
    BusMemory memory(8 * kPage);
    const auto a = memory.allocate(kPage);
    const auto b = memory.allocate(kPage);
    const auto c = memory.allocate(kPage);
    REQUIRE((a && b && c));
    memory.free(b->busAddress);
    const auto d = memory.allocate(kPage);
    REQUIRE(d);
    CHECK(d->busAddress == b->busAddress);
}

TEST_CASE("small allocations that stay do not divide the room for large ones [E-1]") {
    constexpr std::uint64_t kMib = 1U << 20;
    BusMemory memory(24 * kMib);
    std::vector<std::uint64_t> staying;
    const auto first = memory.allocate(16 * kMib);
    REQUIRE(first);
    for (int i = 0; i < 10; ++i) {  // such as page tables and rings
        const auto small = memory.allocate(kPage);
        REQUIRE(small);
        staying.push_back(small->busAddress);
    }
    memory.free(first->busAddress);
    const auto second = memory.allocate(20 * kMib);
    REQUIRE(second);
    CHECK(second->busAddress % vnpu::hw::kLargePageBytes == 0);
    memory.free(second->busAddress);
    for (const std::uint64_t address : staying) {
        memory.free(address);
    }
    CHECK(memory.allocate(24 * kMib));
}

TEST_CASE("a refusal names the largest free block [E-1]") {
    constexpr std::uint64_t kMib = 1U << 20;
    BusMemory memory(4 * kMib);
    REQUIRE(memory.allocate(kMib));
    const auto middle = memory.allocate(kMib);
    REQUIRE((middle && memory.allocate(kMib) && memory.allocate(kPage)));
    memory.free(middle->busAddress);
    const auto refused = memory.allocate(2 * kMib);
    REQUIRE_FALSE(refused);
    INFO(refused.error().reason);
    CHECK(refused.error().reason.find("the largest free block has 1048576 bytes") !=
          std::string::npos);
}

TEST_CASE("client pages are found by bus address until they are unmapped [MP-6]") {
    BusMemory memory(kPage);
    const Pages pages(2 * kPage);
    const auto address = memory.map(pages.get(), 2 * kPage);
    REQUIRE(address);
    CHECK(*address % vnpu::hw::kLargePageBytes == 0);
    CHECK(memory.find(*address + kPage + 5).host == pages.get());
    CHECK(memory.find(*address + 2 * kPage).host == nullptr);
    memory.unmap(*address);
    CHECK(memory.find(*address).host == nullptr);
}

TEST_CASE("a new mapping does not reuse the address of one just removed [E-2]") {
    BusMemory memory(kPage);
    const Pages pages(kPage);
    const auto first = memory.map(pages.get(), kPage);
    REQUIRE(first);
    memory.unmap(*first);
    const auto second = memory.map(pages.get(), kPage);
    REQUIRE(second);
    CHECK(*second != *first);
    memory.unmap(*second);
}

TEST_CASE("part of a page cannot be mapped [MP-6]") {
    BusMemory memory(kPage);
    const Pages pages(kPage);
    CHECK_FALSE(memory.map(pages.get() + 8, kPage));
    CHECK_FALSE(memory.map(pages.get(), 100));
    CHECK_FALSE(memory.map(pages.get(), 0));
}

TEST_CASE("unused addresses have no memory [E-1]") {
    const BusMemory memory(kPage);
    CHECK(memory.find(0).host == nullptr);
    CHECK(memory.find(BusMemory::kDramBase + kPage).host == nullptr);
    CHECK(memory.find(~std::uint64_t{0}).host == nullptr);
}

TEST_SUITE_END();

// SPDX-License-Identifier: Apache-2.0
// The placement of buffers of memory domains on chip, and their behavior there, which equals that
// of other buffers.
#include <doctest/doctest.h>
#include <vnpu/hal/caller_identity.h>

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#include "hw_model/regs/register_map.h"
#include "tests/driver/support/memory_domain_support.h"

using namespace vnpu::driver;
using namespace vnpu::driver::test;
namespace regs = vnpu::hw::regs;

TEST_SUITE_BEGIN("driver/execution/memory_domain/placement");

namespace {

const std::vector<std::uint32_t> kRow = {1, kDomainBytes};

/// Reads the resident memory directly, without the driver.
std::vector<std::byte> residentBytes(DomainService& domain, std::uint64_t offset,
                                     std::uint64_t count) {
    return domain.service.port.withMemory([&](FakeMemory& memory) {
        const std::byte* at = memory.atBus(FakeMemory::kResidentBase + offset, count);
        return std::vector<std::byte>(at, at + count);
    });
}

/// The placement of the last buffer.
MemoryPlace lastPlace(const DomainService& domain) {
    const auto placements = domain.service.observer.placements();
    REQUIRE_FALSE(placements.empty());
    return placements.back().place;
}

Allocated allocateWith(DomainService& domain, float inputFrequency, float outputFrequency) {
    return allocate(domain.service, {domain.model}, {role(0, 0, inputFrequency)},
                    {role(0, 0, outputFrequency)});
}

/// The address of the output of a job with one input and one output.
std::uint64_t outputAddress(const ObservedJob& job) {
    for (const vnpu::fw::RegionEntry& region : job.regions) {
        if ((region.flags & vnpu::fw::kRegionWritable) != 0) {
            return region.address;
        }
    }
    return 0;
}

}  // namespace

TEST_CASE("a small hot buffer lives on chip and uses no device DRAM [MD-2]") {
    DomainService domain(kRow, 64);
    domain.allocateBoth();  // its page tables stay
    const DriverCounters before = domain.service.counters();
    Allocated allocated = domain.allocateBoth();
    CHECK_EQ(allocated.status, ErrorStatus::NONE);
    CHECK_EQ(domain.service.counters().dmaBytes, before.dmaBytes);
    CHECK_EQ(domain.service.counters().onChipBytes, kPage);
    const auto placements = domain.service.observer.placements();
    REQUIRE_EQ(placements.size(), 2);
    CHECK_EQ(placements[1].place, MemoryPlace::kOnChip);
    CHECK_EQ(placements[1].sizeBytes, kDomainBytes);
    CHECK_EQ(placements[1].uid, domain.service.observer.calls().back().uid);
    allocated = {};
    CHECK_EQ(domain.service.counters().onChipBytes, 0);
}

TEST_CASE("without resident memory all buffers live in DRAM [MD-2]") {
    DomainService domain(kRow);
    const Allocated allocated = domain.allocateBoth();
    CHECK_EQ(lastPlace(domain), MemoryPlace::kDeviceDram);
    CHECK_EQ(domain.service.counters().onChipBytes, 0);
}

TEST_CASE("copies and executions find the contents on chip [MD-2] [MD-4]") {
    for (const Path path : kPaths) {
        DomainService domain(kRow, 8);
        const Allocated allocated = domain.allocateBoth();
        REQUIRE_EQ(lastPlace(domain), MemoryPlace::kOnChip);
        CHECK_EQ(allocated.buffer->copyFrom(domain.values.memory, {}), ErrorStatus::NONE);
        const auto there = residentBytes(domain, 0, kDomainBytes);
        CHECK(std::equal(there.begin(), there.end(),
                         reinterpret_cast<const std::byte*>(domain.values.bytes())));
        CHECK_EQ(
                run(domain.service, domain.model, fromBuffer(allocated.token, domain.result), path),
                ErrorStatus::NONE);
        CHECK(std::equal(domain.values.bytes(), domain.values.bytes() + kDomainBytes,
                         domain.result.bytes()));
        const Pool other(kDomainBytes);
        other.bytes()[9] = 99;
        CHECK_EQ(run(domain.service, domain.model, intoBuffer(other, allocated.token), path),
                 ErrorStatus::NONE);
        CHECK_EQ(residentBytes(domain, 9, 1)[0], std::byte{99});
        CHECK_EQ(allocated.buffer->copyTo(domain.result.memory), ErrorStatus::NONE);
        CHECK_EQ(domain.result.bytes()[9], 99);
        CHECK_EQ(domain.result.bytes()[8], 0);
    }
}

TEST_CASE(
        "a buffer may fill the share of the on-chip memory that equals its highest frequency "
        "[MD-2]") {
    DomainService domain(kRow, 64);
    const auto placeWith = [&](float input, float output) {
        const Allocated allocated = allocateWith(domain, input, output);
        REQUIRE_EQ(allocated.status, ErrorStatus::NONE);
        return lastPlace(domain);
    };
    // One page of sixteen.
    CHECK_EQ(placeWith(0.01F, 0.01F), MemoryPlace::kDeviceDram);
    CHECK_EQ(placeWith(0.0624F, 0.01F), MemoryPlace::kDeviceDram);
    CHECK_EQ(placeWith(0.0625F, 0.01F), MemoryPlace::kOnChip);
    CHECK_EQ(placeWith(0.01F, 0.0625F), MemoryPlace::kOnChip);
    CHECK_EQ(placeWith(1.0F, 1.0F), MemoryPlace::kOnChip);
}

TEST_CASE("a buffer that does not fit on chip goes to DRAM [MD-2] [MD-6]") {
    DomainService domain({0, kDomainBytes}, 8);
    Allocated first = domain.allocateBoth({1, kDomainBytes});
    const Allocated second = domain.allocateBoth({1, kDomainBytes});
    CHECK_EQ(lastPlace(domain), MemoryPlace::kOnChip);
    CHECK_EQ(domain.service.counters().onChipBytes, 2 * kPage);
    const Allocated third = domain.allocateBoth({1, kDomainBytes});
    CHECK_EQ(third.status, ErrorStatus::NONE);
    CHECK_EQ(lastPlace(domain), MemoryPlace::kDeviceDram);
    CHECK_EQ(domain.service.counters().onChipBytes, 2 * kPage);
    CHECK_EQ(third.buffer->copyFrom(domain.values.memory, {}), ErrorStatus::NONE);
    first = {};
    const Allocated fourth = domain.allocateBoth({1, kDomainBytes});
    CHECK_EQ(lastPlace(domain), MemoryPlace::kOnChip);
    const Allocated large = domain.allocateBoth({129, kDomainBytes});  // three pages of two
    CHECK_EQ(large.status, ErrorStatus::NONE);
    CHECK_EQ(lastPlace(domain), MemoryPlace::kDeviceDram);
}

TEST_CASE("a growing buffer moves, finally to DRAM; a shrinking one stays [MD-5]") {
    DomainService domain({0, kDomainBytes}, 8);
    const Pool rows(std::uint64_t{200} * kDomainBytes);
    for (std::uint32_t i = 0; i < 200 * kDomainBytes; ++i) {
        rows.bytes()[i] = static_cast<std::uint8_t>(i % 251);
    }
    const Allocated allocated = domain.allocateBoth();
    CHECK(domain.service.observer.placements().empty());  // not before its size is known
    struct Step {
        std::uint32_t rows;
        MemoryPlace place;
        std::uint64_t onChipBytes;
        std::size_t placements;
    };
    for (const Step& step :
         {Step{1, MemoryPlace::kOnChip, kPage, 1}, Step{100, MemoryPlace::kOnChip, 2 * kPage, 2},
          Step{2, MemoryPlace::kOnChip, 2 * kPage, 2}, Step{200, MemoryPlace::kDeviceDram, 0, 3},
          Step{1, MemoryPlace::kDeviceDram, 0, 3}}) {
        CAPTURE(step.rows);
        const std::uint64_t bytes = std::uint64_t{step.rows} * kDomainBytes;
        REQUIRE_EQ(run(domain.service, domain.model, rowsInto(rows, step.rows, allocated.token)),
                   ErrorStatus::NONE);
        CHECK_EQ(lastPlace(domain), step.place);
        CHECK_EQ(domain.service.observer.placements().size(), step.placements);
        CHECK_EQ(domain.service.counters().onChipBytes, step.onChipBytes);
        const Pool copy(bytes);
        REQUIRE_EQ(allocated.buffer->copyTo(copy.memory), ErrorStatus::NONE);
        CHECK(std::equal(copy.bytes(), copy.bytes() + bytes, rows.bytes()));
    }
}

TEST_CASE("a new owner never finds the last owner's bytes [MD-3]") {
    DomainService domain(kRow, 4);
    Allocated allocated = domain.allocateBoth();
    CHECK_EQ(residentBytes(domain, 0, kPage), std::vector<std::byte>(kPage));
    REQUIRE_EQ(allocated.buffer->copyFrom(domain.values.memory, {}), ErrorStatus::NONE);
    REQUIRE_NE(residentBytes(domain, 0, kPage), std::vector<std::byte>(kPage));
    allocated = {};
    const CallerUid uid(10777);
    domain.model = domain.service.prepare(reluModel(kRow)).model;
    allocated = domain.allocateBoth();
    REQUIRE_EQ(lastPlace(domain), MemoryPlace::kOnChip);
    CHECK_EQ(domain.service.observer.placements().back().uid, 10777);
    CHECK_EQ(residentBytes(domain, 0, kPage), std::vector<std::byte>(kPage));
    CHECK_EQ(allocated.buffer->copyTo(domain.result.memory), ErrorStatus::GENERAL_FAILURE);
}

TEST_CASE("buffers of two callers lie in pages that the other cannot reach [MD-3]") {
    DomainService domain(kRow, 8);
    const Allocated mine = domain.allocateBoth();
    REQUIRE_EQ(run(domain.service, domain.model, intoBuffer(domain.values, mine.token)),
               ErrorStatus::NONE);
    const CallerUid uid(10777);
    const auto theirModel = domain.service.prepare(reluModel(kRow)).model;
    const Allocated theirs = allocate(domain.service, {theirModel}, {role(0)}, {role(0)});
    REQUIRE_EQ(run(domain.service, theirModel, intoBuffer(domain.values, theirs.token)),
               ErrorStatus::NONE);
    CHECK_EQ(domain.service.counters().onChipBytes, 2 * kPage);
    CHECK_EQ(run(domain.service, theirModel, fromBuffer(mine.token, domain.result)),
             ErrorStatus::INVALID_ARGUMENT);
    const auto jobs = domain.service.port.jobs();
    REQUIRE_EQ(jobs.size(), 2);
    REQUIRE_NE(jobs[0].context, jobs[1].context);
    domain.service.port.withMemory([&](FakeMemory& memory) {
        const std::byte* const page = memory.atBus(FakeMemory::kResidentBase, kPage);
        const std::uint64_t myAddress = outputAddress(jobs[0]);
        const std::uint64_t theirAddress = outputAddress(jobs[1]);
        CHECK_EQ(memory.translate(jobs[0].context, myAddress, true), page);
        CHECK_EQ(memory.translate(jobs[1].context, theirAddress, true), page + kPage);
        CHECK_NE(memory.translate(jobs[1].context, myAddress, false), page);
        CHECK_NE(memory.translate(jobs[0].context, theirAddress, false), page + kPage);
    });
}

TEST_CASE("pages become free only when no translation leads there any more [MD-3]") {
    DomainService domain(kRow, 8);
    Allocated allocated = domain.allocateBoth();
    REQUIRE_EQ(run(domain.service, domain.model, intoBuffer(domain.values, allocated.token)),
               ErrorStatus::NONE);
    const auto translations = [&] {
        return domain.service.port.withMemory([](FakeMemory& memory) {
            return memory.tlbEntriesInto(FakeMemory::kResidentBase, 2 * kPage);
        });
    };
    CHECK_EQ(translations(), 1);
    allocated = {};
    CHECK_EQ(translations(), 0);
}

TEST_CASE("a window that the port cannot reach is not used [MD-2]") {
    Service service;
    service.device = nullptr;
    service.port.setRegister(regs::ArchVersion::kSpec.offset, 0x00010001);
    service.port.setRegister(regs::ConfigResident::kSpec.offset, 64 | 1024 << 16);
    DriverOptions options;
    options.observer = &service.observer;
    auto runtime = DeviceRuntime::create(service.port, options);
    REQUIRE(runtime.has_value());
    service.device = new NpuDevice(std::move(*runtime), service.compiler.functions());
    const auto model = service.prepare(reluModel(kRow)).model;
    const Allocated allocated = allocate(service, {model}, {role(0)}, {role(0)});
    CHECK_EQ(allocated.status, ErrorStatus::NONE);
    REQUIRE_EQ(service.observer.placements().size(), 1);
    CHECK_EQ(service.observer.placements()[0].place, MemoryPlace::kDeviceDram);
}

TEST_CASE("a buffer on chip may outlive the rest of the service [MD-1]") {
    DomainService domain(kRow, 8);
    checkBufferIsLast(domain);
}

TEST_CASE("threads that allocate, fill and release buffers on chip lose no page [MD-7]") {
    DomainService domain(kRow, 8);
    std::atomic<int> odd{0};
    std::vector<std::thread> threads;
    threads.reserve(4);
    for (int thread = 0; thread < 4; ++thread) {
        threads.emplace_back([&] {
            const Pool own(kDomainBytes);
            for (int i = 0; i < 20; ++i) {
                const Allocated allocated = domain.allocateBoth();
                const bool isRight =
                        allocated.status == ErrorStatus::NONE &&
                        allocated.buffer->copyFrom(domain.values.memory, {}) == ErrorStatus::NONE &&
                        executeSync(domain.model, fromBuffer(allocated.token, own)).status ==
                                ErrorStatus::NONE &&
                        std::equal(own.bytes(), own.bytes() + kDomainBytes, domain.values.bytes());
                odd += isRight ? 0 : 1;
            }
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    CHECK_EQ(odd.load(), 0);
    CHECK_EQ(domain.service.counters().onChipBytes, 0);
}

TEST_SUITE_END();

// SPDX-License-Identifier: Apache-2.0
#include "driver/control/job_ring.h"

#include <doctest/doctest.h>

#include <atomic>
#include <cstring>
#include <memory>
#include <thread>

#include "driver/control/ring_registry.h"
#include "hw_model/regs/registers.h"
#include "tests/driver/support/fake_device_port.h"

using namespace vnpu::driver;
using namespace vnpu::driver::test;
namespace fw = vnpu::fw;

TEST_SUITE_BEGIN("driver/control/job_ring");

namespace {

/// A ring with the test in the role of the firmware.
struct Ring {
    Ring() {
        auto created = JobRing::create(port, counters, 2);
        REQUIRE(created.has_value());
        ring = std::move(*created);
        memory = port.withMemory([&](FakeMemory& fake) {
            return fake.atBus(ring->busAddress(),
                              fw::ringBytes(JobRing::kSlots, JobRing::kCompletions));
        });
        REQUIRE_NE(memory, nullptr);
    }

    fw::RingHeader& header() const { return *reinterpret_cast<fw::RingHeader*>(memory); }
    fw::JobSlot slot(std::uint32_t counter) const {
        fw::JobSlot slot{};
        std::memcpy(&slot,
                    memory + sizeof(fw::RingHeader) + counter % JobRing::kSlots * sizeof(slot),
                    sizeof(slot));
        return slot;
    }
    /// Ends the oldest job that has not ended.
    void complete(std::uint64_t jobId) const {
        fw::CompletionRecord record{};
        record.jobId = jobId;
        record.checksum = fw::checksumOf(record);
        std::byte* records =
                memory + sizeof(fw::RingHeader) + JobRing::kSlots * sizeof(fw::JobSlot);
        std::memcpy(records + header().completionTail % JobRing::kCompletions * sizeof(record),
                    &record, sizeof(record));
        std::atomic_ref(header().completionTail).store(header().completionTail + 1);
    }
    void submit(std::uint64_t jobId) const {
        fw::JobSlot job{};
        job.jobId = jobId;
        REQUIRE(ring->submit(job).has_value());
    }

    /// Counts the doorbells.
    struct Port : FakeDevicePort {
        void write32(std::uint32_t offset, std::uint32_t value) override {
            if (offset == vnpu::hw::regs::Doorbell::kSpec.at(2)) {
                ++doorbells;
                lastTail = value;
            }
            FakeDevicePort::write32(offset, value);
        }
        int doorbells = 0;
        std::uint32_t lastTail = 0;
    };

    Port port;
    LiveCounters counters;
    std::unique_ptr<JobRing> ring;
    std::byte* memory = nullptr;
};

}  // namespace

TEST_CASE("the ring header has the fields that the contract requires [E-1]") {
    const Ring r;

    CHECK_EQ(r.header().magic, fw::kRingMagic);
    CHECK_EQ(r.header().version, fw::kRingApiVersion);
    CHECK_EQ(r.header().slotCount, JobRing::kSlots);
    CHECK_GE(r.header().completionCount, r.header().slotCount);
    CHECK_EQ(r.ring->busAddress() % 4096, 0);
}

TEST_CASE("counters continue past the end of the ring [E-1]") {
    const Ring r;
    for (std::uint64_t job = 1; job <= 133; ++job) {
        r.submit(job);
        CHECK_EQ(r.header().tail, job);
        CHECK_EQ(r.slot(static_cast<std::uint32_t>(job - 1)).jobId, job);
        r.complete(job);
        const auto records = r.ring->collect();
        REQUIRE_EQ(records.size(), 1);
        CHECK_EQ(records[0].record.jobId, job);
        CHECK_EQ(r.header().completionHead, job);
    }
}

TEST_CASE("records are taken once, oldest first [E-1]") {
    const Ring r;
    r.submit(1);
    r.submit(2);
    r.complete(1);
    r.complete(2);

    const auto records = r.ring->collect();

    REQUIRE_EQ(records.size(), 2);
    CHECK_EQ(records[0].record.jobId, 1);
    CHECK_EQ(records[1].record.jobId, 2);
    CHECK(r.ring->collect().empty());
}

TEST_CASE("a record that waits is distinguished from one that came after it [E-7]") {
    const Ring r;
    RingRegistry rings(4);
    rings.attach(*r.ring);
    r.submit(1);
    r.submit(2);
    r.submit(3);
    CHECK(rings.oldestRecords().empty());

    r.complete(1);
    const auto first = rings.oldestRecords();
    CHECK_EQ(first.size(), 1);
    r.complete(2);
    CHECK(rings.oldestRecords() == first);  // the first still waits
    rings.collect();
    CHECK(rings.oldestRecords().empty());
    r.complete(3);
    CHECK_EQ(rings.oldestRecords().size(), 1);
    CHECK(rings.oldestRecords() != first);
    rings.detach(*r.ring);
}

TEST_CASE("a completion counter ahead of the jobs is rejected [E-7]") {
    const Ring r;
    r.submit(1);
    r.header().completionTail = 1000;
    CHECK(r.ring->collect().empty());
    r.header().completionTail = 0;
    r.complete(1);
    CHECK_EQ(r.ring->collect().size(), 1);
}

TEST_CASE("a full ring waits until a record has been taken [E-1]") {
    Ring r;
    for (std::uint64_t job = 1; job <= JobRing::kSlots; ++job) {
        r.submit(job);
    }
    std::thread next([&] { r.submit(JobRing::kSlots + 1); });
    r.port.awaitWaiters(1);
    CHECK_EQ(r.header().tail, JobRing::kSlots);

    r.complete(1);
    r.ring->collect();
    next.join();

    CHECK_EQ(r.header().tail, JobRing::kSlots + 1);
    CHECK_EQ(r.slot(JobRing::kSlots).jobId, JobRing::kSlots + 1);
}

TEST_CASE("a ring that is shut down refuses jobs and releases the waiters [E-7]") {
    Ring r;
    for (std::uint64_t job = 1; job <= JobRing::kSlots; ++job) {
        r.submit(job);
    }
    Result<void> result;
    std::thread next([&] { result = r.ring->submit({}); });
    r.port.awaitWaiters(1);

    r.ring->shutDown();
    next.join();

    REQUIRE_FALSE(result.has_value());
    CHECK_EQ(result.error().status, ErrorStatus::DEVICE_UNAVAILABLE);
    CHECK_FALSE(r.ring->submit({}).has_value());
}

TEST_CASE("an implausible record is rejected, but ends the oldest job [E-7]") {
    const Ring r;
    r.submit(1);
    r.submit(2);
    r.complete(7);
    r.complete(2);

    const auto records = r.ring->collect();

    REQUIRE_EQ(records.size(), 2);
    CHECK_EQ(records[0].doubt, "job 7 is not in this ring");
    CHECK_EQ(records[0].record.jobId, 1);
    CHECK_EQ(records[1].doubt, "");
    CHECK_EQ(records[1].record.jobId, 2);
}

TEST_CASE("after a reset the ring holds the jobs that are left, from its head on [E-7]") {
    const Ring r;
    for (std::uint64_t job = 1; job <= 5; ++job) {
        r.submit(job);
    }
    r.complete(1);
    r.ring->collect();
    r.header().head = 77;  // left by an earlier firmware

    CHECK_EQ(r.ring->settle(2), 3);

    CHECK_EQ(r.header().tail, 5);
    CHECK_EQ(r.header().head, 2);
    CHECK_EQ(r.header().completionTail, 2);
    CHECK_EQ(r.header().completionHead, 2);
    CHECK_EQ(r.slot(2).jobId, 3);
    CHECK_EQ(r.slot(4).jobId, 5);
    CHECK_EQ(r.ring->settle(4), 2);  // not the oldest one: the ones before it move up
    CHECK_EQ(r.header().head, 3);
    CHECK_EQ(r.slot(3).jobId, 3);
    CHECK_EQ(r.slot(4).jobId, 5);
}

TEST_CASE("a doorbell is not rung before the next firmware knows the ring [E-7]") {
    const Ring r;
    r.submit(1);
    CHECK_EQ(r.port.doorbells, 1);

    r.ring->settle(0);
    r.submit(2);
    r.ring->ringDoorbell();
    CHECK_EQ(r.header().tail, 2);
    CHECK_EQ(r.port.doorbells, 1);

    r.ring->resume();
    CHECK_EQ(r.port.doorbells, 2);
    CHECK_EQ(r.port.lastTail, 2);
    r.submit(3);
    CHECK_EQ(r.port.doorbells, 3);
}

TEST_SUITE_END();

// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "tests/firmware/rig.h"

namespace vnpu::fw::test {
namespace {

namespace regs = hw::regs;

/// The jobs in the order of their start.
std::vector<std::uint64_t> startOrder(const Rig& rig) {
    std::vector<std::uint64_t> order;
    for (const FakeController::Mark& mark : rig.device.marks) {
        if (mark.event == "job-start") {
            order.push_back(mark.jobId);
        }
    }
    return order;
}

std::size_t countOf(const std::vector<LogRecord>& log, LogEvent event) {
    return static_cast<std::size_t>(std::count_if(
            log.begin(), log.end(), [&](const LogRecord& r) { return r.event == event; }));
}

/// Sends `jobs` jobs through a ring of 8, as many at a time as there is room for.
void runThroughRing(std::uint32_t jobs) {
    Rig rig;
    rig.makeRing(0, 1, PriorityBand::kNormal);
    std::uint32_t sent = 0;
    for (std::uint32_t batch = 0; batch * 8 < jobs; ++batch) {
        rig.step([&rig, &sent, jobs] {
            rig.readCompletions(0);
            for (int i = 0; i < 8 && sent < jobs; ++i) {
                rig.put(0, rig.smallJob(++sent));
            }
            rig.bell(0);
        });
    }
    rig.step([&rig] { rig.readCompletions(0); });
    rig.run();
    REQUIRE(rig.completions.size() == jobs);
    for (std::uint32_t i = 0; i < jobs; ++i) {
        CHECK(rig.completions[i].jobId == i + 1);
        CHECK(rig.completions[i].status == hw::JobStatus::kOk);
        CHECK(rig.completions[i].fenceValue == (i + 1) * 10);
    }
    CHECK(rig.ringHeader(0).head == jobs);
    CHECK(rig.ringHeader(0).completionTail == jobs);
    CHECK(rig.ringHeader(0).fenceValue == jobs * 10);
    CHECK(rig.device.protocolErrors.empty());
}

}  // namespace

TEST_SUITE_BEGIN("firmware/ring_table");

TEST_CASE("the highest band goes first in any order of arrival [Q-2]") {
    Rig rig;
    rig.makeRing(0, 1, PriorityBand::kIdle);
    rig.makeRing(1, 1, PriorityBand::kNormal);
    rig.makeRing(2, 1, PriorityBand::kFocus);
    rig.makeRing(3, 1, PriorityBand::kRealtime);
    rig.step([&] {
        for (std::uint32_t ring = 0; ring < 4; ++ring) {
            rig.put(ring, rig.smallJob(ring * 10 + 1));
            rig.put(ring, rig.smallJob(ring * 10 + 2));
        }
        for (std::uint32_t ring = 0; ring < 4; ++ring) {
            rig.bell(ring);
        }
    });
    rig.run();
    CHECK(startOrder(rig) == std::vector<std::uint64_t>{31, 32, 21, 22, 11, 12, 1, 2});
}

TEST_CASE("rings of one band take turns [Q-2]") {
    Rig rig;
    rig.makeRing(0, 1, PriorityBand::kNormal);
    rig.makeRing(1, 2, PriorityBand::kNormal);
    rig.makeRing(5, 3, PriorityBand::kNormal);
    rig.step([&] {
        for (const std::uint32_t ring : {0U, 1U, 5U}) {
            for (std::uint32_t i = 1; i <= 3; ++i) {
                rig.put(ring, rig.smallJob(ring * 10 + i));
            }
        }
        rig.bell(0);
        rig.bell(1);
        rig.bell(5);
    });
    rig.run();
    CHECK(startOrder(rig) == std::vector<std::uint64_t>{1, 11, 51, 2, 12, 52, 3, 13, 53});
}

TEST_CASE("a high job overtakes waiting low ones, but not the running one [Q-3]") {
    Rig rig;
    rig.device.engineCycles.fill(20000);
    rig.makeRing(0, 1, PriorityBand::kNormal);
    rig.makeRing(1, 2, PriorityBand::kRealtime);
    rig.step([&] {
        for (std::uint32_t i = 1; i <= 4; ++i) {
            rig.put(0, rig.smallJob(i));
        }
        rig.bell(0);
        rig.device.at(rig.device.now() + 5000, [&] { rig.submit(1, rig.smallJob(99)); });
    });
    rig.run();
    CHECK(startOrder(rig) == std::vector<std::uint64_t>{1, 99, 2, 3, 4});
}

TEST_CASE("a job of a ring runs in the ring's context [E-1]") {
    Rig rig;
    rig.makeRing(0, 5, PriorityBand::kNormal);
    rig.makeRing(1, 63, PriorityBand::kNormal);
    rig.step([&] {
        rig.submit(0, rig.smallJob(1));
        rig.submit(1, rig.smallJob(2));
    });
    rig.run();
    REQUIRE(rig.device.executed.size() == 2);
    CHECK(rig.device.executed[0].context == 5);
    CHECK(rig.device.executed[1].context == 63);
}

TEST_CASE("65 jobs go through a ring of 8 slots in order [E-1]") {
    runThroughRing(65);
}

TEST_CASE("133 jobs go through a ring of 8 slots in order [E-1]") {
    runThroughRing(133);
}

TEST_CASE("a full ring of maximal size is processed") {
    Rig rig;
    rig.makeRing(15, 1, PriorityBand::kNormal, 256, 256);
    rig.step([&] {
        const JobSlot job = rig.smallJob(1);
        for (std::uint32_t i = 0; i < 256; ++i) {
            rig.put(15, job);
        }
        rig.bell(15);
    });
    rig.run();
    CHECK(rig.device.executed.size() == 256);
    CHECK(rig.ringHeader(15).head == 256);
}

TEST_CASE("counters wrap at 32 bits") {
    Rig rig;
    rig.makeRing(0, 1, PriorityBand::kNormal);
    RingHeader header = rig.ringHeader(0);
    header.head = header.tail = 0xFFFFFFFE;
    header.completionHead = header.completionTail = 0xFFFFFFFD;
    rig.setRingHeader(0, header);
    rig.step([&] {
        for (std::uint64_t id = 1; id <= 4; ++id) {
            rig.put(0, rig.smallJob(id));
        }
        rig.bell(0);
    });
    rig.step([&] { rig.readCompletions(0); });
    rig.run();
    CHECK(rig.completions.size() == 4);
    CHECK(rig.ringHeader(0).head == 2);
    CHECK(rig.ringHeader(0).completionTail == 1);
}

TEST_CASE("jobs that are in a ring at its creation run immediately") {
    Rig rig;
    rig.makeRing(0, 1, PriorityBand::kNormal);
    rig.put(0, rig.smallJob(4));
    rig.run();
    CHECK(startOrder(rig) == std::vector<std::uint64_t>{4});
}

TEST_CASE("a tail beyond the ring's end is logged and no job runs [E-7]") {
    Rig rig;
    rig.makeRing(0, 1, PriorityBand::kNormal);
    rig.step([&] {
        rig.put(0, rig.smallJob(1));
        rig.device.hostWrite(regs::Doorbell::kSpec.at(0), 9);
    });
    rig.run();
    CHECK(startOrder(rig).empty());
    const std::vector<LogRecord> log = rig.log();
    CHECK(log.back().event == LogEvent::kBadDoorbell);
    CHECK(log.back().a == 0);
    CHECK(log.back().b == 9);
}

TEST_CASE("a good value makes a ring run again after a bad one [E-7]") {
    Rig rig;
    rig.makeRing(0, 1, PriorityBand::kNormal);
    rig.step([&] {
        rig.put(0, rig.smallJob(1));
        rig.device.hostWrite(regs::Doorbell::kSpec.at(0), 0xFFFFFFFF);
    });
    rig.step([&] { rig.bell(0); });
    rig.run();
    CHECK(startOrder(rig) == std::vector<std::uint64_t>{1});
}

TEST_CASE("the doorbell of a ring that does not exist is logged") {
    Rig rig;
    rig.step([&] { rig.device.hostWrite(regs::Doorbell::kSpec.at(7), 1); });
    rig.run();
    CHECK(countOf(rig.log(), LogEvent::kBadDoorbell) == 1);
    CHECK(startOrder(rig).empty());
}

TEST_CASE("a bad doorbell does not affect other rings") {
    Rig rig;
    rig.makeRing(0, 1, PriorityBand::kRealtime);
    rig.makeRing(1, 1, PriorityBand::kNormal);
    rig.step([&] {
        rig.device.hostWrite(regs::Doorbell::kSpec.at(0), 1000);
        rig.submit(1, rig.smallJob(3));
    });
    rig.run();
    CHECK(startOrder(rig) == std::vector<std::uint64_t>{3});
}

TEST_CASE("a completion contains cycles, counts and fence [E-1]") {
    Rig rig;
    rig.makeRing(0, 1, PriorityBand::kNormal);
    std::uint64_t rung = 0;
    rig.step([&] {
        rung = rig.device.now();
        rig.submit(0, rig.smallJob(0x123456789AULL));
    });
    rig.step([&] { rig.readCompletions(0); });
    rig.run();
    REQUIRE(rig.completions.size() == 1);
    const CompletionRecord& record = rig.completions[0];
    CHECK(record.jobId == 0x123456789AULL);
    CHECK(record.fenceValue == 0x123456789AULL * 10);
    CHECK(record.status == hw::JobStatus::kOk);
    CHECK(record.failingCommand == 0xFFFFFFFF);
    CHECK(record.faultAddress == 0);
    CHECK(record.commandCount == 2);
    CHECK(record.queuedCycle >= rung);
    CHECK(record.startCycle > record.queuedCycle);
    REQUIRE(rig.device.executed.size() == 1);
    CHECK(record.startCycle <= rig.device.executed[0].startCycle);
    CHECK(record.endCycle >= rig.device.executed[0].endCycle);
    CHECK(rig.device.raised == std::vector<std::uint32_t>{1});  // JOB_DONE
    CHECK(rig.ringHeader(0).fenceValue == 0x123456789AULL * 10);
}

TEST_CASE("the record is written before the counters that announce it [E-1]") {
    Rig rig;
    rig.makeRing(0, 1, PriorityBand::kNormal);
    rig.step([&] { rig.submit(0, rig.smallJob(1)); });
    rig.run();
    const std::uint64_t ring = Rig::ringAddress(0);
    const auto firstWrite = [&](std::uint64_t address) {
        return std::find(rig.device.written.begin(), rig.device.written.end(), address) -
               rig.device.written.begin();
    };
    const auto record = firstWrite(ring + 64 + std::uint64_t{8} * 128);
    const auto fence = firstWrite(ring + 32);
    const auto counters = firstWrite(ring + 20);
    CHECK(record < fence);
    CHECK(fence < counters);
    CHECK(counters < static_cast<std::ptrdiff_t>(rig.device.written.size()));
}

TEST_CASE("a full completion ring holds its jobs back until the driver has read [E-1]") {
    Rig rig;
    rig.makeRing(0, 1, PriorityBand::kNormal, 4, 4);
    const auto submitFour = [&](std::uint64_t firstId) {
        for (std::uint64_t id = firstId; id < firstId + 4; ++id) {
            rig.put(0, rig.smallJob(id));
        }
        rig.bell(0);
    };
    std::uint64_t readAt = 0;
    rig.step([&] { submitFour(1); });
    rig.step([&] {
        submitFour(5);
        rig.device.at(rig.device.now() + 400000, [&] {
            CHECK(startOrder(rig).size() == 4);
            readAt = rig.device.now();
            rig.readCompletions(0);
        });
    });
    rig.run();
    rig.readCompletions(0);
    CHECK(rig.completions.size() == 8);
    // The longest pause between two checks is 65536 cycles.
    CHECK(rig.device.marks.back().cycle < readAt + 65536 + 20000);
    CHECK(rig.device.protocolErrors.empty());
}

TEST_CASE("a full completion ring does not delay other rings, even of lower bands") {
    Rig rig;
    rig.makeRing(0, 1, PriorityBand::kRealtime, 2, 2);
    rig.makeRing(1, 2, PriorityBand::kIdle);
    rig.step([&] {
        rig.put(0, rig.smallJob(1));
        rig.put(0, rig.smallJob(2));
        rig.bell(0);
    });
    rig.step([&] {
        rig.submit(0, rig.smallJob(3));
        rig.submit(1, rig.smallJob(50));
        rig.device.at(rig.device.now() + 300000, [&] { rig.readCompletions(0); });
    });
    rig.run();
    CHECK(startOrder(rig) == std::vector<std::uint64_t>{1, 2, 50, 3});
}

TEST_CASE("a message is answered while a completion ring is full") {
    Rig rig;
    rig.makeRing(0, 1, PriorityBand::kNormal, 2, 2);
    rig.step([&] {
        rig.put(0, rig.smallJob(1));
        rig.put(0, rig.smallJob(2));
        rig.bell(0);
    });
    rig.step([&] {
        rig.submit(0, rig.smallJob(3));
        rig.device.at(rig.device.now() + 50000, [&] { rig.post(request(MessageType::kPing, 1)); });
        rig.device.at(rig.device.now() + 60000, [&] {
            CHECK(rig.device.hostRead(regs::MailboxOutControl::kSpec.offset) == 1);
            rig.readCompletions(0);
        });
    });
    rig.run();
    CHECK(startOrder(rig).size() == 3);
}

TEST_CASE("destroying a ring with a full completion ring does not wait for the driver") {
    Rig rig;
    rig.makeRing(0, 1, PriorityBand::kNormal, 2, 2);
    rig.step([&] {
        rig.put(0, rig.smallJob(1));
        rig.put(0, rig.smallJob(2));
        rig.bell(0);
    });
    rig.step([&] {
        rig.put(0, rig.smallJob(3));
        rig.put(0, rig.smallJob(4));
        rig.bell(0);
        rig.post(destroyRing(0));
    });
    rig.run();
    CHECK(statusOf(rig.messages.back()) == MessageStatus::kOk);
    CHECK(rig.messages.back().value == 2);
    CHECK(rig.ringHeader(0).completionTail == 2);  // nothing was overwritten
    CHECK(rig.ringHeader(0).head == 4);
}

TEST_CASE("an invalid completionHead counts as full until it is corrected") {
    Rig rig;
    rig.makeRing(0, 1, PriorityBand::kNormal, 2, 2);
    rig.step([&] {
        rig.put(0, rig.smallJob(1));
        rig.put(0, rig.smallJob(2));
        rig.bell(0);
    });
    rig.step([&] {
        RingHeader header = rig.ringHeader(0);
        header.completionHead = 77;
        rig.setRingHeader(0, header);
        rig.submit(0, rig.smallJob(3));
        rig.device.at(rig.device.now() + 50000, [&] {
            CHECK(startOrder(rig).size() == 2);
            RingHeader healed = rig.ringHeader(0);
            healed.completionHead = 2;
            rig.setRingHeader(0, healed);
        });
    });
    rig.run();
    CHECK(startOrder(rig).size() == 3);
}

TEST_CASE("two runs of one script are identical to the cycle [E-4]") {
    const auto runOnce = [] {
        Rig rig;
        rig.makeRing(0, 1, PriorityBand::kNormal);
        rig.makeRing(1, 2, PriorityBand::kFocus);
        rig.step([&] {
            for (std::uint64_t id = 1; id <= 5; ++id) {
                rig.put(0, rig.smallJob(id));
                rig.put(1, rig.smallJob(id + 100));
            }
            rig.bell(0);
            rig.bell(1);
        });
        rig.run();
        std::vector<std::uint64_t> cycles;
        for (const FakeController::Mark& mark : rig.device.marks) {
            cycles.push_back(mark.cycle);
        }
        return cycles;
    };
    CHECK(runOnce() == runOnce());
}

TEST_SUITE_END();

}  // namespace vnpu::fw::test

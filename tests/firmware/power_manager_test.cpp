// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "tests/firmware/rig.h"

namespace vnpu::fw::test {
namespace {

namespace regs = hw::regs;

constexpr std::uint32_t kDelayUs = 100;
constexpr std::uint64_t kDelayCycles = 100'000;  // at 1000 MHz

/// The cost of a register access or a log record on the fake controller.
constexpr std::uint64_t kRegister = 2;
constexpr std::uint64_t kLog = 12 + 2 * kRegister + (100 + 32 / 4) + (100 + 8 / 4);

Message setPower(std::uint32_t value) {
    Message message = request(MessageType::kSetPower, 9);
    message.value = value;
    return message;
}

JobSlot jobAtLevel(Rig& rig, std::uint64_t jobId, std::uint32_t level) {
    JobSlot slot = rig.smallJob(jobId);
    slot.clockLevel = level;
    return slot;
}

std::vector<LogRecord> logOf(Rig& rig, LogEvent event) {
    std::vector<LogRecord> found;
    for (const LogRecord& record : rig.log()) {
        if (record.event == event) {
            found.push_back(record);
        }
    }
    return found;
}

std::uint64_t startOf(const Rig& rig, std::uint64_t jobId) {
    const auto& marks = rig.device.marks;
    const auto found = std::ranges::find_if(marks, [&](const FakeController::Mark& mark) {
        return mark.event == "job-start" && mark.jobId == jobId;
    });
    REQUIRE(found != marks.end());
    return found->cycle;
}

std::ptrdiff_t downsBetweenJobs(const Rig& rig) {
    return std::ranges::count_if(rig.device.powerDowns, [&](std::uint64_t cycle) {
        return cycle > startOf(rig, 1) && cycle < startOf(rig, 2);
    });
}

/// The time from the doorbell of job 2 to its start, `pauseCycles` after job 1 was submitted.
std::uint64_t startAfterPause(Rig& rig, std::uint64_t pauseCycles) {
    std::uint64_t bell = 0;
    rig.makeRing(0, 1, PriorityBand::kNormal);
    rig.makeRing(1, 2, PriorityBand::kNormal);
    rig.step([&] {
        rig.put(1, rig.smallJob(2));
        bell = rig.device.now() + pauseCycles;
        rig.device.at(bell, [&] { rig.bell(1); });
        rig.submit(0, rig.smallJob(1));
    });
    rig.run();
    return startOf(rig, 2) - bell;
}

}  // namespace

TEST_SUITE_BEGIN("firmware/power_manager");

TEST_CASE("without an autosuspend time the device never sleeps") {
    Rig rig;
    rig.device.setPower(0);
    startAfterPause(rig, 10 * kDelayCycles);
    CHECK(rig.device.powerDowns.empty());
    CHECK(rig.device.clockLevels.empty());
    CHECK(rig.device.protocolErrors.empty());
}

TEST_CASE("the first job after a sleep starts later only by power-up and restore [B-1]") {
    Rig awake;
    awake.device.setPower(kDelayUs);
    const std::uint64_t warm = startAfterPause(awake, kDelayCycles / 2);
    CHECK(downsBetweenJobs(awake) == 0);
    Rig rig;
    rig.device.setPower(kDelayUs);
    const std::uint64_t cold = startAfterPause(rig, 2 * kDelayCycles);
    CHECK(downsBetweenJobs(rig) == 1);
    // POWER_SUSPEND is read; two contexts have two root words each; one record is logged.
    // Awake, it looks at the clock instead.
    const std::uint64_t restore = kRegister + 2 * (4 + 2 * kRegister) + kLog - 2 * kRegister;
    CHECK(cold == warm + FakeController::kResumeCycles + restore);
    CHECK(logOf(rig, LogEvent::kResume).back().a == 2);
    CHECK(rig.device.protocolErrors.empty());
}

TEST_CASE("the device sleeps after the idle delay, and restores the roots afterwards") {
    Rig rig;
    rig.device.setPower(kDelayUs);
    rig.makeRing(0, 3, PriorityBand::kNormal);
    std::uint32_t before = 0;
    rig.step([&] {
        CHECK(rig.device.powerDowns.size() >= 1);
        CHECK(rig.device.hostRead(regs::ContextRootLo::kSpec.at(3)) == 0);  // down now
        before = static_cast<std::uint32_t>(rig.device.powerDowns.size());
        rig.submit(0, rig.smallJob(1));
    });
    rig.step([&] {
        REQUIRE(rig.device.powerDowns.size() == before + 1);
        const std::uint64_t end = rig.load<RingHeader>(Rig::ringAddress(0)).head == 1
                                          ? rig.device.executed.back().endCycle
                                          : 0;
        const std::uint64_t idle = rig.device.powerDowns.back() - end;
        CHECK(idle >= kDelayCycles);
        CHECK(idle < kDelayCycles + 3000);  // the record and the log take time
    });
    rig.run();
    CHECK(rig.device.executed.back().jobId == 1);
    CHECK(rig.device.protocolErrors.empty());
}

TEST_CASE("a doorbell between decision and wait prevents the sleep") {
    Rig rig;
    rig.device.setPower(kDelayUs);
    rig.makeRing(0, 1, PriorityBand::kNormal);
    rig.step([&] {
        rig.put(0, rig.smallJob(1));
        rig.device.onSuspendArmed = [&] { rig.bell(0); };
        rig.post(request(MessageType::kPing, 7));
    });
    rig.run();
    const std::vector<LogRecord> suspends = logOf(rig, LogEvent::kSuspend);
    CHECK(suspends.size() == rig.device.powerDowns.size() + 1);  // one was not carried out
    CHECK(rig.load<RingHeader>(Rig::ringAddress(0)).head == 1);
}

TEST_CASE("a held device does not sleep, a released one does [B-1]") {
    Rig rig;
    rig.device.setPower(kDelayUs);
    std::size_t held = 0;
    rig.ask(setPower(kPowerHeld));
    rig.step([&] {
        held = rig.device.powerDowns.size();
        rig.device.at(rig.device.now() + 10 * kDelayCycles, [] {});
    });
    rig.step([&] { CHECK(rig.device.powerDowns.size() == held); });
    rig.ask(setPower(0));
    rig.step([&] { CHECK(rig.device.powerDowns.size() == held + 1); });
    rig.run();
    CHECK(logOf(rig, LogEvent::kPowerHold).size() == 2);
    CHECK(rig.device.protocolErrors.empty());
}

TEST_CASE("jobs run at the level of their slots, which changes only between jobs") {
    Rig rig;
    rig.device.setPower(0);
    rig.makeRing(0, 1, PriorityBand::kNormal);
    rig.step([&] {
        rig.put(0, jobAtLevel(rig, 1, 1));
        rig.put(0, jobAtLevel(rig, 2, 1));
        rig.put(0, jobAtLevel(rig, 3, 0));
        rig.put(0, jobAtLevel(rig, 4, kMaxClockLevel));  // beyond the last
        rig.bell(0);
    });
    rig.step([&] { rig.readCompletions(0); });
    rig.run();
    CHECK(rig.device.clockLevels == std::vector<std::uint32_t>{1, 0, 1});
    const std::vector<LogRecord> changes = logOf(rig, LogEvent::kClockLevel);
    REQUIRE(changes.size() == 3);
    CHECK(changes[0].a == 1);
    CHECK(changes[0].b == 500'000);
    CHECK(rig.completions.size() == 4);
}

TEST_CASE("a level beyond the interface's is a bad slot") {
    Rig rig;
    rig.device.setPower(0);
    rig.makeRing(0, 1, PriorityBand::kNormal);
    rig.step([&] { rig.submit(0, jobAtLevel(rig, 1, kMaxClockLevel + 1)); });
    rig.step([&] { rig.readCompletions(0); });
    rig.run();
    REQUIRE(rig.completions.size() == 1);
    CHECK(rig.completions[0].status == hw::JobStatus::kBadJob);
}

TEST_CASE("a hold raises the level of slow jobs, and of an idle device immediately [B-1]") {
    Rig rig;
    rig.device.setPower(0);
    rig.makeRing(0, 1, PriorityBand::kNormal);
    rig.step([&] { rig.submit(0, jobAtLevel(rig, 1, 1)); });
    rig.step([&] { CHECK(rig.device.clockLevels == std::vector<std::uint32_t>{1}); });
    rig.ask(setPower(kPowerHeld));
    rig.step([&] {
        CHECK(rig.device.clockLevels == std::vector<std::uint32_t>{1, 0});
        rig.submit(0, jobAtLevel(rig, 2, 1));
    });
    rig.step([&] { CHECK(rig.device.clockLevels.size() == 2); });
    rig.ask(setPower(0));
    rig.step([&] { rig.submit(0, jobAtLevel(rig, 3, 1)); });
    rig.run();
    CHECK(rig.device.clockLevels == std::vector<std::uint32_t>{1, 0, 1});
}

TEST_CASE("invalid hold values are refused and change nothing") {
    Rig rig;
    rig.device.setPower(kDelayUs);
    const std::uint32_t bad[] = {2U, 1U << 16, 0xFFFFFFFFU, kPowerHeld | 2U << kPowerLevelShift,
                                 1U << kPowerLevelShift};
    for (const std::uint32_t value : bad) {
        rig.ask(setPower(value));
    }
    rig.step([] {});
    rig.run();
    REQUIRE(rig.messages.size() == 1 + std::size(bad));
    for (std::size_t i = 0; i < std::size(bad); ++i) {
        CHECK(statusOf(rig.messages[1 + i]) == MessageStatus::kBadParameter);
    }
    CHECK(logOf(rig, LogEvent::kPowerHold).empty());
    CHECK(!rig.device.powerDowns.empty());
}

TEST_CASE("the log distinguishes a cold boot from a warm one") {
    for (const bool isCold : {true, false}) {
        Rig rig;
        rig.device.hostWrite(regs::PowerStatus::kSpec.offset,
                             regs::PowerStatus::kCold.put(isCold ? 1 : 0));
        rig.run();
        CHECK(rig.device.marks[0].event == (isCold ? "cold-boot" : "warm-boot"));
        CHECK(logOf(rig, LogEvent::kBoot).front().b == (isCold ? 0 : 1));
    }
}

TEST_SUITE_END();

}  // namespace vnpu::fw::test

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "driver/port/device_port.h"
#include "firmware/api/boot.h"
#include "firmware/api/job_ring.h"
#include "firmware/api/mailbox.h"
#include "firmware/api/scheduling.h"
#include "tests/driver/support/fake_memory.h"

namespace vnpu::driver::test {

inline constexpr std::uint64_t kPage = 4096;

/// A job as the fake firmware found it in the ring.
struct ObservedJob {
    std::uint32_t ring = 0;
    std::uint32_t context = 0;
    fw::PriorityBand band{};
    fw::JobSlot slot{};
    std::vector<fw::RegionEntry> regions;
    std::vector<std::byte> commands;
};

/// A device in plain memory with a scripted firmware on a thread of its own. Its clock moves only
/// when the device works, the host is charged, or a wait ends with nothing left to happen: then the
/// wait's whole timeout passes at once. Nothing sleeps.
class FakeDevicePort : public DevicePort {
  public:
    static constexpr std::uint32_t kClockKhz = 1'000'000;    // a cycle is a nanosecond
    static constexpr std::uint64_t kJobCycles = 7000;        // of every job
    static constexpr std::uint64_t kMemoryBytes = 8U << 20;  // of the device

    FakeDevicePort();
    ~FakeDevicePort() override;

    std::uint32_t read32(std::uint32_t offset) override;
    void write32(std::uint32_t offset, std::uint32_t value) override;
    Result<DmaBuffer> allocateDma(std::uint64_t sizeBytes) override;
    void freeDma(const DmaBuffer& buffer) override;
    Result<std::uint64_t> mapDma(void* pages, std::uint64_t sizeBytes) override;
    void unmapDma(std::uint64_t busAddress, std::uint64_t sizeBytes) override;
    std::byte* mapWindow(std::uint64_t busAddress, std::uint64_t sizeBytes) override;
    void setInterruptHandler(std::function<void()> handler) override;
    std::unique_ptr<HostEvent> createEvent() override;
    [[nodiscard]] Result<void> post(std::function<void()> work) override;
    bool hasSystemThreads() const override { return hasSystemThreads_; }
    std::chrono::nanoseconds now() override;
    void chargeHost(HostWork work) override;

    // ---- the script: deviations of the firmware from normal operation

    /// Registers that are not the defaults of a small device.
    void setRegister(std::uint32_t offset, std::uint32_t value);
    /// Adds `kib` of resident memory, filled with 0xAA; call it before the driver boots the device.
    void addResidentMemory(std::uint32_t kib);
    /// The work of a job; by default none. Called on the firmware's thread; the status goes to the
    /// completion record.
    using JobFunction = std::function<hw::JobStatus(FakeMemory& memory, const ObservedJob& job)>;
    void setJobFunction(JobFunction function);
    /// Replies to messages of this type with this status from now on.
    void refuse(fw::MessageType type, fw::MessageStatus status);
    void setReadyMessage(const fw::Message& message);
    /// From now on messages and doorbells have no effect, and the heartbeat stands still.
    void hang();
    /// As hang(), until the next reset.
    void hangUntilReset();
    /// Likewise, as soon as a job has started and the log has its start.
    void hangInNextJob();
    /// Flips a bit in the next `count` messages to the driver.
    void spoilMessages(int count);
    /// Changes the next completion record after its checksum was made.
    void spoilNextRecord(std::function<void(fw::CompletionRecord&)> how);
    /// Calls the interrupt handler without a reason.
    void pulseInterrupt();
    /// Jobs wait until resume().
    void pause();
    void resume();
    /// Completion records come without an interrupt.
    void loseJobInterrupts();
    void raiseFatal();
    void raiseMmuFault(std::uint32_t info, std::uint64_t address);
    void advance(std::chrono::nanoseconds time);
    /// Lets this much time pass before each posted work from now on.
    void delayPosted(std::chrono::nanoseconds time);
    /// From now on there are no threads for posted work; or there are again.
    void denyThreads(bool isDenied = true);
    /// Says that host threads may not block, as in virtual time.
    void denySystemThreads() { hasSystemThreads_ = false; }

    // ---- observations

    std::vector<ObservedJob> jobs() const;
    std::vector<fw::Message> messages() const;
    fw::BootParameters bootParameters() const;
    bool isInReset() const;
    std::uint32_t boots() const;
    /// Under the port's lock.
    template <typename F>
    auto withMemory(F&& look) {
        const std::lock_guard guard(mutex_);
        return look(memory_);
    }
    /// Waits until posted work has ended.
    void joinPosted();
    /// Waits until `count` threads wait for events without a timeout.
    void awaitWaiters(int count);
    /// The same for waits with a timeout, which go on while the device has something to do.
    void awaitTimedWaiters(int count);
    /// The scheduling parameters that the driver has set.
    std::optional<fw::SchedulingParameters> scheduling() const;

  private:
    struct Ring {
        std::uint32_t context = 0;
        fw::PriorityBand band{};
        std::uint64_t busAddress = 0;
    };
    class Event;

    void runFirmware();
    void runInterrupts();
    bool isIdle() const;  // all with mutex_ held, from here on
    void boot();
    void reset();
    void logStart(const ObservedJob& job);
    void answer(const fw::Message& message);
    void send(const fw::Message& message);
    fw::MessageStatus serve(const fw::Message& message);
    void runJobs(std::uint32_t ring, std::uint32_t tail, std::unique_lock<std::mutex>& lock);
    fw::CompletionRecord runJob(ObservedJob& job);
    std::optional<std::vector<std::byte>> readVirtual(std::uint32_t context, std::uint64_t address,
                                                      std::uint64_t sizeBytes);
    void raise(std::uint32_t bits);

    mutable std::mutex mutex_;
    std::condition_variable changed_;
    FakeMemory memory_{kMemoryBytes};
    std::map<std::uint32_t, std::uint32_t> registers_;
    std::deque<std::function<void(std::unique_lock<std::mutex>&)>> work_;  // of the firmware
    std::function<void()> handler_;
    int waiters_ = 0;
    int timedWaiters_ = 0;
    std::optional<fw::SchedulingParameters> scheduling_;
    bool isFirmwareBusy_ = false;
    bool isHandlerBusy_ = false;
    bool isEnding_ = false;
    bool isHung_ = false;
    bool isCuredByReset_ = false;
    bool hangsInJob_ = false;
    int spoiledMessages_ = 0;
    std::uint32_t boots_ = 0;
    std::function<void(fw::CompletionRecord&)> spoil_;
    bool isPaused_ = false;
    bool losesJobInterrupts_ = false;
    bool hasSystemThreads_ = true;
    bool deniesThreads_ = false;
    std::chrono::nanoseconds now_{0};
    std::chrono::nanoseconds postDelay_{0};
    std::map<fw::MessageType, fw::MessageStatus> refusals_;
    fw::Message ready_{};
    JobFunction jobFunction_;
    std::map<std::uint32_t, Ring> rings_;
    fw::BootParameters bootParameters_{};
    std::vector<ObservedJob> jobs_;
    std::vector<fw::Message> messages_;
    std::vector<std::thread> posted_;
    std::thread firmware_;
    std::thread interrupts_;
};

}  // namespace vnpu::driver::test

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "firmware/api/boot.h"
#include "firmware/api/job_ring.h"
#include "firmware/api/log.h"
#include "firmware/api/mailbox.h"
#include "firmware/core/firmware.h"
#include "hw_model/regs/command_writer.h"
#include "tests/firmware/fake_controller.h"

namespace vnpu::fw::test {

// Addresses of the rig's data in bus memory.
inline constexpr std::uint64_t kBootAddress = 0x10000;
inline constexpr std::uint64_t kLogAddress = 0x11000;
inline constexpr std::uint32_t kLogBytes = 4096;
inline constexpr std::uint64_t kRootAddress = 0x20000;   // 4 KiB for each context
inline constexpr std::uint64_t kRingAddress = 0x100000;  // 64 KiB for each ring
inline constexpr std::uint64_t kHeapAddress = 0x300000;

/// The driver's half: boots the fake device, sends messages, creates rings and jobs, reads
/// completions. Its actions are queued as steps of the device's script; run() lets the firmware
/// process them and returns at the reset after the last one.
class Rig {
  public:
    Rig();

    FakeController device;
    BootParameters parameters{};
    std::vector<Message> messages;              // all messages from the mailbox
    std::vector<CompletionRecord> completions;  // in the order of reading
    bool areSealsIntact = true;                 // the seals of all messages
    bool takesMessages = true;                  // between the steps

    void run();
    void step(std::function<void()> action);

    /// Writes a request into the mailbox now.
    void post(const Message& request);
    void postSealed(const Message& request);  // unchanged

    /// Sends a request as a separate step; the reply to the nth request is messages[1 + n], after
    /// kReady.
    void ask(const Message& request);

    /// Creates the ring, and the context if it does not exist.
    void makeRing(std::uint32_t ring, std::uint32_t context, PriorityBand band,
                  std::uint32_t slots = 8, std::uint32_t completionSlots = 8);
    RingHeader ringHeader(std::uint32_t ring);
    void setRingHeader(std::uint32_t ring, const RingHeader& header);

    struct Region {
        std::uint64_t address;
        std::uint64_t sizeBytes;
        bool isWritable;
    };

    /// A job with its stream and regions in memory; by default one writable region of 4096 bytes.
    JobSlot makeJob(std::uint64_t jobId, std::span<const std::byte> stream,
                    std::span<const Region> regions = {});
    JobSlot makeJob(std::uint64_t jobId, const hw::CommandWriter& writer) {
        return makeJob(jobId, writer.bytes());
    }

    /// A job of one 100-cycle command and kEnd.
    JobSlot smallJob(std::uint64_t jobId);

    /// Puts a job into the ring, without the doorbell.
    void put(std::uint32_t ring, const JobSlot& slot);
    void bell(std::uint32_t ring);
    void submit(std::uint32_t ring, const JobSlot& slot) {
        put(ring, slot);
        bell(ring);
    }

    /// Takes the new records of a ring into `completions`.
    void readCompletions(std::uint32_t ring);

    std::vector<LogRecord> log();
    std::uint64_t allocate(std::size_t bytes);

    template <typename Value>
    void store(std::uint64_t busAddress, const Value& value) {
        std::memcpy(device.memory(busAddress, sizeof(Value)).data(), &value, sizeof(Value));
    }
    template <typename Value>
    Value load(std::uint64_t busAddress) {
        Value value{};
        std::memcpy(&value, device.memory(busAddress, sizeof(Value)).data(), sizeof(Value));
        return value;
    }

    static std::uint64_t ringAddress(std::uint32_t ring) {
        return kRingAddress + std::uint64_t{ring} * 0x10000;
    }
    static std::uint64_t virtualOf(std::uint64_t busAddress) {
        return busAddress + FakeController::kVirtualOffset;
    }

  private:
    void takeMessage();

    std::unique_ptr<hw::ControllerProgram> firmware_;
    std::uint64_t heapTop_ = kHeapAddress;
    std::array<bool, hw::regs::kContextCount> contexts_{};
};

// ---- messages ----
Message request(MessageType type, std::uint32_t id);
Message createContext(std::uint32_t context, std::uint64_t rootAddress);
Message destroyContext(std::uint32_t context);
Message createRing(std::uint32_t ring, std::uint32_t context, std::uint32_t band,
                   std::uint64_t address);
Message destroyRing(std::uint32_t ring);

inline MessageStatus statusOf(const Message& message) {
    return static_cast<MessageStatus>(message.status);
}

// ---- commands that a rig's job may hold ----
/// Fills 64 bytes of SRAM.
hw::DmaFill smallFill();
hw::CommandContext onEngine(hw::Engine engine, std::span<const hw::TokenWait> waits = {});

}  // namespace vnpu::fw::test

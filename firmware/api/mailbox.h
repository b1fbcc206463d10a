// SPDX-License-Identifier: Apache-2.0
#pragma once

// Mailbox messages: 32 bytes each way. A request carries an id that its reply repeats. One request
// at a time.
//
// Messages are sealed in transit: bits 16 to 31 of the first word are a checksum of all other bits.
// A message whose seal is broken must not be used. The firmware answers such a request with
// kCorrupted and id 0. The driver sends it again with kRepeated in the first word, as it does when
// the reply is corrupted, and the firmware repeats the reply to a request that it has answered.

#include <array>
#include <bit>
#include <cstdint>

namespace vnpu::fw {

enum class MessageType : std::uint32_t {
    kNone = 0,
    // driver to firmware
    kCreateContext = 1,   // context, address = bus address of the root page table
    kDestroyContext = 2,  // context; its rings must be destroyed first
    kCreateRing = 3,      // ring, context, value = priority band, address = of the job ring
    kDestroyRing = 4,     // ring; running and queued jobs end with kAborted; value = how many were
                          // queued. A record that finds the completion ring full is left out
    kInvalidateTlb = 5,   // context
    kGetVersions = 6,     // words 4..7 of the reply as in kReady
    kPing = 7,            // value is returned
    kSetScheduling = 8,   // address = bus address of SchedulingParameters (scheduling.h)
    kAbortJob = 9,        // ring, jobId: it ends with kAborted; kBadJob if the ring has no such job
    kSuspendRing = 10,    // ring: no job of it starts; its running one is saved at a checkpoint
    kResumeRing = 11,     // ring
    kStateDump = 12,      // address, value = bytes there: writes a StateDump (state_dump.h)
    kSetPower = 13,       // value = PowerHold: the level to hold until the next request
    // firmware to driver
    kReady = 0x80,       // boot finished; words 4..7: boot, mailbox, ring, command stream version
    kBootFailed = 0x81,  // value = BootError
    kReply = 0x82,       // requestId, status = MessageStatus, value
};

enum class MessageStatus : std::uint32_t {
    kOk = 0,
    kUnknownType = 1,
    kBadContext = 2,  // index out of range, already in use, or not in use
    kBadRing = 3,     // likewise, or the ring header violates job_ring.h
    kBadAddress = 4,  // not aligned, zero, or not readable
    kBadVersion = 5,
    kBusy = 6,  // context still has rings
    kBadPriority = 7,
    kBadParameter = 8,  // a field of the value, or of the data at the address
    kBadJob = 9,
    kCorrupted = 10,  // seal broken; the request is unknown
};

enum class BootError : std::uint32_t {
    kNone = 0,
    kUnreadable = 1,  // address is zero, misaligned or answered with a bus error
    kBadMagic = 2,
    kBadSize = 3,
    kBadVersion = 4,  // another major version or command stream, or a reserved field in use
    kBadLog = 5,
    kNoLocalMemory = 6,  // the controller has less than the firmware needs
};

/// Value of kSetPower. Without kPowerHeld, and after a boot, nothing is held: jobs run at their own
/// level, and an idle device sleeps.
inline constexpr std::uint32_t kPowerHeld = 1U << 0;  // stays awake, at kPowerLevel or faster
inline constexpr unsigned kPowerLevelShift = 8;
inline constexpr std::uint32_t kPowerLevelMask = 0xFU << kPowerLevelShift;

struct Message {
    MessageType type;
    std::uint32_t requestId;
    std::uint32_t status;  // MessageStatus in replies
    std::uint32_t value;
    union {
        struct {
            std::uint32_t context;
            std::uint32_t ring;
            union {
                std::uint64_t address;
                std::uint64_t jobId;
            };
        } target;
        std::uint32_t versions[4];
    };
};
static_assert(sizeof(Message) == 32);

inline constexpr std::uint32_t kRepeated = 1U << 15;  // in the first word of a request
inline constexpr std::uint32_t kTypeMask = kRepeated - 1;

/// The 16-bit checksum of a message: each flipped bit changes it.
constexpr std::uint32_t sealOf(const Message& message) {
    auto words = std::bit_cast<std::array<std::uint32_t, sizeof(Message) / 4>>(message);
    words[0] &= kTypeMask | kRepeated;
    std::uint32_t sum = 0x5EA1;
    for (const std::uint32_t word : words) {
        sum = std::rotl(sum, 1) ^ word;
    }
    return (sum ^ sum >> 16) & 0xFFFF;
}

/// The message as it is written to the mailbox.
constexpr Message sealed(Message message) {
    const std::uint32_t first = static_cast<std::uint32_t>(message.type) & (kTypeMask | kRepeated);
    message.type = static_cast<MessageType>(first | sealOf(message) << 16);
    return message;
}

/// Removes the seal and kRepeated from a message of the mailbox; false if the seal is broken.
constexpr bool unseal(Message& message, bool& isRepeated) {
    const auto first = static_cast<std::uint32_t>(message.type);
    const bool isIntact = first >> 16 == sealOf(message);
    isRepeated = (first & kRepeated) != 0;
    message.type = static_cast<MessageType>(first & kTypeMask);
    return isIntact;
}

}  // namespace vnpu::fw

// SPDX-License-Identifier: Apache-2.0
#pragma once

// Mailbox messages: 32 bytes each way. A request carries an id that its reply repeats. One request
// at a time.

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
    // firmware to driver
    kReady = 0x80,       // boot finished; words 4..7: boot, mailbox, ring, command stream version
    kBootFailed = 0x81,  // value = BootError
    kReply = 0x82,       // requestId, status = MessageStatus, value
};

enum class MessageStatus : std::uint32_t {
    kOk = 0,
    kUnknownType = 1,
    kBadContext = 2,  // index out of range, already there, or not there
    kBadRing = 3,     // likewise; also a ring header that is not as job_ring.h demands
    kBadAddress = 4,  // not aligned, zero, or not readable
    kBadVersion = 5,
    kBusy = 6,  // context still has rings
    kBadPriority = 7,
    kBadParameter = 8,  // a field of what the address names
    kBadJob = 9,
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

}  // namespace vnpu::fw

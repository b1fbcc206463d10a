// SPDX-License-Identifier: Apache-2.0
//
// The C headers of driver/minimal against the declarations that the firmware uses.
#include <doctest/doctest.h>

#include <array>
#include <bit>
#include <cstddef>

#include "driver/minimal/include/vnpu/firmware.h"
#include "firmware/api/boot.h"
#include "firmware/api/job_ring.h"
#include "firmware/api/mailbox.h"
#include "hw_model/regs/command_stream.h"
#include "hw_model/regs/page_table.h"

namespace fw = vnpu::fw;
namespace hw = vnpu::hw;

#define SAME_SIZE(c, cpp) static_assert(sizeof(c) == sizeof(cpp))
#define SAME_FIELD(c, cField, cpp, cppField)                       \
    static_assert(offsetof(c, cField) == offsetof(cpp, cppField)); \
    static_assert(sizeof(c::cField) == sizeof(cpp::cppField))
#define SAME_VALUE(c, cpp) static_assert((c) == static_cast<std::uint64_t>(cpp))

SAME_SIZE(vnpu_boot_parameters, fw::BootParameters);
SAME_FIELD(vnpu_boot_parameters, magic, fw::BootParameters, magic);
SAME_FIELD(vnpu_boot_parameters, size_bytes, fw::BootParameters, sizeBytes);
SAME_FIELD(vnpu_boot_parameters, boot_api_version, fw::BootParameters, bootApiVersion);
SAME_FIELD(vnpu_boot_parameters, mailbox_api_version, fw::BootParameters, mailboxApiVersion);
SAME_FIELD(vnpu_boot_parameters, ring_api_version, fw::BootParameters, ringApiVersion);
SAME_FIELD(vnpu_boot_parameters, command_stream_version, fw::BootParameters, commandStreamVersion);
SAME_FIELD(vnpu_boot_parameters, flags, fw::BootParameters, flags);
SAME_FIELD(vnpu_boot_parameters, log_bytes, fw::BootParameters, logBytes);
SAME_FIELD(vnpu_boot_parameters, log_bus_address, fw::BootParameters, logBusAddress);
SAME_FIELD(vnpu_boot_parameters, heartbeat_interval_cycles, fw::BootParameters,
           heartbeatIntervalCycles);
SAME_FIELD(vnpu_boot_parameters, dump_bus_address, fw::BootParameters, dumpBusAddress);
SAME_FIELD(vnpu_boot_parameters, watchdog_cycles, fw::BootParameters, watchdogCycles);
SAME_VALUE(VNPU_BOOT_MAGIC, fw::kBootMagic);
SAME_VALUE(VNPU_BOOT_API_VERSION, fw::kBootApiVersion);
SAME_VALUE(VNPU_MAILBOX_API_VERSION, fw::kMailboxApiVersion);
SAME_VALUE(VNPU_RING_API_VERSION, fw::kRingApiVersion);

SAME_SIZE(vnpu_message, fw::Message);
SAME_FIELD(vnpu_message, type, fw::Message, type);
SAME_FIELD(vnpu_message, request_id, fw::Message, requestId);
SAME_FIELD(vnpu_message, status, fw::Message, status);
SAME_FIELD(vnpu_message, value, fw::Message, value);
SAME_FIELD(vnpu_message, context, fw::Message, target.context);
SAME_FIELD(vnpu_message, ring, fw::Message, target.ring);
SAME_FIELD(vnpu_message, address, fw::Message, target.address);
SAME_VALUE(VNPU_MESSAGE_CREATE_CONTEXT, fw::MessageType::kCreateContext);
SAME_VALUE(VNPU_MESSAGE_DESTROY_CONTEXT, fw::MessageType::kDestroyContext);
SAME_VALUE(VNPU_MESSAGE_CREATE_RING, fw::MessageType::kCreateRing);
SAME_VALUE(VNPU_MESSAGE_DESTROY_RING, fw::MessageType::kDestroyRing);
SAME_VALUE(VNPU_MESSAGE_INVALIDATE_TLB, fw::MessageType::kInvalidateTlb);
SAME_VALUE(VNPU_MESSAGE_GET_VERSIONS, fw::MessageType::kGetVersions);
SAME_VALUE(VNPU_MESSAGE_PING, fw::MessageType::kPing);
SAME_VALUE(VNPU_MESSAGE_SET_SCHEDULING, fw::MessageType::kSetScheduling);
SAME_VALUE(VNPU_MESSAGE_ABORT_JOB, fw::MessageType::kAbortJob);
SAME_VALUE(VNPU_MESSAGE_SUSPEND_RING, fw::MessageType::kSuspendRing);
SAME_VALUE(VNPU_MESSAGE_RESUME_RING, fw::MessageType::kResumeRing);
SAME_VALUE(VNPU_MESSAGE_STATE_DUMP, fw::MessageType::kStateDump);
SAME_VALUE(VNPU_MESSAGE_SET_POWER, fw::MessageType::kSetPower);
SAME_VALUE(VNPU_MESSAGE_READY, fw::MessageType::kReady);
SAME_VALUE(VNPU_MESSAGE_BOOT_FAILED, fw::MessageType::kBootFailed);
SAME_VALUE(VNPU_MESSAGE_REPLY, fw::MessageType::kReply);
SAME_VALUE(VNPU_MESSAGE_TYPE_MASK, fw::kTypeMask);
SAME_VALUE(VNPU_MESSAGE_REPEATED, fw::kRepeated);

SAME_SIZE(vnpu_ring_header, fw::RingHeader);
SAME_FIELD(vnpu_ring_header, magic, fw::RingHeader, magic);
SAME_FIELD(vnpu_ring_header, version, fw::RingHeader, version);
SAME_FIELD(vnpu_ring_header, slot_count, fw::RingHeader, slotCount);
SAME_FIELD(vnpu_ring_header, completion_count, fw::RingHeader, completionCount);
SAME_FIELD(vnpu_ring_header, tail, fw::RingHeader, tail);
SAME_FIELD(vnpu_ring_header, head, fw::RingHeader, head);
SAME_FIELD(vnpu_ring_header, completion_tail, fw::RingHeader, completionTail);
SAME_FIELD(vnpu_ring_header, completion_head, fw::RingHeader, completionHead);
SAME_FIELD(vnpu_ring_header, fence_value, fw::RingHeader, fenceValue);
SAME_VALUE(VNPU_RING_MAGIC, fw::kRingMagic);
SAME_VALUE(VNPU_MAX_RING_SLOTS, fw::kMaxRingSlots);
SAME_VALUE(VNPU_MAX_REGIONS, hw::kMaxRegions);
SAME_VALUE(VNPU_BAND_IDLE, fw::PriorityBand::kIdle);
SAME_VALUE(VNPU_BAND_NORMAL, fw::PriorityBand::kNormal);
SAME_VALUE(VNPU_BAND_FOCUS, fw::PriorityBand::kFocus);
SAME_VALUE(VNPU_BAND_REALTIME, fw::PriorityBand::kRealtime);

SAME_SIZE(vnpu_job_slot, fw::JobSlot);
SAME_FIELD(vnpu_job_slot, job_id, fw::JobSlot, jobId);
SAME_FIELD(vnpu_job_slot, command_address, fw::JobSlot, commandAddress);
SAME_FIELD(vnpu_job_slot, region_table_address, fw::JobSlot, regionTableAddress);
SAME_FIELD(vnpu_job_slot, command_bytes, fw::JobSlot, commandBytes);
SAME_FIELD(vnpu_job_slot, region_count, fw::JobSlot, regionCount);
SAME_FIELD(vnpu_job_slot, fence_value, fw::JobSlot, fenceValue);
SAME_FIELD(vnpu_job_slot, flags, fw::JobSlot, flags);
SAME_FIELD(vnpu_job_slot, command_stream_version, fw::JobSlot, commandStreamVersion);
SAME_FIELD(vnpu_job_slot, loop_timeout_cycles, fw::JobSlot, loopTimeoutCycles);
SAME_FIELD(vnpu_job_slot, save_address, fw::JobSlot, saveAddress);
SAME_FIELD(vnpu_job_slot, save_bytes, fw::JobSlot, saveBytes);
SAME_FIELD(vnpu_job_slot, estimate_cycles, fw::JobSlot, estimateCycles);
SAME_FIELD(vnpu_job_slot, deadline_cycle, fw::JobSlot, deadlineCycle);
SAME_FIELD(vnpu_job_slot, level, fw::JobSlot, level);
SAME_FIELD(vnpu_job_slot, clock_level, fw::JobSlot, clockLevel);
SAME_FIELD(vnpu_job_slot, sram_blocks, fw::JobSlot, sramBlocks);
SAME_FIELD(vnpu_job_slot, reserved, fw::JobSlot, reserved);

SAME_SIZE(vnpu_region_entry, fw::RegionEntry);
SAME_FIELD(vnpu_region_entry, address, fw::RegionEntry, address);
SAME_FIELD(vnpu_region_entry, size_bytes, fw::RegionEntry, sizeBytes);
SAME_FIELD(vnpu_region_entry, flags, fw::RegionEntry, flags);
SAME_VALUE(VNPU_REGION_WRITABLE, fw::kRegionWritable);

SAME_SIZE(vnpu_completion_record, fw::CompletionRecord);
SAME_FIELD(vnpu_completion_record, job_id, fw::CompletionRecord, jobId);
SAME_FIELD(vnpu_completion_record, fence_value, fw::CompletionRecord, fenceValue);
SAME_FIELD(vnpu_completion_record, status, fw::CompletionRecord, status);
SAME_FIELD(vnpu_completion_record, failing_command, fw::CompletionRecord, failingCommand);
SAME_FIELD(vnpu_completion_record, queued_cycle, fw::CompletionRecord, queuedCycle);
SAME_FIELD(vnpu_completion_record, start_cycle, fw::CompletionRecord, startCycle);
SAME_FIELD(vnpu_completion_record, end_cycle, fw::CompletionRecord, endCycle);
SAME_FIELD(vnpu_completion_record, fault_address, fw::CompletionRecord, faultAddress);
SAME_FIELD(vnpu_completion_record, command_count, fw::CompletionRecord, commandCount);
SAME_FIELD(vnpu_completion_record, preemptions, fw::CompletionRecord, preemptions);
SAME_FIELD(vnpu_completion_record, restarts, fw::CompletionRecord, restarts);
SAME_FIELD(vnpu_completion_record, failing_engine, fw::CompletionRecord, failingEngine);
SAME_FIELD(vnpu_completion_record, saved_bytes, fw::CompletionRecord, savedBytes);
SAME_FIELD(vnpu_completion_record, switch_cycles, fw::CompletionRecord, switchCycles);
SAME_FIELD(vnpu_completion_record, wasted_cycles, fw::CompletionRecord, wastedCycles);
SAME_FIELD(vnpu_completion_record, executed_cycles, fw::CompletionRecord, executedCycles);
SAME_FIELD(vnpu_completion_record, context_status, fw::CompletionRecord, contextStatus);
SAME_FIELD(vnpu_completion_record, context_engine, fw::CompletionRecord, contextEngine);
SAME_FIELD(vnpu_completion_record, reloaded_bytes, fw::CompletionRecord, reloadedBytes);
SAME_FIELD(vnpu_completion_record, checksum, fw::CompletionRecord, checksum);
SAME_VALUE(VNPU_JOB_OK, hw::JobStatus::kOk);
SAME_VALUE(VNPU_JOB_MMU_FAULT, hw::JobStatus::kMmuFault);
SAME_VALUE(VNPU_JOB_BUS_ERROR, hw::JobStatus::kBusError);
SAME_VALUE(VNPU_JOB_BAD_JOB, hw::JobStatus::kBadJob);
SAME_VALUE(VNPU_JOB_ABORTED, hw::JobStatus::kAborted);

SAME_VALUE(VNPU_PAGE_BYTES, hw::kPageBytes);
SAME_VALUE(VNPU_TABLE_LEVELS, hw::kTableLevels);
SAME_VALUE(VNPU_TABLE_ENTRIES, hw::kTableEntries);
SAME_VALUE(VNPU_VIRTUAL_ADDRESS_BITS, hw::kVirtualAddressBits);
SAME_VALUE(VNPU_PTE_VALID, hw::PageTableEntry::kValid);
SAME_VALUE(VNPU_PTE_WRITABLE, hw::PageTableEntry::kWritable);
SAME_VALUE(VNPU_PTE_LARGE, hw::PageTableEntry::kLarge);
SAME_VALUE(VNPU_PTE_ADDRESS_MASK, hw::PageTableEntry::kAddressMask);

TEST_SUITE_BEGIN("driver/minimal/headers");

TEST_CASE("the seal of a message is the firmware's") {
    fw::Message message{};
    message.type = fw::MessageType::kCreateRing;
    message.requestId = 0x12345678;
    message.value = 3;
    message.target = {7, 9, {0x1234'5678'9ABC'D000}};
    auto words = std::bit_cast<std::array<std::uint32_t, 8>>(message);
    CHECK(vnpu_message_seal(words.data()) == fw::sealOf(message));
    words[0] |= 0xFFFF0000U;  // the seal's own bits
    CHECK(vnpu_message_seal(words.data()) == fw::sealOf(message));
}

TEST_CASE("the checksum of a record is the firmware's") {
    fw::CompletionRecord record{};
    record.jobId = 0x8000'0000'0000'0001;
    record.endCycle = 77;
    record.reloadedBytes = 5;
    CHECK(vnpu_record_checksum(reinterpret_cast<const vnpu_completion_record*>(&record)) ==
          fw::checksumOf(record));
}

TEST_CASE("the index into a page table is the device's") {
    for (const std::uint64_t address : {0x0ULL, 0x1000ULL, 0x12'3456'7000ULL, 0x7F'FFFF'F000ULL}) {
        for (int level = 0; level < VNPU_TABLE_LEVELS; ++level) {
            CHECK(vnpu_table_index(address, level) ==
                  hw::tableIndex(address, static_cast<std::uint32_t>(level)));
        }
    }
}

TEST_SUITE_END();

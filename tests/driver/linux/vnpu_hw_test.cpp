// SPDX-License-Identifier: Apache-2.0
// The kernel driver's description of the hardware compared with the hardware's own.
#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"  // anonymous structures
#include "driver/linux/vnpu_hw.h"
#pragma GCC diagnostic pop
#include "firmware/api/boot.h"
#include "firmware/api/job_ring.h"
#include "firmware/api/log.h"
#include "firmware/api/mailbox.h"
#include "firmware/api/save_area.h"
#include "firmware/api/scheduling.h"
#include "firmware/api/state_dump.h"
#include "hw_model/regs/page_table.h"
#include "hw_model/regs/registers.h"

namespace vnpu::driver::test {
namespace {

namespace regs = hw::regs;
using Pair = std::pair<std::uint64_t, std::uint64_t>;  // the kernel driver's, the hardware's

template <typename Enumerator>
constexpr std::uint64_t number(Enumerator value) {
    return static_cast<std::uint64_t>(value);
}

template <std::size_t kCount>
void checkEqual(const std::array<Pair, kCount>& pairs) {
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        CAPTURE(i);
        CHECK_EQ(pairs[i].first, pairs[i].second);
    }
}

}  // namespace

TEST_SUITE_BEGIN("driver/linux/vnpu_hw");

TEST_CASE("registers are where the device has them") {
    checkEqual(std::to_array<Pair>({
            {VNPU_REG_ID, regs::Id::kSpec.offset},
            {VNPU_REG_ARCH_VERSION, regs::ArchVersion::kSpec.offset},
            {VNPU_REG_COMMAND_STREAM_VERSION, regs::CommandStreamVersion::kSpec.offset},
            {VNPU_REG_PLATFORM, regs::Platform::kSpec.offset},
            {VNPU_REG_CONFIG_ACCUMULATOR, regs::ConfigAccumulator::kSpec.offset},
            {VNPU_REG_CONFIG_SRAM, regs::ConfigSram::kSpec.offset},
            {VNPU_REG_CONFIG_CLOCK, regs::ConfigClock::kSpec.offset},
            {VNPU_REG_CONTROL, regs::Control::kSpec.offset},
            {VNPU_REG_STATUS, regs::Status::kSpec.offset},
            {VNPU_REG_BOOT_PARAMETERS_LO, regs::BootParametersLo::kSpec.offset},
            {VNPU_REG_BOOT_PARAMETERS_HI, regs::BootParametersHi::kSpec.offset},
            {VNPU_REG_HEARTBEAT, regs::Heartbeat::kSpec.offset},
            {VNPU_REG_CYCLE_COUNTER_LO, regs::CycleCounterLo::kSpec.offset},
            {VNPU_REG_CYCLE_COUNTER_HI, regs::CycleCounterHi::kSpec.offset},
            {VNPU_REG_IRQ_STATUS, regs::IrqStatus::kSpec.offset},
            {VNPU_REG_IRQ_MASK, regs::IrqMask::kSpec.offset},
            {VNPU_REG_MAILBOX_IN, regs::MailboxIn::kSpec.offset},
            {VNPU_REG_MAILBOX_IN_CONTROL, regs::MailboxInControl::kSpec.offset},
            {VNPU_REG_MAILBOX_OUT, regs::MailboxOut::kSpec.offset},
            {VNPU_REG_MAILBOX_OUT_CONTROL, regs::MailboxOutControl::kSpec.offset},
            {VNPU_REG_DOORBELL, regs::Doorbell::kSpec.offset},
            {VNPU_REG_CONFIG_RESIDENT, regs::ConfigResident::kSpec.offset},
            {VNPU_REG_CONFIG_CLOCK_SWITCH, regs::ConfigClockSwitch::kSpec.offset},
            {VNPU_REG_MMU_FAULT_INFO, regs::MmuFaultInfo::kSpec.offset},
            {VNPU_REG_MMU_FAULT_ADDRESS_LO, regs::MmuFaultAddressLo::kSpec.offset},
            {VNPU_REG_MMU_FAULT_ADDRESS_HI, regs::MmuFaultAddressHi::kSpec.offset},
            {VNPU_REG_MMU_INVALIDATE, regs::MmuInvalidate::kSpec.offset},
            {VNPU_REG_BYTES, regs::kWindowBytes},
            {VNPU_DEVICE_ID, regs::kDeviceId},
            {VNPU_ARCH_MAJOR, regs::ArchVersion::kMajor.get(regs::ArchVersion::kSpec.reset)},
            {VNPU_RINGS, regs::kRingCount},
            {VNPU_CONTEXTS, regs::kContextCount},
            {VNPU_MAX_REGIONS, hw::kMaxRegions},
            {VNPU_MAILBOX_WORDS, regs::kMailboxWords},
    }));
}

TEST_CASE("fields of registers are those of the device") {
    checkEqual(std::to_array<Pair>({
            {VNPU_PLATFORM_SIMULATED, regs::Platform::kSimulated.mask()},
            {VNPU_CONTROL_RESET, regs::Control::kReset.mask()},
            {VNPU_CONTROL_BOOT, regs::Control::kBoot.mask()},
            {VNPU_IRQ_JOB_DONE, regs::IrqStatus::kJobDone.mask()},
            {VNPU_IRQ_MESSAGE, regs::IrqStatus::kMessage.mask()},
            {VNPU_IRQ_FAULT, regs::IrqStatus::kFault.mask()},
            {VNPU_IRQ_FATAL, regs::IrqStatus::kFatal.mask()},
            {VNPU_MAILBOX_FULL, regs::MailboxInControl::kFull.mask()},
            {VNPU_MAILBOX_FULL, regs::MailboxOutControl::kFull.mask()},
            {VNPU_MMU_FAULT_VALID, regs::MmuFaultInfo::kValid.mask()},
            {VNPU_PTE_VALID, hw::PageTableEntry::kValid},
            {VNPU_PTE_WRITABLE, hw::PageTableEntry::kWritable},
            {VNPU_PTE_LARGE, hw::PageTableEntry::kLarge},
            {VNPU_TABLE_ENTRIES, hw::kTableEntries},
            {VNPU_TABLE_LEVELS, hw::kTableLevels},
            {VNPU_VA_BITS, hw::kVirtualAddressBits},
            {VNPU_BUS_BITS, hw::kBusAddressBits},
            {VNPU_PAGE_SIZE, hw::kPageBytes},
            {VNPU_LARGE_PAGES * VNPU_PAGE_SIZE, hw::kLargePageBytes},
    }));
}

TEST_CASE("numbers of the firmware's interface are the firmware's") {
    checkEqual(std::to_array<Pair>({
            {VNPU_BOOT_MAGIC, fw::kBootMagic},
            {VNPU_BOOT_API, fw::kBootApiVersion},
            {VNPU_MAILBOX_API, fw::kMailboxApiVersion},
            {VNPU_RING_API, fw::kRingApiVersion},
            {VNPU_DUMP_BYTES, sizeof(fw::StateDump)},
            {VNPU_MSG_CREATE_CONTEXT, number(fw::MessageType::kCreateContext)},
            {VNPU_MSG_DESTROY_CONTEXT, number(fw::MessageType::kDestroyContext)},
            {VNPU_MSG_CREATE_RING, number(fw::MessageType::kCreateRing)},
            {VNPU_MSG_DESTROY_RING, number(fw::MessageType::kDestroyRing)},
            {VNPU_MSG_SET_SCHEDULING, number(fw::MessageType::kSetScheduling)},
            {VNPU_MSG_ABORT_JOB, number(fw::MessageType::kAbortJob)},
            {VNPU_MSG_READY, number(fw::MessageType::kReady)},
            {VNPU_MSG_BOOT_FAILED, number(fw::MessageType::kBootFailed)},
            {VNPU_MSG_REPLY, number(fw::MessageType::kReply)},
            {VNPU_MSG_REPEATED, fw::kRepeated},
            {VNPU_MSG_TYPE_MASK, fw::kTypeMask},
            {VNPU_MSG_OK, number(fw::MessageStatus::kOk)},
            {VNPU_MSG_BAD_JOB, number(fw::MessageStatus::kBadJob)},
            {VNPU_MSG_CORRUPTED, number(fw::MessageStatus::kCorrupted)},
            {VNPU_RING_MAGIC, fw::kRingMagic},
            {VNPU_REGION_ENTRY_WRITABLE, fw::kRegionWritable},
            {VNPU_JOB_OK, number(hw::JobStatus::kOk)},
            {VNPU_JOB_ABORTED, number(hw::JobStatus::kAborted)},
            {VNPU_BANDS, fw::kBandCount},
            {VNPU_POLICY_BANDS, number(fw::Policy::kBands)},
            {VNPU_MECHANISM_NONE, number(fw::Mechanism::kNone)},
            {VNPU_MECHANISM_CHECKPOINT, number(fw::Mechanism::kCheckpoint)},
            {VNPU_SCHEDULE_FAIR_CONTEXTS, fw::kScheduleFairContexts},
            {VNPU_SAVE_AREA_BASE, fw::saveAreaBytes(0, 0)},
            {VNPU_LOG_BOOT, number(fw::LogEvent::kBoot)},
            {VNPU_LOG_JOB_START, number(fw::LogEvent::kJobStart)},
            {VNPU_LOG_JOB_END, number(fw::LogEvent::kJobEnd)},
            {VNPU_LOG_JOB_PREEMPTED, number(fw::LogEvent::kJobPreempted)},
            {VNPU_LOG_JOB_RESUMED, number(fw::LogEvent::kJobResumed)},
            {VNPU_LOG_JOB_STOPPED, number(fw::LogEvent::kJobStopped)},
            {VNPU_LOG_JOB_RESTARTED, number(fw::LogEvent::kJobRestarted)},
    }));
}

TEST_CASE("structures in shared memory have the firmware's layout") {
    checkEqual(std::to_array<Pair>({
            {sizeof(vnpu_boot_parameters), sizeof(fw::BootParameters)},
            {offsetof(vnpu_boot_parameters, log_address),
             offsetof(fw::BootParameters, logBusAddress)},
            {offsetof(vnpu_boot_parameters, dump_address),
             offsetof(fw::BootParameters, dumpBusAddress)},
            {offsetof(vnpu_boot_parameters, watchdog_cycles),
             offsetof(fw::BootParameters, watchdogCycles)},
            {sizeof(vnpu_message), sizeof(fw::Message)},
            {offsetof(vnpu_message, value), offsetof(fw::Message, value)},
            {offsetof(vnpu_message, address), offsetof(fw::Message, target.address)},
            {offsetof(vnpu_message, versions), offsetof(fw::Message, versions)},
            {sizeof(vnpu_ring_header), sizeof(fw::RingHeader)},
            {offsetof(vnpu_ring_header, tail), offsetof(fw::RingHeader, tail)},
            {offsetof(vnpu_ring_header, completion_tail), offsetof(fw::RingHeader, completionTail)},
            {offsetof(vnpu_ring_header, completion_head), offsetof(fw::RingHeader, completionHead)},
            {sizeof(vnpu_job_slot), sizeof(fw::JobSlot)},
            {offsetof(vnpu_job_slot, region_table_address),
             offsetof(fw::JobSlot, regionTableAddress)},
            {offsetof(vnpu_job_slot, command_stream_version),
             offsetof(fw::JobSlot, commandStreamVersion)},
            {offsetof(vnpu_job_slot, save_address), offsetof(fw::JobSlot, saveAddress)},
            {offsetof(vnpu_job_slot, deadline_cycle), offsetof(fw::JobSlot, deadlineCycle)},
            {offsetof(vnpu_job_slot, level), offsetof(fw::JobSlot, level)},
            {offsetof(vnpu_job_slot, sram_blocks), offsetof(fw::JobSlot, sramBlocks)},
            {sizeof(vnpu_region_entry), sizeof(fw::RegionEntry)},
            {offsetof(vnpu_region_entry, flags), offsetof(fw::RegionEntry, flags)},
            {sizeof(vnpu_completion), sizeof(fw::CompletionRecord)},
            {offsetof(vnpu_completion, status), offsetof(fw::CompletionRecord, status)},
            {offsetof(vnpu_completion, end_cycle), offsetof(fw::CompletionRecord, endCycle)},
            {offsetof(vnpu_completion, fault_address),
             offsetof(fw::CompletionRecord, faultAddress)},
            {offsetof(vnpu_completion, preemptions), offsetof(fw::CompletionRecord, preemptions)},
            {offsetof(vnpu_completion, failing_engine),
             offsetof(fw::CompletionRecord, failingEngine)},
            {offsetof(vnpu_completion, checksum), offsetof(fw::CompletionRecord, checksum)},
            {sizeof(vnpu_scheduling), sizeof(fw::SchedulingParameters)},
            {offsetof(vnpu_scheduling, starvation_permille),
             offsetof(fw::SchedulingParameters, starvationPermille)},
            {offsetof(vnpu_scheduling, quantum_cycles),
             offsetof(fw::SchedulingParameters, quantumCycles)},
            {offsetof(vnpu_scheduling, context_slice_cycles),
             offsetof(fw::SchedulingParameters, contextSliceCycles)},
            {sizeof(vnpu_log_header), sizeof(fw::LogHeader)},
            {offsetof(vnpu_log_header, written), offsetof(fw::LogHeader, written)},
            {sizeof(vnpu_log_record), sizeof(fw::LogRecord)},
            {offsetof(vnpu_log_record, b), offsetof(fw::LogRecord, b)},
    }));
}

TEST_SUITE_END();

}  // namespace vnpu::driver::test

// SPDX-License-Identifier: Apache-2.0
//
// What a driver shares with the firmware and the MMU, in C99: boot parameters, mailbox messages,
// job rings, page tables. The rules are in firmware/api and hw_model/regs/page_table.h of the
// project, of which this header repeats the layouts; a test compares the two. All numbers are
// little endian.
#ifndef VNPU_FIRMWARE_H
#define VNPU_FIRMWARE_H

#ifdef __KERNEL__
#include <linux/types.h>
#else
#include <stdint.h>
#endif

// ---- boot

#define VNPU_BOOT_MAGIC 0x544F4F42u  // "BOOT"
#define VNPU_BOOT_API_VERSION 0x00010001u
#define VNPU_MAILBOX_API_VERSION 0x00020001u
#define VNPU_RING_API_VERSION 0x00020004u

// The device reads it once, at the bus address in BOOT_PARAMETERS; 8-byte aligned.
struct vnpu_boot_parameters {
    uint32_t magic;       // VNPU_BOOT_MAGIC
    uint32_t size_bytes;  // sizeof(struct vnpu_boot_parameters)
    uint32_t boot_api_version;
    uint32_t mailbox_api_version;
    uint32_t ring_api_version;
    uint32_t command_stream_version;     // as COMMAND_STREAM_VERSION
    uint32_t flags;                      // 0
    uint32_t log_bytes;                  // a power of two, 4 KiB to 1 MiB; 0 for no log
    uint64_t log_bus_address;            // 8-byte aligned
    uint64_t heartbeat_interval_cycles;  // 0: the firmware's default
    uint64_t dump_bus_address;           // 8-byte aligned; 0: no dump of a hang
    uint64_t watchdog_cycles;            // 0: the firmware's default
};

// ---- mailbox

enum {
    VNPU_MESSAGE_CREATE_CONTEXT = 1,   // context, address = bus address of the root page table
    VNPU_MESSAGE_DESTROY_CONTEXT = 2,  // context, whose rings are destroyed
    VNPU_MESSAGE_CREATE_RING = 3,      // ring, context, value = priority, address = of the ring
    VNPU_MESSAGE_DESTROY_RING = 4,     // ring
    VNPU_MESSAGE_INVALIDATE_TLB = 5,   // context
    VNPU_MESSAGE_GET_VERSIONS = 6,
    VNPU_MESSAGE_PING = 7,  // value is returned
    VNPU_MESSAGE_SET_SCHEDULING = 8,
    VNPU_MESSAGE_ABORT_JOB = 9,       // ring, address = job id
    VNPU_MESSAGE_SUSPEND_RING = 10,   // ring
    VNPU_MESSAGE_RESUME_RING = 11,    // ring
    VNPU_MESSAGE_STATE_DUMP = 12,     // address, value = bytes there
    VNPU_MESSAGE_SET_POWER = 13,      // value
    VNPU_MESSAGE_READY = 0x80,        // from the firmware: it has booted
    VNPU_MESSAGE_BOOT_FAILED = 0x81,  // value = reason
    VNPU_MESSAGE_REPLY = 0x82         // request_id, status (0: done), value
};

#define VNPU_MESSAGE_TYPE_MASK 0x7FFFu
#define VNPU_MESSAGE_REPEATED 0x8000u

// The words of MAILBOX_IN and MAILBOX_OUT. Bits 16 to 31 of `type` are the seal.
struct vnpu_message {
    uint32_t type;
    uint32_t request_id;
    uint32_t status;
    uint32_t value;
    uint32_t context;
    uint32_t ring;
    uint64_t address;
};

static inline uint32_t vnpu_rotate32(uint32_t value) {
    return value << 1 | value >> 31;
}

// The seal of a message: `words` are its eight words, of which the seal's own bits do not count.
static inline uint32_t vnpu_message_seal(const uint32_t* words) {
    uint32_t sum = vnpu_rotate32(0x5EA1u) ^ (words[0] & 0xFFFFu);
    int i;
    for (i = 1; i < 8; ++i) {
        sum = vnpu_rotate32(sum) ^ words[i];
    }
    return (sum ^ sum >> 16) & 0xFFFFu;
}

// ---- job rings

#define VNPU_RING_MAGIC 0x474E4952u  // "RING"
#define VNPU_MAX_RING_SLOTS 256u
#define VNPU_MAX_REGIONS 64u

enum { VNPU_BAND_IDLE = 0, VNPU_BAND_NORMAL = 1, VNPU_BAND_FOCUS = 2, VNPU_BAND_REALTIME = 3 };

// A ring is this header, slot_count slots, completion_count records; 4 KiB aligned.
struct vnpu_ring_header {
    uint32_t magic;             // VNPU_RING_MAGIC
    uint32_t version;           // VNPU_RING_API_VERSION
    uint32_t slot_count;        // a power of two, 2 to VNPU_MAX_RING_SLOTS
    uint32_t completion_count;  // likewise, slot_count or more
    uint32_t tail;              // driver: jobs written
    uint32_t head;              // firmware: jobs taken
    uint32_t completion_tail;   // firmware: records written
    uint32_t completion_head;   // driver: records read
    uint64_t fence_value;       // firmware: of the last job that ended
    uint64_t reserved[3];
};

// Addresses are virtual, of the ring's context.
struct vnpu_job_slot {
    uint64_t job_id;                // not 0
    uint64_t command_address;       // 8-byte aligned
    uint64_t region_table_address;  // struct vnpu_region_entry[region_count], 8-byte aligned
    uint32_t command_bytes;         // a multiple of 8
    uint32_t region_count;
    uint64_t fence_value;
    uint32_t flags;                   // 0
    uint32_t command_stream_version;  // as COMMAND_STREAM_VERSION
    uint64_t loop_timeout_cycles;     // 0: any
    uint64_t save_address;            // 64-byte aligned; 0: the job cannot be preempted
    uint64_t save_bytes;
    uint64_t estimate_cycles;  // 0: unknown
    uint64_t deadline_cycle;   // 0: none
    uint32_t level;            // 0 to 255 within the priority, higher first
    uint32_t clock_level;      // 0: the fastest
    uint64_t sram_blocks;      // 0: any
    uint64_t reserved[3];
};

#define VNPU_REGION_WRITABLE 1u

struct vnpu_region_entry {
    uint64_t address;  // virtual
    uint64_t size_bytes;
    uint32_t flags;  // VNPU_REGION_WRITABLE
    uint32_t reserved;
};

enum {
    VNPU_JOB_OK = 0,
    VNPU_JOB_MMU_FAULT = 14,
    VNPU_JOB_BUS_ERROR = 15,
    VNPU_JOB_BAD_JOB = 16,
    VNPU_JOB_ABORTED = 17
};

struct vnpu_completion_record {
    uint64_t job_id;
    uint64_t fence_value;
    uint32_t status;           // VNPU_JOB_OK or why the job failed
    uint32_t failing_command;  // offset in the stream, or 0xFFFFFFFF
    uint64_t queued_cycle;
    uint64_t start_cycle;
    uint64_t end_cycle;
    uint64_t fault_address;  // virtual address of an MMU fault
    uint32_t command_count;
    uint32_t preemptions;
    uint32_t restarts;
    uint32_t failing_engine;
    uint64_t saved_bytes;
    uint64_t switch_cycles;
    uint64_t wasted_cycles;
    uint64_t executed_cycles;
    uint32_t context_status;
    uint32_t context_engine;
    uint64_t reloaded_bytes;
    uint64_t checksum;  // vnpu_record_checksum()
};

static inline uint64_t vnpu_record_checksum(const struct vnpu_completion_record* record) {
    const uint64_t* words = (const uint64_t*)record;
    uint64_t sum = VNPU_RING_MAGIC;
    int i;
    for (i = 0; i < 15; ++i) {
        sum = (sum << 1 | sum >> 63) ^ words[i];
    }
    return sum;
}

// ---- page tables: three levels of 512 entries of 8 bytes, 39 bits of virtual address

#define VNPU_PAGE_BYTES 4096u
#define VNPU_TABLE_LEVELS 3
#define VNPU_TABLE_ENTRIES 512u
#define VNPU_VIRTUAL_ADDRESS_BITS 39

#define VNPU_PTE_VALID 1u
#define VNPU_PTE_WRITABLE 2u  // last level only
#define VNPU_PTE_LARGE 4u     // last level only: one of sixteen entries of an aligned 64 KiB page
#define VNPU_PTE_ADDRESS_MASK 0x0000FFFFFFFFF000ull

// Index into the table of `level` (0 is the root).
static inline uint32_t vnpu_table_index(uint64_t virtual_address, int level) {
    return (uint32_t)(virtual_address >> (12 + 9 * (VNPU_TABLE_LEVELS - 1 - level))) &
           (VNPU_TABLE_ENTRIES - 1u);
}

#endif

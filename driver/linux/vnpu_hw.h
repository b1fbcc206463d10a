/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The hardware's contract as far as this driver uses it: registers, boot, mailbox, job rings, page
 * tables and the firmware's log. hw_model/regs and firmware/api have the whole of it; a test
 * compares the two. Words that device and kernel share in memory are little endian.
 */
#ifndef VNPU_HW_H
#define VNPU_HW_H

#include <linux/types.h>

#define VNPU_PCI_VENDOR 0x1234
#define VNPU_PCI_DEVICE 0x4e50

#define VNPU_DEVICE_ID 0x55504e56
#define VNPU_ARCH_MAJOR 1
#define VNPU_RINGS 16
#define VNPU_CONTEXTS 64
#define VNPU_MAX_REGIONS 64

#define VNPU_REG_ID 0x0000
#define VNPU_REG_ARCH_VERSION 0x0004
#define VNPU_REG_COMMAND_STREAM_VERSION 0x0008
#define VNPU_REG_PLATFORM 0x000c
#define VNPU_PLATFORM_SIMULATED (1U << 0)
#define VNPU_REG_CONFIG_ACCUMULATOR 0x0018
#define VNPU_REG_CONFIG_SRAM 0x001c
#define VNPU_REG_CONFIG_CLOCK 0x0034
#define VNPU_REG_CONTROL 0x0040
#define VNPU_CONTROL_RESET (1U << 0)
#define VNPU_CONTROL_BOOT (1U << 1)
#define VNPU_REG_STATUS 0x0044
#define VNPU_REG_BOOT_PARAMETERS_LO 0x0048
#define VNPU_REG_BOOT_PARAMETERS_HI 0x004c
#define VNPU_REG_HEARTBEAT 0x0050
#define VNPU_REG_CYCLE_COUNTER_LO 0x0054
#define VNPU_REG_CYCLE_COUNTER_HI 0x0058
#define VNPU_REG_IRQ_STATUS 0x0060
#define VNPU_REG_IRQ_MASK 0x0064
#define VNPU_IRQ_JOB_DONE (1U << 0)
#define VNPU_IRQ_MESSAGE (1U << 1)
#define VNPU_IRQ_FAULT (1U << 2)
#define VNPU_IRQ_FATAL (1U << 3)
#define VNPU_IRQ_ALL 0xfU
#define VNPU_REG_MAILBOX_IN 0x0080
#define VNPU_REG_MAILBOX_IN_CONTROL 0x00a0
#define VNPU_REG_MAILBOX_OUT 0x00c0
#define VNPU_REG_MAILBOX_OUT_CONTROL 0x00e0
#define VNPU_MAILBOX_FULL (1U << 0)
#define VNPU_MAILBOX_WORDS 8
#define VNPU_REG_DOORBELL 0x0100
#define VNPU_REG_CONFIG_RESIDENT 0x0140 /* the first of the later configuration registers */
#define VNPU_REG_CONFIG_CLOCK_SWITCH 0x0174 /* the last */
#define VNPU_REG_MMU_FAULT_INFO 0x0200
#define VNPU_MMU_FAULT_VALID (1U << 0)
#define VNPU_REG_MMU_FAULT_ADDRESS_LO 0x0204
#define VNPU_REG_MMU_FAULT_ADDRESS_HI 0x0208
#define VNPU_REG_MMU_INVALIDATE 0x020c
#define VNPU_REG_BYTES 0x10000

/* Page tables: three levels of 512 entries. */
#define VNPU_TABLE_ENTRIES 512
#define VNPU_TABLE_LEVELS 3
#define VNPU_VA_BITS 39
#define VNPU_BUS_BITS 48
#define VNPU_PAGE_SHIFT 12
#define VNPU_PAGE_SIZE (1UL << VNPU_PAGE_SHIFT)
#define VNPU_PTE_VALID (1ULL << 0)
#define VNPU_PTE_WRITABLE (1ULL << 1)
#define VNPU_PTE_LARGE (1ULL << 2)
#define VNPU_LARGE_PAGES 16 /* pages of one large entry */

/* Boot. */
#define VNPU_BOOT_MAGIC 0x544f4f42
#define VNPU_BOOT_API 0x00010001
#define VNPU_MAILBOX_API 0x00020001
#define VNPU_RING_API 0x00020004

struct vnpu_boot_parameters {
	__le32 magic;
	__le32 size;
	__le32 boot_api;
	__le32 mailbox_api;
	__le32 ring_api;
	__le32 command_stream_version;
	__le32 flags;
	__le32 log_bytes;
	__le64 log_address;
	__le64 heartbeat_cycles;
	__le64 dump_address;
	__le64 watchdog_cycles;
};

#define VNPU_DUMP_BYTES 456 /* of the state dump */

/* Mailbox. */
enum vnpu_message_type {
	VNPU_MSG_CREATE_CONTEXT = 1,
	VNPU_MSG_DESTROY_CONTEXT = 2,
	VNPU_MSG_CREATE_RING = 3,
	VNPU_MSG_DESTROY_RING = 4,
	VNPU_MSG_SET_SCHEDULING = 8,
	VNPU_MSG_ABORT_JOB = 9,
	VNPU_MSG_READY = 0x80,
	VNPU_MSG_BOOT_FAILED = 0x81,
	VNPU_MSG_REPLY = 0x82,
};

#define VNPU_MSG_REPEATED (1U << 15)
#define VNPU_MSG_TYPE_MASK 0x7fffU
#define VNPU_MSG_OK 0
#define VNPU_MSG_BAD_JOB 9
#define VNPU_MSG_CORRUPTED 10

struct vnpu_message {
	__u32 type;
	__u32 id;
	__u32 status;
	__u32 value;
	union {
		struct {
			__u32 context;
			__u32 ring;
			__u64 address; /* of kAbortJob: the job's id */
		};
		__u32 versions[4];
	};
};

/* Job rings. */
#define VNPU_RING_MAGIC 0x474e4952

struct vnpu_ring_header {
	__le32 magic;
	__le32 version;
	__le32 slot_count;
	__le32 completion_count;
	__le32 tail;
	__le32 head;
	__le32 completion_tail;
	__le32 completion_head;
	__le64 fence;
	__le64 reserved[3];
};

struct vnpu_job_slot {
	__le64 job_id;
	__le64 command_address;
	__le64 region_table_address;
	__le32 command_bytes;
	__le32 region_count;
	__le64 fence;
	__le32 flags;
	__le32 command_stream_version;
	__le64 loop_timeout_cycles;
	__le64 save_address;
	__le64 save_bytes;
	__le64 estimate_cycles;
	__le64 deadline_cycle;
	__le32 level;
	__le32 clock_level;
	__le64 sram_blocks;
	__le64 reserved[3];
};

struct vnpu_region_entry {
	__le64 address;
	__le64 size;
	__le32 flags;
	__le32 reserved;
};

#define VNPU_REGION_ENTRY_WRITABLE (1U << 0)

struct vnpu_completion {
	__le64 job_id;
	__le64 fence;
	__le32 status;
	__le32 failing_command;
	__le64 queued_cycle;
	__le64 start_cycle;
	__le64 end_cycle;
	__le64 fault_address;
	__le32 command_count;
	__le32 preemptions;
	__le32 restarts;
	__le32 failing_engine;
	__le64 saved_bytes;
	__le64 switch_cycles;
	__le64 wasted_cycles;
	__le64 executed_cycles;
	__le32 context_status;
	__le32 context_engine;
	__le64 reloaded_bytes;
	__le64 checksum;
};

#define VNPU_JOB_OK 0
#define VNPU_JOB_ABORTED 17

/* Scheduling. */
#define VNPU_BANDS 4
#define VNPU_POLICY_BANDS 0
#define VNPU_MECHANISM_NONE 0
#define VNPU_MECHANISM_CHECKPOINT 1
#define VNPU_SCHEDULE_FAIR_CONTEXTS (1U << 1)

struct vnpu_scheduling {
	__le32 size;
	__le32 policy;
	__le32 mechanism;
	__le32 granularity;
	__le32 flags;
	__le32 starvation_permille;
	__le64 quantum_cycles[VNPU_BANDS];
	__le64 grace_cycles[VNPU_BANDS];
	__le64 period_cycles;
	__le64 preempt_timeout_cycles;
	__le64 context_slice_cycles;
	__le64 reserved[2];
};

/* Save area of a preempted job: this plus the SRAM and the accumulators. */
#define VNPU_SAVE_AREA_BASE 17728

/* The firmware's log. */
enum vnpu_log_event {
	VNPU_LOG_BOOT = 1,
	VNPU_LOG_JOB_START = 6,
	VNPU_LOG_JOB_END = 7,
	VNPU_LOG_JOB_PREEMPTED = 12,
	VNPU_LOG_JOB_RESUMED = 13,
	VNPU_LOG_JOB_STOPPED = 14,
	VNPU_LOG_JOB_RESTARTED = 15,
};

struct vnpu_log_header {
	__le32 record_count;
	__le32 reserved0;
	__le64 written;
	__le64 reserved1[6];
};

struct vnpu_log_record {
	__le64 cycle;
	__le32 event;
	__le32 a;
	__le64 b;
	__le64 reserved;
};

#endif

/* SPDX-License-Identifier: (GPL-2.0 WITH Linux-syscall-note) OR MIT */
/*
 * Interface of the vnpu kernel driver to programs.
 *
 * /dev/vnpu<N>: the kernel is in charge of the device. Each open file is a context with an address
 * space of its own; its jobs reach only buffer objects that the file has. A job names the buffer
 * objects of its command stream and regions by handle; the kernel maps them, so that programs never
 * see device addresses.
 *
 * /dev/vnpu<N>-raw: a driver in user space is in charge (see the end of this file).
 *
 * Rules: structures have the same layout for 32- and 64-bit programs. Fields named `reserved` and
 * undefined flags must be zero, or the call fails with EINVAL. Pointers are passed as __u64. Fields
 * marked "out" are written by the kernel; the others are read. Times are nanoseconds.
 *
 * Any call fails with ENODEV once the device has been removed or given up.
 */
#ifndef VNPU_UAPI_H
#define VNPU_UAPI_H

#include <linux/ioctl.h>
#include <linux/types.h>

#define VNPU_UAPI_VERSION 0x00010000 /* major in the upper 16 bits */

struct vnpu_info {
	__u32 uapi_version; /* out: as all fields */
	__u32 arch_version; /* register ARCH_VERSION */
	__u32 command_stream_version;
	__u32 platform; /* register PLATFORM: bit 0: simulated, bit 1: timing only */
	__u32 clock_khz; /* of the cycles in struct vnpu_wait */
	__u32 max_regions; /* of a job */
	__u64 max_buffer_bytes;
	__u32 resets; /* of the device by this driver, since it was probed */
	__u32 reserved[3];
};

/* A register of the device that describes it, such as CONFIG_SRAM. Others: EINVAL. */
struct vnpu_config {
	__u32 offset;
	__u32 value; /* out */
};

/* Device memory is system memory; its pages need not be contiguous. It is zeroed. */
struct vnpu_bo_create {
	__u64 size; /* rounded up to whole pages */
	__u32 flags; /* 0 */
	__u32 handle; /* out: not 0 */
	__u64 mmap_offset; /* out: for mmap() of the device file */
	__u64 reserved;
};

/* Jobs in flight keep what they use. Mappings of the program stay valid. */
struct vnpu_bo_close {
	__u32 handle;
	__u32 reserved;
};

/* The buffer object as a dma-buf, for other drivers or for another context. */
struct vnpu_bo_export {
	__u32 handle;
	__u32 flags; /* O_CLOEXEC, O_RDWR */
	__s32 fd; /* out */
	__u32 reserved;
};

/* Only dma-bufs that this driver exported for the same device; else EOPNOTSUPP. */
struct vnpu_bo_import {
	__s32 fd;
	__u32 handle; /* out */
	__u64 size; /* out */
	__u64 mmap_offset; /* out */
	__u64 reserved;
};

#define VNPU_REGION_WRITE (1u << 0)

/* A region of a command stream: commands address memory as region and offset. */
struct vnpu_region {
	__u32 handle;
	__u32 flags; /* VNPU_REGION_WRITE */
	__u64 offset; /* in the buffer object */
	__u64 size; /* may be 0 */
};

/*
 * Priority bands. A job of a higher band goes first and preempts others at their checkpoints. Level
 * orders the jobs of a band. VNPU_PRIORITY_REALTIME needs CAP_SYS_NICE.
 */
#define VNPU_PRIORITY_IDLE 0
#define VNPU_PRIORITY_NORMAL 1
#define VNPU_PRIORITY_FOCUS 2
#define VNPU_PRIORITY_REALTIME 3

#define VNPU_SUBMIT_IN_FENCE (1u << 0)
#define VNPU_SUBMIT_OUT_FENCE (1u << 1)

/*
 * Jobs of one context and band run in the order of their submission. The fences are sync files; if
 * the kernel has none (CONFIG_SYNC_FILE), they are files of this driver that can be polled for
 * POLLIN, and in_fence accepts only these.
 *
 * `deadline_ns` and `timeout_ns` are budgets of device time, counted from this call: a simulated
 * device may take longer. A job that has not ended by then is aborted, and ends with ETIME or
 * ETIMEDOUT; so does one that ends before it could be aborted.
 *
 * EAGAIN: too many jobs of this context are pending.
 */
struct vnpu_submit {
	__u64 regions; /* pointer to struct vnpu_region[region_count] */
	__u32 region_count; /* 1 to vnpu_info.max_regions */
	__u32 command_handle;
	__u64 command_offset; /* multiple of 8 */
	__u32 command_bytes; /* multiple of 8, not 0 */
	__u32 flags; /* VNPU_SUBMIT_* */
	__u32 priority; /* VNPU_PRIORITY_* */
	__u32 level; /* 0 to 255, higher first */
	__u64 deadline_ns; /* CLOCK_MONOTONIC, 0: none */
	__u64 timeout_ns; /* from now, 0: the driver's default (module parameter job_timeout_ms) */
	__u64 estimate_cycles; /* of the job alone on the device, 0: unknown */
	__u64 sram_blocks; /* 64ths of the SRAM that it uses, 0: any */
	__s32 in_fence; /* with VNPU_SUBMIT_IN_FENCE */
	__s32 out_fence; /* out, with VNPU_SUBMIT_OUT_FENCE */
	__u64 job; /* out: not 0 */
	__u64 reserved[2];
};

/*
 * Waits for the end of a job. ETIME: it has not ended by `until_ns`. ENOENT: no such job; results
 * of the last 256 ended jobs of a context are kept. The result of a job that failed is no failure
 * of this call.
 */
struct vnpu_wait {
	__u64 job;
	__u64 until_ns; /* CLOCK_MONOTONIC; 0: only look */
	/*
	 * out: 0, or the errno of the job's end: EIO (see status; also after a reset of the device
	 * that the job caused), ETIME (deadline), ETIMEDOUT (timeout), ECANCELED, ENODEV
	 */
	__u32 error;
	__u32 status; /* out: the device's job status, 0 without a completion record */
	__u32 failing_command; /* out: offset in the stream, or 0xffffffff */
	__u32 failing_engine; /* out: or 0xffffffff */
	__u64 fault_address; /* out: of an MMU fault */
	__u64 start_cycle; /* out */
	__u64 end_cycle; /* out */
	__u32 preemptions; /* out */
	__u32 reserved;
};

#define VNPU_IOC_INFO _IOR('V', 0x80, struct vnpu_info)
#define VNPU_IOC_BO_CREATE _IOWR('V', 0x81, struct vnpu_bo_create)
#define VNPU_IOC_BO_CLOSE _IOW('V', 0x82, struct vnpu_bo_close)
#define VNPU_IOC_BO_EXPORT _IOWR('V', 0x83, struct vnpu_bo_export)
#define VNPU_IOC_BO_IMPORT _IOWR('V', 0x84, struct vnpu_bo_import)
#define VNPU_IOC_SUBMIT _IOWR('V', 0x85, struct vnpu_submit)
#define VNPU_IOC_WAIT _IOWR('V', 0x86, struct vnpu_wait)
#define VNPU_IOC_CONFIG _IOWR('V', 0x87, struct vnpu_config)

/*
 * The raw node. One program at a time, with CAP_SYS_RAWIO, because the device's DMA can then reach
 * all memory; EBUSY while contexts of the other node exist, and these cannot be opened meanwhile.
 * At open and close the device is held in reset.
 *
 * Registers: mmap() at offset 0, vnpu_raw_info.register_bytes. Interrupts: read() of a __u32 gives
 * their number since the last read and blocks (or EAGAIN) while it is 0; poll() reports POLLIN. A
 * level-triggered interrupt is then off until write() of a __u32 1.
 */
struct vnpu_raw_info {
	__u64 register_bytes; /* out */
	__u64 reserved[3];
};

#define VNPU_RAW_CONTIGUOUS (1u << 0) /* at most 4 MiB; ENOMEM if memory is fragmented */

/* Zeroed memory for the device. The bus address of each page goes to `pages`. */
struct vnpu_raw_alloc {
	__u64 size; /* multiple of 4096 */
	__u64 pages; /* pointer to __u64[size / 4096] */
	__u32 flags; /* VNPU_RAW_CONTIGUOUS */
	__u32 handle; /* out */
	__u64 mmap_offset; /* out */
	__u64 reserved;
};

/* Makes memory of the program reachable by the device until VNPU_IOC_RAW_FREE. */
struct vnpu_raw_pin {
	__u64 address; /* multiple of 4096 */
	__u64 size; /* multiple of 4096 */
	__u64 pages; /* pointer to __u64[size / 4096] */
	__u32 flags; /* VNPU_RAW_READ_ONLY */
	__u32 handle; /* out */
	__u64 reserved;
};

#define VNPU_RAW_READ_ONLY (1u << 0) /* the device only reads */

struct vnpu_raw_free {
	__u32 handle;
	__u32 reserved;
};

#define VNPU_IOC_RAW_INFO _IOR('V', 0xa0, struct vnpu_raw_info)
#define VNPU_IOC_RAW_ALLOC _IOWR('V', 0xa1, struct vnpu_raw_alloc)
#define VNPU_IOC_RAW_PIN _IOWR('V', 0xa2, struct vnpu_raw_pin)
#define VNPU_IOC_RAW_FREE _IOW('V', 0xa3, struct vnpu_raw_free)

#endif

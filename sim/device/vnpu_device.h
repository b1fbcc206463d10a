// SPDX-License-Identifier: Apache-2.0
/*
 * The virtual NPU as a library: registers, memory and an interrupt line, in C99.
 *
 * A host model creates a device, answers its DMA from memory of its own, reads and writes its
 * registers and lets simulated time pass:
 *
 *     vnpu_device_create(&options, &device);
 *     vnpu_device_write32(device, offset, value);
 *     vnpu_advance(1000 * VNPU_PS_PER_NS);       -- callbacks come from within this call
 *     vnpu_device_read32(device, offset, &value);
 *     vnpu_device_destroy(device);
 *
 * Time. All devices of a process share one simulated time in picoseconds, which passes only in
 * vnpu_advance(). Register accesses take no simulated time.
 *
 * Threads. The library has none of its own that call the host. All functions must be called on one
 * thread, the one that created the first device; other threads get VNPU_WRONG_THREAD.
 *
 * Callbacks run on that thread, within vnpu_advance() or a register access. They must not call
 * functions of this header except vnpu_now() (others return VNPU_REENTERED). Functions without a
 * status return 0 to wrong callers.
 *
 * Errors. No function ends the process. Each returns a status; vnpu_last_error() has a sentence
 * that names the argument, its value and what was expected.
 */
#ifndef VNPU_DEVICE_H
#define VNPU_DEVICE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* NOLINTBEGIN(readability-identifier-naming): the names of C */

/* Major version in the upper 16 bits: a library with another major number is not compatible. */
#define VNPU_DEVICE_API_VERSION 0x00010000u

#define VNPU_PS_PER_NS UINT64_C(1000)
/* vnpu_next_event(): nothing happens until the host acts. */
#define VNPU_NEVER UINT64_MAX

typedef enum vnpu_status {
    VNPU_OK = 0,
    VNPU_INVALID_ARGUMENT = 1, /* a null pointer, a misaligned offset, an unknown flag */
    VNPU_BAD_CONFIG = 2,       /* an unknown configuration, or a mistake in its file */
    VNPU_TOO_LATE = 3,         /* a device is created after the first vnpu_advance() */
    VNPU_WRONG_THREAD = 4,
    VNPU_REENTERED = 5,   /* called from a callback */
    VNPU_NO_REGISTER = 6, /* the host has no such access there; a read gives all ones */
    VNPU_OUT_OF_MEMORY = 7,
    VNPU_IO_ERROR = 8,      /* a file of the options cannot be opened or written */
    VNPU_INTERNAL_ERROR = 9 /* a defect of the library; its devices can only be destroyed */
} vnpu_status;

typedef struct vnpu_device vnpu_device;

/*
 * The host's side of the bus. `user` is handed to each callback. dma_read and dma_write return 0,
 * or any other value for a bus error, which the device reports as a real one would. `address` is a
 * bus address, and `size` bytes may cross pages. irq receives each change of the interrupt line.
 * dma_read, dma_write and irq must not be null.
 *
 * dma_map may be null. It may return the host's pointer to the byte at `address` and set `*size` to
 * the number of contiguous bytes from there; the device then accesses these without further calls
 * until vnpu_device_unmap(). It returns null where there is no such memory.
 */
typedef struct vnpu_host {
    void* user;
    int (*dma_read)(void* user, uint64_t address, void* data, uint64_t size);
    int (*dma_write)(void* user, uint64_t address, const void* data, uint64_t size);
    void (*irq)(void* user, int level);
    void* (*dma_map)(void* user, uint64_t address, uint64_t* size);
    /* May be null: a line of the device's log or of the checks (VNPU_LINT), without newline. */
    void (*log)(void* user, const char* line);
} vnpu_host;

/*
 * The controller's program of the caller, instead of the firmware that is part of the library.
 * run() is called at each boot on the controller's stack (64 KiB) within vnpu_advance(), uses
 * vnpu_controller_*() only, and must return soon after vnpu_controller_wait() returned nonzero.
 */
typedef struct vnpu_controller vnpu_controller;
typedef struct vnpu_program {
    void* user;
    void (*run)(void* user, vnpu_controller* controller);
} vnpu_program;

enum {
    VNPU_TIMING_ONLY = 1u << 0, /* commands take their time, but move and compute no data */
    VNPU_LINT = 1u << 1         /* check the host's accesses and report mistakes to `log` */
};

/* Set everything to zero first, then struct_size; fields of later versions are then absent. */
typedef struct vnpu_options {
    size_t struct_size; /* sizeof(vnpu_options) */
    const char* config; /* a shipped configuration ("edge") or a file; null: "edge" */
    uint32_t flags;     /* VNPU_TIMING_ONLY, VNPU_LINT */
    vnpu_host host;
    vnpu_program program; /* run == NULL: the library's firmware */
    const char* record;   /* null, or a file to which all traffic is written (`vnpu replay`) */
    /* Null, or a file whose tables [power], [dram] and [[fault]] change the configuration and cause
     * faults, as of `vnpu serve --device`. The times of faults count from the creation. */
    const char* settings;
} vnpu_options;

/* The version of the library that is loaded; compare its upper 16 bits with the header's. */
uint32_t vnpu_api_version(void);

/* The text of the last error of this thread; never null, empty before the first error. */
const char* vnpu_last_error(void);

/* The name of a status ("VNPU_NO_REGISTER"); never null. */
const char* vnpu_status_name(vnpu_status status);

/* Creates a powered device; *device is null after an error. Only before the first vnpu_advance().
 */
vnpu_status vnpu_device_create(const vnpu_options* options, vnpu_device** device);

/* Null is allowed. A destroyed device no longer calls back. */
void vnpu_device_destroy(vnpu_device* device);

/*
 * Offsets are in bytes and multiples of 4; the register headers name them. A write that lowers the
 * interrupt line calls back before it returns. VNPU_NO_REGISTER: no register at this offset, one of
 * the controller's own, or one that is read-only or write-only.
 */
vnpu_status vnpu_device_read32(vnpu_device* device, uint32_t offset, uint32_t* value);
vnpu_status vnpu_device_write32(vnpu_device* device, uint32_t offset, uint32_t value);

/* Size of the register window in bytes, doorbells included. */
uint32_t vnpu_device_register_bytes(const vnpu_device* device);

/* Bytes of the memory on the device that the host reaches by bus address (CONFIG_RESIDENT). */
vnpu_status vnpu_device_read_resident(vnpu_device* device, uint64_t offset, void* data,
                                      uint64_t size);
vnpu_status vnpu_device_write_resident(vnpu_device* device, uint64_t offset, const void* data,
                                       uint64_t size);

/* The host takes back memory that dma_map handed out. */
vnpu_status vnpu_device_unmap(vnpu_device* device, uint64_t address, uint64_t size);

/* The level of the interrupt line. */
int vnpu_device_irq(const vnpu_device* device);

/*
 * Power off and on: registers, engines, controller and resident memory; memory of the host is not
 * touched. Simulated time and the cycle counter continue.
 */
vnpu_status vnpu_device_reset(vnpu_device* device);

/*
 * Writes the state of the device as text (registers with their names and fields, engines, the
 * interrupt line) to `text`, at most `size` bytes with the terminating zero; *needed, unless null,
 * is the size that the whole text needs.
 */
vnpu_status vnpu_device_dump(vnpu_device* device, char* text, size_t size, size_t* needed);

/* With VNPU_LINT: the number of mistakes so far. Their summary goes to `log` at the destruction. */
uint64_t vnpu_device_lint_count(const vnpu_device* device);

/* Lets `picoseconds` of simulated time pass for all devices of the process. */
vnpu_status vnpu_advance(uint64_t picoseconds);

/* As vnpu_advance(), but returns after the irq callback of the first line that rises. */
vnpu_status vnpu_advance_to_interrupt(uint64_t picoseconds);

/* Simulated time since the first device was created. */
uint64_t vnpu_now(void);

/* The time until the next event of any device, 0 if something is due now, or VNPU_NEVER. */
uint64_t vnpu_next_event(void);

/* For a vnpu_program: the hardware as its controller sees it. Offsets and statuses as there. */
uint32_t vnpu_controller_read32(vnpu_controller* controller, uint32_t offset);
void vnpu_controller_write32(vnpu_controller* controller, uint32_t offset, uint32_t value);
/* `context` is a context of the MMU, or VNPU_PHYSICAL for bus addresses. Nonzero: a job status. */
#define VNPU_PHYSICAL 0xFFFFFFFFu
uint32_t vnpu_controller_read_memory(vnpu_controller* controller, uint32_t context,
                                     uint64_t address, void* data, uint32_t size);
uint32_t vnpu_controller_write_memory(vnpu_controller* controller, uint32_t context,
                                      uint64_t address, const void* data, uint32_t size);
/* The controller's tightly coupled memory, from which the engines fetch commands. */
void* vnpu_controller_local_memory(vnpu_controller* controller, uint64_t* size);
/* Takes `cycles` of the controller's clock. */
void vnpu_controller_charge(vnpu_controller* controller, uint32_t cycles);
/* Sleeps until an interrupt or, unless 0, a time-out in device cycles. Nonzero: return from run().
 */
int vnpu_controller_wait(vnpu_controller* controller, uint64_t timeout_cycles);

/* NOLINTEND(readability-identifier-naming) */

#ifdef __cplusplus
}
#endif

#endif

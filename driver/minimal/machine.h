// SPDX-License-Identifier: Apache-2.0
//
// The machine that the device is part of: memory that both sides reach, and the interrupt line. In
// a real machine, this is the platform's business and not the driver's.
#ifndef MINIMAL_MACHINE_H
#define MINIMAL_MACHINE_H

#include <vnpu_device.h>

struct machine {
    vnpu_device* device;
    unsigned char* memory;  // what bus addresses from MACHINE_BASE on reach
    uint64_t used;          // bytes of it
    int irq;                // level of the line
};

#define MACHINE_BASE UINT64_C(0x80000000)
#define MACHINE_BYTES (UINT64_C(512) << 20)

// Creates the device; `options` need not have a host. Returns 0, or -1 after a message.
int machine_start(struct machine* machine, vnpu_options options);
void machine_stop(struct machine* machine);

// Zeroed whole pages; returns their bus address. Ends the program if there are none left.
uint64_t machine_alloc(struct machine* machine, uint64_t bytes);
// The host's pointer to memory of machine_alloc().
void* machine_at(struct machine* machine, uint64_t bus_address);

uint32_t machine_read(struct machine* machine, uint32_t offset);
void machine_write(struct machine* machine, uint32_t offset, uint32_t value);

// Lets time pass until the line is high, at most this long; returns its level.
int machine_wait(struct machine* machine, uint64_t picoseconds);

#endif

// SPDX-License-Identifier: Apache-2.0
#include "machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The memory that starts at a bus address, or null where there are not `bytes` of it.
static void* reach(struct machine* machine, uint64_t address, uint64_t bytes) {
    uint64_t offset = address - MACHINE_BASE;
    return offset < MACHINE_BYTES && bytes <= MACHINE_BYTES - offset ? machine->memory + offset
                                                                     : NULL;
}

static int dma_read(void* user, uint64_t address, void* data, uint64_t size) {
    const void* memory = reach(user, address, size);
    return memory != NULL && memcpy(data, memory, size) != NULL ? 0 : -1;
}

static int dma_write(void* user, uint64_t address, const void* data, uint64_t size) {
    void* memory = reach(user, address, size);
    return memory != NULL && memcpy(memory, data, size) != NULL ? 0 : -1;
}

// Optional, for speed: the device then reads and writes the memory itself.
static void* dma_map(void* user, uint64_t address, uint64_t* size) {
    void* memory = reach(user, address, 1);
    *size = MACHINE_BASE + MACHINE_BYTES - address;
    return memory;
}

static void irq(void* user, int level) {
    ((struct machine*)user)->irq = level;
}

static void print_log(void* user, const char* line) {
    (void)user;
    fprintf(stderr, "device: %s\n", line);
}

int machine_start(struct machine* machine, vnpu_options options) {
    memset(machine, 0, sizeof(*machine));
    machine->memory = calloc(1, MACHINE_BYTES);
    options.struct_size = sizeof(options);
    options.host = (vnpu_host){machine, dma_read, dma_write, irq, dma_map, print_log};
    if (machine->memory != NULL && vnpu_device_create(&options, &machine->device) == VNPU_OK) {
        return 0;
    }
    fprintf(stderr, "minimal: %s\n", machine->memory == NULL ? "no memory" : vnpu_last_error());
    return -1;
}

void machine_stop(struct machine* machine) {
    vnpu_device_destroy(machine->device);
    free(machine->memory);
}

uint64_t machine_alloc(struct machine* machine, uint64_t bytes) {
    const uint64_t start = machine->used;
    const uint64_t pages = (bytes + 4095) / 4096 * 4096;
    if (pages > MACHINE_BYTES - start) {
        fprintf(stderr, "minimal: the memory of %llu MiB is full\n",
                (unsigned long long)(MACHINE_BYTES >> 20));
        exit(1);
    }
    machine->used += pages;
    return MACHINE_BASE + start;
}

void* machine_at(struct machine* machine, uint64_t bus_address) {
    return machine->memory + (bus_address - MACHINE_BASE);
}

uint32_t machine_read(struct machine* machine, uint32_t offset) {
    uint32_t value = 0;
    if (vnpu_device_read32(machine->device, offset, &value) != VNPU_OK) {
        fprintf(stderr, "minimal: read of 0x%x: %s\n", offset, vnpu_last_error());
    }
    return value;
}

void machine_write(struct machine* machine, uint32_t offset, uint32_t value) {
    if (vnpu_device_write32(machine->device, offset, value) != VNPU_OK) {
        fprintf(stderr, "minimal: write of 0x%x: %s\n", offset, vnpu_last_error());
    }
}

int machine_wait(struct machine* machine, uint64_t picoseconds) {
    if (!machine->irq && vnpu_advance_to_interrupt(picoseconds) != VNPU_OK) {
        fprintf(stderr, "minimal: %s\n", vnpu_last_error());
    }
    return machine->irq;
}

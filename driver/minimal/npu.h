// SPDX-License-Identifier: Apache-2.0
//
// The driver: what a program for a real device would contain. One context, one ring, one job at a
// time. README.md explains each step.
#ifndef MINIMAL_NPU_H
#define MINIMAL_NPU_H

#include <vnpu/firmware.h>

#include "machine.h"

struct npu {
    struct machine* machine;
    uint64_t boot;  // bus addresses: boot parameters, root page table, job ring
    uint64_t root;
    uint64_t ring;
    uint64_t next_virtual;  // free virtual addresses begin here
    uint64_t jobs;          // submitted since the begin
    uint32_t requests;      // mailbox requests since the begin
    // What the interrupt handler found.
    int has_message;
    struct vnpu_message message;
    int has_record;
    struct vnpu_completion_record record;
    uint64_t fault_address;  // virtual, of the last MMU fault
};

// All functions return 0, or -1 after a message on standard error.

// Takes memory for the driver's own structures.
void npu_init(struct npu* npu, struct machine* machine);
// Resets the device, boots the firmware, creates the context and the ring. Also after a fault: the
// page tables stay.
int npu_boot(struct npu* npu);

// Maps whole pages of machine_alloc(); returns their virtual address.
uint64_t npu_map(struct npu* npu, uint64_t bus_address, uint64_t bytes, int is_writable);
// Replaces the entry of a page (0: no page) and returns the previous one. A running device may
// still use that until npu_invalidate_tlb().
uint64_t npu_set_entry(struct npu* npu, uint64_t virtual_address, uint64_t value);
int npu_invalidate_tlb(struct npu* npu);

// Submits a job and waits for its end; npu->record then has its result, which may be a failure.
int npu_run(struct npu* npu, struct vnpu_job_slot slot);

#endif

// SPDX-License-Identifier: Apache-2.0
#include "npu.h"

#include <stdio.h>
#include <string.h>
#include <vnpu/registers.h>

#define CONTEXT 0u
#define RING 0u
#define SLOTS 2u
#define FIRST_VIRTUAL UINT64_C(0x10000)  // so that null pointers fault
#define MILLISECOND (UINT64_C(1000000) * VNPU_PS_PER_NS)
#define REPLY_TIMEOUT (100 * MILLISECOND)
#define JOB_TIMEOUT (100000 * MILLISECOND)
#define INTERRUPTS                                                                               \
    (VNPU_IRQ_STATUS_JOB_DONE_MASK | VNPU_IRQ_STATUS_MESSAGE_MASK | VNPU_IRQ_STATUS_FAULT_MASK | \
     VNPU_IRQ_STATUS_FATAL_MASK)

static int fail(const char* what, unsigned value) {
    fprintf(stderr, "minimal: %s %u\n", what, value);
    return -1;
}

// ---- interrupts

static void take_message(struct npu* npu) {
    uint32_t words[8];
    if ((machine_read(npu->machine, VNPU_REG_MAILBOX_OUT_CONTROL) &
         VNPU_MAILBOX_OUT_CONTROL_FULL_MASK) == 0) {
        return;
    }
    for (unsigned i = 0; i < 8; ++i) {
        words[i] = machine_read(npu->machine, VNPU_REG_MAILBOX_OUT + 4 * i);
    }
    machine_write(npu->machine, VNPU_REG_MAILBOX_OUT_CONTROL, 0);
    npu->has_message = words[0] >> 16 == vnpu_message_seal(words);
    words[0] &= VNPU_MESSAGE_TYPE_MASK;
    memcpy(&npu->message, words, sizeof(words));
}

static void take_fault(struct npu* npu) {
    const uint32_t info = machine_read(npu->machine, VNPU_REG_MMU_FAULT_INFO);
    const uint64_t low = machine_read(npu->machine, VNPU_REG_MMU_FAULT_ADDRESS_LO);
    const uint64_t high = machine_read(npu->machine, VNPU_REG_MMU_FAULT_ADDRESS_HI);
    if ((info & VNPU_MMU_FAULT_INFO_VALID_MASK) == 0) {
        return;  // the firmware was faster; the job's completion has the address
    }
    machine_write(npu->machine, VNPU_REG_MMU_FAULT_INFO, 0);
    npu->fault_address = high << 32 | low;
}

static void take_record(struct npu* npu) {
    struct vnpu_ring_header* header = machine_at(npu->machine, npu->ring);
    const struct vnpu_job_slot* slots = (const struct vnpu_job_slot*)(header + 1);
    const struct vnpu_completion_record* records =
            (const struct vnpu_completion_record*)(slots + SLOTS);
    if (header->completion_tail == header->completion_head) {
        return;
    }
    npu->record = records[header->completion_head % SLOTS];
    npu->has_record = vnpu_record_checksum(&npu->record) == npu->record.checksum;
    npu->fault_address =
            npu->record.fault_address != 0 ? npu->record.fault_address : npu->fault_address;
    ++header->completion_head;  // the firmware may use the record again
}

// The interrupt handler. The bits are cleared before they are served, so that a new event raises
// the line again.
static int handle_interrupt(struct npu* npu) {
    const uint32_t pending = machine_read(npu->machine, VNPU_REG_IRQ_STATUS);
    machine_write(npu->machine, VNPU_REG_IRQ_STATUS, pending);
    if (pending & VNPU_IRQ_STATUS_MESSAGE_MASK) {
        take_message(npu);
    }
    if (pending & VNPU_IRQ_STATUS_FAULT_MASK) {
        take_fault(npu);
    }
    if (pending & VNPU_IRQ_STATUS_JOB_DONE_MASK) {
        take_record(npu);
    }
    return pending & VNPU_IRQ_STATUS_FATAL_MASK ? fail("fatal error, IRQ_STATUS", pending) : 0;
}

// Waits until the handler has set `flag`.
static int wait_for(struct npu* npu, const int* flag, uint64_t timeout) {
    while (!*flag) {
        if (!machine_wait(npu->machine, timeout)) {
            return fail("no interrupt within milliseconds:", (unsigned)(timeout / MILLISECOND));
        }
        if (handle_interrupt(npu) != 0) {
            return -1;
        }
    }
    return 0;
}

// ---- mailbox

static int request(struct npu* npu, struct vnpu_message message) {
    uint32_t words[8];
    message.request_id = ++npu->requests;
    memcpy(words, &message, sizeof(words));
    words[0] |= vnpu_message_seal(words) << 16;
    npu->has_message = 0;
    for (unsigned i = 0; i < 8; ++i) {
        machine_write(npu->machine, VNPU_REG_MAILBOX_IN + 4 * i, words[i]);
    }
    machine_write(npu->machine, VNPU_REG_MAILBOX_IN_CONTROL, VNPU_MAILBOX_IN_CONTROL_FULL_MASK);
    if (wait_for(npu, &npu->has_message, REPLY_TIMEOUT) != 0) {
        return fail("no reply to message", message.type);
    }
    return npu->message.status == 0 ? 0 : fail("message refused with status", npu->message.status);
}

// ---- boot

void npu_init(struct npu* npu, struct machine* machine) {
    memset(npu, 0, sizeof(*npu));
    npu->machine = machine;
    npu->boot = machine_alloc(machine, sizeof(struct vnpu_boot_parameters));
    npu->root = machine_alloc(machine, VNPU_PAGE_BYTES);
    npu->ring = machine_alloc(machine, VNPU_PAGE_BYTES);
    npu->next_virtual = FIRST_VIRTUAL;
}

int npu_boot(struct npu* npu) {
    struct machine* machine = npu->machine;
    struct vnpu_boot_parameters* boot = machine_at(machine, npu->boot);
    machine_write(machine, VNPU_REG_CONTROL, VNPU_CONTROL_RESET_MASK);
    *boot = (struct vnpu_boot_parameters){
            .magic = VNPU_BOOT_MAGIC,
            .size_bytes = sizeof(*boot),
            .boot_api_version = VNPU_BOOT_API_VERSION,
            .mailbox_api_version = VNPU_MAILBOX_API_VERSION,
            .ring_api_version = VNPU_RING_API_VERSION,
            .command_stream_version = machine_read(machine, VNPU_REG_COMMAND_STREAM_VERSION)};
    npu->has_message = 0;
    machine_write(machine, VNPU_REG_IRQ_MASK, INTERRUPTS);
    machine_write(machine, VNPU_REG_BOOT_PARAMETERS_LO, (uint32_t)npu->boot);
    machine_write(machine, VNPU_REG_BOOT_PARAMETERS_HI, (uint32_t)(npu->boot >> 32));
    machine_write(machine, VNPU_REG_CONTROL, 0);
    machine_write(machine, VNPU_REG_CONTROL, VNPU_CONTROL_BOOT_MASK);
    if (wait_for(npu, &npu->has_message, REPLY_TIMEOUT) != 0) {
        return fail("no message after the boot, STATUS", machine_read(machine, VNPU_REG_STATUS));
    }
    if (npu->message.type != VNPU_MESSAGE_READY) {
        return fail("the firmware refuses to boot, reason", npu->message.value);
    }
    if (request(npu, (struct vnpu_message){.type = VNPU_MESSAGE_CREATE_CONTEXT,
                                           .context = CONTEXT,
                                           .address = npu->root}) != 0) {
        return -1;
    }
    *(struct vnpu_ring_header*)machine_at(machine, npu->ring) =
            (struct vnpu_ring_header){.magic = VNPU_RING_MAGIC,
                                      .version = VNPU_RING_API_VERSION,
                                      .slot_count = SLOTS,
                                      .completion_count = SLOTS};
    return request(npu, (struct vnpu_message){.type = VNPU_MESSAGE_CREATE_RING,
                                              .context = CONTEXT,
                                              .ring = RING,
                                              .value = VNPU_BAND_NORMAL,
                                              .address = npu->ring});
}

// ---- page tables

// The last-level entry of a virtual address; makes the tables above it.
static uint64_t* entry_of(struct npu* npu, uint64_t virtual_address) {
    uint64_t* table = machine_at(npu->machine, npu->root);
    for (int level = 0; level < VNPU_TABLE_LEVELS - 1; ++level) {
        uint64_t* entry = &table[vnpu_table_index(virtual_address, level)];
        if ((*entry & VNPU_PTE_VALID) == 0) {
            *entry = machine_alloc(npu->machine, VNPU_PAGE_BYTES) | VNPU_PTE_VALID;
        }
        table = machine_at(npu->machine, *entry & VNPU_PTE_ADDRESS_MASK);
    }
    return &table[vnpu_table_index(virtual_address, VNPU_TABLE_LEVELS - 1)];
}

uint64_t npu_map(struct npu* npu, uint64_t bus_address, uint64_t bytes, int is_writable) {
    const uint64_t start = npu->next_virtual;
    const uint64_t flags = VNPU_PTE_VALID | (is_writable ? VNPU_PTE_WRITABLE : 0);
    uint64_t offset = 0;
    for (; offset < bytes; offset += VNPU_PAGE_BYTES) {
        *entry_of(npu, start + offset) = (bus_address + offset) | flags;
    }
    npu->next_virtual = start + offset + VNPU_PAGE_BYTES;  // a gap finds accesses beyond the end
    return start;
}

uint64_t npu_set_entry(struct npu* npu, uint64_t virtual_address, uint64_t value) {
    uint64_t* entry = entry_of(npu, virtual_address);
    const uint64_t previous = *entry;
    *entry = value;
    return previous;
}

int npu_invalidate_tlb(struct npu* npu) {
    return request(npu,
                   (struct vnpu_message){.type = VNPU_MESSAGE_INVALIDATE_TLB, .context = CONTEXT});
}

// ---- jobs

int npu_run(struct npu* npu, struct vnpu_job_slot slot) {
    struct vnpu_ring_header* header = machine_at(npu->machine, npu->ring);
    struct vnpu_job_slot* slots = (struct vnpu_job_slot*)(header + 1);
    slot.job_id = ++npu->jobs;
    slot.fence_value = slot.job_id;
    slots[header->tail % SLOTS] = slot;
    ++header->tail;
    npu->has_record = 0;
    machine_write(npu->machine, VNPU_REG_DOORBELL + 4 * RING, header->tail);
    return wait_for(npu, &npu->has_record, JOB_TIMEOUT);
}

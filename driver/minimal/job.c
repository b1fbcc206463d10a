// SPDX-License-Identifier: Apache-2.0
#include "job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int job_read(struct job* job, const char* path) {
    FILE* file = fopen(path, "rb");
    const struct vnpu_job_file* header;
    uint64_t bytes = 0;
    memset(job, 0, sizeof(*job));
    job->file = malloc(MACHINE_BYTES);  // more would not fit the machine's memory
    if (file != NULL && job->file != NULL) {
        bytes = fread(job->file, 1, MACHINE_BYTES, file);
        fclose(file);
    }
    header = (const void*)job->file;
    if (bytes < sizeof(*header) || header->magic != VNPU_JOB_FILE_MAGIC ||
        header->version != VNPU_JOB_FILE_VERSION || header->file_bytes != bytes ||
        header->checksum != vnpu_job_file_checksum(header + 1, bytes - sizeof(*header))) {
        fprintf(stderr, "minimal: %s: cannot be read, or is no intact job file of version %u\n",
                path, VNPU_JOB_FILE_VERSION);
        return -1;
    }
    job->header = header;
    job->regions = (const void*)(job->file + header->regions_offset);
    return 0;
}

// The file is for one configuration of the device.
static int check_device(const struct job* job, struct npu* npu) {
    const struct vnpu_job_check* checks = (const void*)(job->file + job->header->checks_offset);
    for (uint32_t i = 0; i < job->header->check_count; ++i) {
        const uint32_t value = machine_read(npu->machine, checks[i].offset);
        if (value != checks[i].value) {
            fprintf(stderr, "minimal: register 0x%04x is 0x%x, the job file expects 0x%x\n",
                    checks[i].offset, value, checks[i].value);
            return -1;
        }
    }
    return 0;
}

// Takes pages, copies `data` into them unless it is null, and maps them.
static uint64_t place(struct npu* npu, const void* data, uint64_t bytes, int is_writable,
                      void** memory) {
    const uint64_t bus_address = machine_alloc(npu->machine, bytes);
    *memory = machine_at(npu->machine, bus_address);
    if (data != NULL) {
        memcpy(*memory, data, bytes);
    }
    return npu_map(npu, bus_address, bytes, is_writable);
}

int job_map(struct job* job, struct npu* npu) {
    const struct vnpu_job_file* header = job->header;
    struct vnpu_region_entry table[VNPU_MAX_REGIONS];
    void* memory;
    if (check_device(job, npu) != 0) {
        return -1;
    }
    memset(table, 0, sizeof(table));
    for (uint32_t i = 0; i < header->region_count; ++i) {
        const struct vnpu_job_region* region = &job->regions[i];
        const int is_constant = region->kind == VNPU_JOB_CONSTANTS;
        job->addresses[i] = place(npu, is_constant ? job->file + region->data_offset : NULL,
                                  region->bytes, !is_constant, &job->memory[i]);
        table[i].address = job->addresses[i];
        table[i].size_bytes = region->bytes;
        table[i].flags = region->flags;
    }
    job->slot.command_address =
            place(npu, job->file + header->commands_offset, header->commands_bytes, 0, &memory);
    job->slot.command_bytes = (uint32_t)header->commands_bytes;
    job->slot.region_table_address = place(npu, table, sizeof(table), 0, &memory);
    job->slot.region_count = header->region_count;
    job->slot.command_stream_version = header->command_stream_version;
    job->slot.estimate_cycles = header->estimate_cycles;
    job->slot.sram_blocks = header->sram_blocks;
    return 0;
}

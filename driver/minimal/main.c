// SPDX-License-Identifier: Apache-2.0
//
// minimal JOBFILE FOLDER [--lint] [--fault] [--record FILE]
//     runs a job of `vnpu compile`: reads FOLDER/in<k>.bin, writes FOLDER/out<k>.bin.
//     --lint checks this driver, --fault provokes a fault first, --record writes for `vnpu replay`
#include <stdio.h>
#include <string.h>

#include "job.h"

// Moves the bytes of all inputs or outputs between their files and the device's memory.
static int move_files(const struct job* job, uint32_t kind, const char* folder) {
    const int is_input = kind == VNPU_JOB_INPUT;
    for (uint32_t i = 0; i < job->header->region_count; ++i) {
        const struct vnpu_job_region* region = &job->regions[i];
        char path[512];
        FILE* file;
        size_t moved = 0;
        if (region->kind != kind) {
            continue;
        }
        snprintf(path, sizeof(path), "%s/%s%u.bin", folder, is_input ? "in" : "out", region->index);
        file = fopen(path, is_input ? "rb" : "wb");
        if (file != NULL) {
            moved = is_input ? fread(job->memory[i], 1, region->bytes, file)
                             : fwrite(job->memory[i], 1, region->bytes, file);
            fclose(file);
        }
        if (moved != region->bytes) {
            fprintf(stderr, "minimal: %s: cannot %s %llu bytes\n", path,
                    is_input ? "read" : "write", (unsigned long long)region->bytes);
            return -1;
        }
    }
    return 0;
}

// Runs the job without the first page of an input, which must fail, and resets the device.
static int provoke_fault(struct npu* npu, const struct job* job) {
    uint64_t address = 0;
    uint64_t entry;
    for (uint32_t i = 0; i < job->header->region_count; ++i) {
        address = job->regions[i].kind == VNPU_JOB_INPUT ? job->addresses[i] : address;
    }
    entry = npu_set_entry(npu, address, 0);
    if (npu_invalidate_tlb(npu) != 0 || npu_run(npu, job->slot) != 0) {
        return -1;
    }
    printf("job %llu failed with status %u at 0x%llx, command 0x%x\n",
           (unsigned long long)npu->record.job_id, npu->record.status,
           (unsigned long long)npu->fault_address, npu->record.failing_command);
    npu_set_entry(npu, address, entry);
    return npu_boot(npu);
}

static int run(struct npu* npu, const struct job* job, const char* folder, int provokes_fault) {
    if (move_files(job, VNPU_JOB_INPUT, folder) != 0 ||
        (provokes_fault && provoke_fault(npu, job) != 0) || npu_run(npu, job->slot) != 0) {
        return -1;
    }
    if (npu->record.status != VNPU_JOB_OK) {
        fprintf(stderr, "minimal: the job failed with status %u\n", npu->record.status);
        return -1;
    }
    printf("%s on %s: %u commands in %llu cycles\n", job->header->model, job->header->config,
           npu->record.command_count,
           (unsigned long long)(npu->record.end_cycle - npu->record.start_cycle));
    return move_files(job, VNPU_JOB_OUTPUT, folder);
}

int main(int argc, char** argv) {
    static struct machine machine;
    static struct npu npu;
    static struct job job;
    vnpu_options options = {0};
    int provokes_fault = 0;
    int result = 1;
    for (int i = 3; i < argc; ++i) {
        if (strcmp(argv[i], "--lint") == 0) {
            options.flags |= VNPU_LINT;
        } else if (strcmp(argv[i], "--fault") == 0) {
            provokes_fault = 1;
        } else if (strcmp(argv[i], "--record") == 0 && i + 1 < argc) {
            options.record = argv[++i];
        } else {
            argc = 0;
        }
    }
    if (argc < 3 || job_read(&job, argv[1]) != 0) {
        fprintf(stderr, "usage: minimal JOBFILE FOLDER [--lint] [--fault] [--record FILE]\n");
        return 2;
    }
    options.config = job.header->config;
    if (machine_start(&machine, options) == 0) {
        npu_init(&npu, &machine);
        if (npu_boot(&npu) == 0 && job_map(&job, &npu) == 0 &&
            run(&npu, &job, argv[2], provokes_fault) == 0 &&
            vnpu_device_lint_count(machine.device) == 0) {
            result = 0;
        }
    }
    machine_stop(&machine);
    return result;
}

// SPDX-License-Identifier: Apache-2.0
//
// A compiled model (`vnpu compile`) and its place in the device's memory.
#ifndef MINIMAL_JOB_H
#define MINIMAL_JOB_H

#include <vnpu/job_file.h>

#include "npu.h"

struct job {
    unsigned char* file;
    const struct vnpu_job_file* header;
    const struct vnpu_job_region* regions;
    uint64_t addresses[VNPU_MAX_REGIONS];  // virtual, of the regions
    void* memory[VNPU_MAX_REGIONS];        // the same for the host
    struct vnpu_job_slot slot;
};

// Both return 0, or -1 after a message.
int job_read(struct job* job, const char* path);
int job_map(struct job* job, struct npu* npu);

#endif

// SPDX-License-Identifier: Apache-2.0
//
// The file of `vnpu compile`: a model as a job for one device. A header, then tables and data at
// the offsets that it names, each a multiple of 64. All numbers are little endian.
//
// To run it: compare the checks with the device's registers; map commands and constants read-only
// and scratch, inputs and outputs writable into a context; fill a table of struct vnpu_region_entry
// in the order of the regions; submit a slot with the commands, the table and the header's numbers.
#ifndef VNPU_JOB_FILE_H
#define VNPU_JOB_FILE_H

#ifdef __KERNEL__
#include <linux/types.h>
#else
#include <stdint.h>
#endif

#define VNPU_JOB_FILE_MAGIC 0x4A504E56u  // "VNPJ"
#define VNPU_JOB_FILE_VERSION 1u

struct vnpu_job_file {
    uint32_t magic;       // VNPU_JOB_FILE_MAGIC
    uint32_t version;     // VNPU_JOB_FILE_VERSION
    uint64_t file_bytes;  // of the whole file
    uint64_t checksum;    // vnpu_job_file_checksum() of the bytes behind this header
    uint32_t command_stream_version;
    uint32_t check_count;
    uint64_t checks_offset;   // struct vnpu_job_check[check_count]
    uint64_t regions_offset;  // struct vnpu_job_region[region_count]
    uint32_t region_count;
    uint32_t reserved;
    uint64_t commands_offset;
    uint64_t commands_bytes;
    uint64_t estimate_cycles;  // struct vnpu_job_slot
    uint64_t sram_blocks;      // likewise
    char config[32];           // name of the device's configuration, ends with 0
    char model[64];            // name of the model, ends with 0
};

// A configuration register and the value for which the model was compiled.
struct vnpu_job_check {
    uint32_t offset;
    uint32_t value;
};

enum {
    VNPU_JOB_CONSTANTS = 0,  // data_offset: its bytes
    VNPU_JOB_SCRATCH = 1,    // memory for the job alone
    VNPU_JOB_INPUT = 2,      // index: of the model
    VNPU_JOB_OUTPUT = 3      // likewise
};

struct vnpu_job_region {
    uint32_t kind;   // VNPU_JOB_CONSTANTS and so on
    uint32_t index;  // of an input or output; one of several regions may name the same
    uint64_t bytes;
    uint32_t flags;  // VNPU_REGION_WRITABLE
    uint32_t reserved;
    uint64_t data_offset;
};

// FNV-1a over 64-bit words; `bytes` is a multiple of 8.
static inline uint64_t vnpu_job_file_checksum(const void* data, uint64_t bytes) {
    const uint64_t* words = (const uint64_t*)data;
    uint64_t sum = 0xCBF29CE484222325ull;
    uint64_t i;
    for (i = 0; i < bytes / 8; ++i) {
        sum = (sum ^ words[i]) * 0x100000001B3ull;
    }
    return sum;
}

#endif

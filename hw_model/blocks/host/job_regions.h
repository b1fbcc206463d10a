// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "hw_model/blocks/host/register_file.h"
#include "hw_model/regs/command_stream.h"
#include "hw_model/regs/status.h"

namespace vnpu::hw {

/// Virtual addresses of one region of the running job.
struct JobRegion {
    std::uint64_t address = 0;
    std::uint64_t bytes = 0;
};

/// Why an engine cannot execute its command.
struct EngineFailure {
    JobStatus status = JobStatus::kOk;
    std::string what;
};

/// The region table of the running job as the engines see it: in local memory, at JOB_REGION_TABLE.
class JobRegions {
  public:
    JobRegions(const RegisterFile& registers, std::span<const std::byte> localMemory)
        : registers_(registers), localMemory_(localMemory) {}

    /// The offsets [begin, end) that an engine needs in the region of a reference.
    struct Wanted {
        std::uint64_t begin = 0;
        std::uint64_t end = 0;
        bool isWrite = false;
    };
    /// Finds the region if it covers the offsets; otherwise returns false with the reason.
    bool find(const MemoryRef& reference, const Wanted& wanted, JobRegion& region,
              EngineFailure& failure) const;

  private:
    const RegisterFile& registers_;
    std::span<const std::byte> localMemory_;
};

}  // namespace vnpu::hw

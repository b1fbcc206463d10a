// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace vnpu::hw {

/// How a job ended; used in the completion record and the engines' error registers. job_status.def
/// lists the values.
enum class JobStatus : std::uint32_t {
#define VNPU_JOB_STATUS(status, code, name) status = (code),
#include "hw_model/regs/job_status.def"
};

/// Name for logs ("out-of-region").
std::string_view jobStatusName(JobStatus status);

}  // namespace vnpu::hw

// SPDX-License-Identifier: Apache-2.0
#include "hw_model/regs/status.h"

namespace vnpu::hw {

std::string_view jobStatusName(JobStatus status) {
    switch (status) {
#define VNPU_JOB_STATUS(known, code, name) \
    case JobStatus::known:                 \
        return name;
#include "hw_model/regs/job_status.def"
    }
    return "?";
}

}  // namespace vnpu::hw

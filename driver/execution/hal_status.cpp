// SPDX-License-Identifier: Apache-2.0
#include "driver/execution/hal_status.h"

#include <fmt/format.h>
#include <vnpu/hal/conversion.h>

#include <cstdint>

#include "hw_model/regs/engines.h"

namespace vnpu::driver {

namespace nn = android::hardware::neuralnetworks;

nn::V1_2::Timing noTiming() {
    return {.timeOnDevice = UINT64_MAX, .timeInDriver = UINT64_MAX};
}

nn::V1_0::ErrorStatus toHal10Status(ErrorStatus status) {
    return hal::convertTo<nn::V1_0::ErrorStatus>(status);
}

ErrorStatus toErrorStatus(hw::JobStatus status) {
    switch (status) {
        case hw::JobStatus::kOk:
            return ErrorStatus::NONE;
        case hw::JobStatus::kLoopTimeout:
            return ErrorStatus::MISSED_DEADLINE_PERSISTENT;  // it would take as long again
        case hw::JobStatus::kNoRoom:
            return ErrorStatus::OUTPUT_INSUFFICIENT_SIZE;
        default:
            return ErrorStatus::GENERAL_FAILURE;
    }
}

std::string describe(const fw::CompletionRecord& record) {
    std::string text =
            fmt::format("job {} ended with {}", record.jobId, hw::jobStatusName(record.status));
    if (record.failingEngine < hw::kEngineCount) {
        text += fmt::format(", engine {}",
                            hw::engineName(static_cast<hw::Engine>(record.failingEngine)));
    }
    if (record.failingCommand != UINT32_MAX) {
        text += fmt::format(", command at byte {}", record.failingCommand);
    }
    if (record.faultAddress != 0) {
        text += fmt::format(", virtual address {:#x}", record.faultAddress);
    }
    return text;
}

std::string describe(std::string_view call, const Error& error) {
    return fmt::format("{}: {}: {}", call, toString(error.status), error.reason);
}

}  // namespace vnpu::driver

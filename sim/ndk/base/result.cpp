// SPDX-License-Identifier: Apache-2.0
#include "sim/ndk/base/result.h"

#include <hidl/HidlInternal.h>

namespace vnpu::sim::ndk {

ResultCode codeOf(nn::V1_3::ErrorStatus status) {
    using Status = nn::V1_3::ErrorStatus;
    switch (status) {
        case Status::NONE:
            return ANEURALNETWORKS_NO_ERROR;
        case Status::DEVICE_UNAVAILABLE:
            return ANEURALNETWORKS_UNAVAILABLE_DEVICE;
        case Status::GENERAL_FAILURE:
            return ANEURALNETWORKS_OP_FAILED;
        case Status::OUTPUT_INSUFFICIENT_SIZE:
            return ANEURALNETWORKS_OUTPUT_INSUFFICIENT_SIZE;
        case Status::INVALID_ARGUMENT:
            return ANEURALNETWORKS_BAD_DATA;
        case Status::MISSED_DEADLINE_TRANSIENT:
            return ANEURALNETWORKS_MISSED_DEADLINE_TRANSIENT;
        case Status::MISSED_DEADLINE_PERSISTENT:
            return ANEURALNETWORKS_MISSED_DEADLINE_PERSISTENT;
        case Status::RESOURCE_EXHAUSTED_TRANSIENT:
            return ANEURALNETWORKS_RESOURCE_EXHAUSTED_TRANSIENT;
        case Status::RESOURCE_EXHAUSTED_PERSISTENT:
            return ANEURALNETWORKS_RESOURCE_EXHAUSTED_PERSISTENT;
    }
    return ANEURALNETWORKS_OP_FAILED;  // a status of a foreign service
}

const char* nameOf(ResultCode code) {
    constexpr const char* kNames[] = {"NO_ERROR",
                                      "OUT_OF_MEMORY",
                                      "INCOMPLETE",
                                      "UNEXPECTED_NULL",
                                      "BAD_DATA",
                                      "OP_FAILED",
                                      "BAD_STATE",
                                      "UNMAPPABLE",
                                      "OUTPUT_INSUFFICIENT_SIZE",
                                      "UNAVAILABLE_DEVICE",
                                      "MISSED_DEADLINE_TRANSIENT",
                                      "MISSED_DEADLINE_PERSISTENT",
                                      "RESOURCE_EXHAUSTED_TRANSIENT",
                                      "RESOURCE_EXHAUSTED_PERSISTENT",
                                      "DEAD_OBJECT"};
    return kNames[code];
}

void logLine(const std::string& line) {
    android::hardware::details::logError("nnapi: " + line);
}

}  // namespace vnpu::sim::ndk

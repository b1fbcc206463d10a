// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/NeuralNetworksTypes.h>
#include <android/hardware/neuralnetworks/1.3/types.h>
#include <fmt/format.h>

#include <string>
#include <tl/expected.hpp>
#include <utility>

#include "driver/result.h"

namespace vnpu::sim::ndk {

namespace nn = android::hardware::neuralnetworks;

/// A failure of a call: the interface's code, and a sentence for the log (lower case, with values,
/// no full stop).
struct Error {
    ResultCode code = ANEURALNETWORKS_OP_FAILED;
    std::string reason;
};

template <typename T>
using Result = tl::expected<T, Error>;

template <typename... Values>
tl::unexpected<Error> failed(ResultCode code, fmt::format_string<Values...> reason,
                             Values&&... values) {
    return tl::unexpected<Error>(Error{code, fmt::format(reason, std::forward<Values>(values)...)});
}
template <typename... Values>
tl::unexpected<Error> badData(fmt::format_string<Values...> reason, Values&&... values) {
    return failed(ANEURALNETWORKS_BAD_DATA, reason, std::forward<Values>(values)...);
}
template <typename... Values>
tl::unexpected<Error> badState(fmt::format_string<Values...> reason, Values&&... values) {
    return failed(ANEURALNETWORKS_BAD_STATE, reason, std::forward<Values>(values)...);
}

/// A broken rule of the driver's validation as the caller's wrong argument at a place.
template <typename T, typename... Values>
Result<T> asBadData(driver::Result<T> checked, fmt::format_string<Values...> place,
                    Values&&... values) {
    return std::move(checked).map_error([&](const driver::Error& error) {
        return Error{ANEURALNETWORKS_BAD_DATA,
                     fmt::format(place, std::forward<Values>(values)...) + ": " + error.reason};
    });
}

/// The code of the interface for a status of the HAL.
ResultCode codeOf(nn::V1_3::ErrorStatus status);

/// "BAD_DATA" for ANEURALNETWORKS_BAD_DATA.
const char* nameOf(ResultCode code);

/// One line in the log on stderr.
void logLine(const std::string& line);

}  // namespace vnpu::sim::ndk

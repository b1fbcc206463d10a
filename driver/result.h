// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.3/types.h>

#include <string>
#include <tl/expected.hpp>
#include <utility>

#include "hw_model/regs/try.h"

namespace vnpu {

/// VNPU_TRY and VNPU_TRY_ASSIGN for tl::expected (hw_model/regs/try.h).
template <typename T, typename E>
bool hasFailed(const tl::expected<T, E>& result) {
    return !result.has_value();
}

template <typename T, typename E>
tl::unexpected<E> failureOf(tl::expected<T, E>&& result) {
    return tl::unexpected<E>(std::move(result.error()));
}

}  // namespace vnpu

namespace vnpu::driver {

using ErrorStatus = android::hardware::neuralnetworks::V1_3::ErrorStatus;

/// An expected failure: the status for the HAL, and a sentence for the log (lower case, with
/// values, no full stop).
struct Error {
    ErrorStatus status = ErrorStatus::GENERAL_FAILURE;
    std::string reason;
};

template <typename T>
using Result = tl::expected<T, Error>;

inline tl::unexpected<Error> fail(ErrorStatus status, std::string reason) {
    return tl::unexpected<Error>(Error{status, std::move(reason)});
}

inline tl::unexpected<Error> invalidArgument(std::string reason) {
    return fail(ErrorStatus::INVALID_ARGUMENT, std::move(reason));
}

}  // namespace vnpu::driver

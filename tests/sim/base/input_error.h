// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sim/base/error.h"

namespace vnpu::sim::test {

inline constexpr const char* kNoError = "no error";

/// The message of the InputError that the action throws; kNoError if it throws none.
template <typename F>
std::string inputErrorOf(F&& action) {
    try {
        action();
    } catch (const InputError& error) {
        return error.what();
    }
    return kNoError;
}

}  // namespace vnpu::sim::test

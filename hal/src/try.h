// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tl/expected.hpp>
#include <utility>

// Early return on failure, for tl::expected. The same as hw_model/regs/try.h, which this library
// must not include: it stands alone. Only for source files; the expression may hold commas.

/// Evaluates an expression; if it failed, leaves the enclosing function with its error.
#define VNPU_TRY(...)                                            \
    do {                                                         \
        if (auto vnpuTried = (__VA_ARGS__); !vnpuTried) {        \
            return tl::unexpected(std::move(vnpuTried).error()); \
        }                                                        \
    } while (false)

/// The same for an expression with a value, which initializes a declaration or is assigned. Expands
/// to several statements.
#define VNPU_TRY_ASSIGN(target, ...) \
    VNPU_TRY_ASSIGN_AS(VNPU_TRY_NAME(__LINE__), target, __VA_ARGS__)
#define VNPU_TRY_ASSIGN_AS(result, target, ...)           \
    auto result = (__VA_ARGS__);                          \
    if (!result) {                                        \
        return tl::unexpected(std::move(result).error()); \
    }                                                     \
    target = *std::move(result)
#define VNPU_TRY_NAME(line) VNPU_TRY_JOIN(line)  // so that __LINE__ becomes a number first
#define VNPU_TRY_JOIN(line) vnpuTried##line

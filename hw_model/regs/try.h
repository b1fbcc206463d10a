// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

// Early return on failure, for every result type. A type takes part by two functions in namespace
// vnpu: `bool hasFailed(const R&)`, and `failureOf(R&&)`, whose result the enclosing function
// returns. hw_model/regs/operand_checks.h defines them for hw::JobStatus, driver/result.h for
// tl::expected. The expression may contain commas.

/// Evaluates an expression; if it failed, returns its failure from the enclosing function.
#define VNPU_TRY(...)                                                       \
    do {                                                                    \
        if (auto vnpuTried = (__VA_ARGS__); ::vnpu::hasFailed(vnpuTried)) { \
            return ::vnpu::failureOf(std::move(vnpuTried));                 \
        }                                                                   \
    } while (false)

/// The same for an expression with a value, which initializes a declaration or is assigned:
/// VNPU_TRY_ASSIGN(auto memory, allocate(bytes)); Expands to several statements.
#define VNPU_TRY_ASSIGN(target, ...) \
    VNPU_TRY_ASSIGN_AS(VNPU_TRY_NAME(__LINE__), target, __VA_ARGS__)
#define VNPU_TRY_ASSIGN_AS(result, target, ...)      \
    auto result = (__VA_ARGS__);                     \
    if (::vnpu::hasFailed(result)) {                 \
        return ::vnpu::failureOf(std::move(result)); \
    }                                                \
    target = *std::move(result)
#define VNPU_TRY_NAME(line) VNPU_TRY_JOIN(line)  // so that __LINE__ becomes a number first
#define VNPU_TRY_JOIN(line) vnpuTried##line

// SPDX-License-Identifier: Apache-2.0
#include "driver/result.h"

#include <doctest/doctest.h>

#include <memory>
#include <utility>

namespace vnpu::driver {

namespace {

Result<std::unique_ptr<int>> make(int value, int most) {
    if (value > most) {
        return fail(ErrorStatus::INVALID_ARGUMENT, "too much");
    }
    return std::make_unique<int>(value);
}

/// The sum of two values, each at most 10; `calls` counts the steps that were reached.
Result<int> sum(std::pair<int, int> values, int& calls) {
    VNPU_TRY_ASSIGN(const auto first, make(values.first, 10));
    ++calls;
    std::unique_ptr<int> second;
    VNPU_TRY_ASSIGN(second, make(values.second, 10));
    ++calls;
    VNPU_TRY(make(*first + *second, 15));
    ++calls;
    return *first + *second;
}

}  // namespace

TEST_SUITE_BEGIN("driver/api/result");

TEST_CASE("a failed step leaves its function with the error; a value is declared or assigned") {
    int calls = 0;
    CHECK(sum({4, 5}, calls) == 9);
    CHECK_EQ(calls, 3);
    struct Case {
        std::pair<int, int> values;
        int calls;
    };
    for (const Case& one : {Case{{11, 1}, 0}, Case{{1, 11}, 1}, Case{{8, 8}, 2}}) {
        CAPTURE(one.calls);
        calls = 0;
        const auto result = sum(one.values, calls);
        REQUIRE_FALSE(result.has_value());
        CHECK_EQ(result.error().status, ErrorStatus::INVALID_ARGUMENT);
        CHECK_EQ(result.error().reason, "too much");
        CHECK_EQ(calls, one.calls);
    }
}

TEST_SUITE_END();

}  // namespace vnpu::driver

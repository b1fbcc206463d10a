// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <utility>

#include "driver/result.h"

namespace vnpu::driver {

/// INVALID_ARGUMENT with the formatted sentence.
template <typename... Values>
tl::unexpected<Error> broken(fmt::format_string<Values...> rule, Values&&... values) {
    return invalidArgument(fmt::format(rule, std::forward<Values>(values)...));
}

/// The result of a check, with the formatted place in front of the broken rule.
template <typename... Values>
Result<void> within(Result<void> checked, fmt::format_string<Values...> place, Values&&... values) {
    if (!checked) {
        checked.error().reason =
                fmt::format(place, std::forward<Values>(values)...) + ": " + checked.error().reason;
    }
    return checked;
}

}  // namespace vnpu::driver

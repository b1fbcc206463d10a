// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace vnpu::hal {

/// The reason of a failure: a sentence for the log.
template <typename... Args>
tl::unexpected<std::string> failure(fmt::format_string<Args...> text, Args&&... args) {
    return tl::unexpected(fmt::format(text, std::forward<Args>(args)...));
}

}  // namespace vnpu::hal

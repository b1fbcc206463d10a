// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace vnpu::sim {

/// What a figure of flatten() means, with its unit; the name may end with a priority, an app or a
/// client. Empty for other names.
std::string_view figureMeaning(std::string_view name);

}  // namespace vnpu::sim

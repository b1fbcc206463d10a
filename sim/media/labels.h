// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vnpu::sim::media {

/// One name per class, in the order of the classes.
using Labels = std::vector<std::string>;

/// The lines of a text, without carriage returns and without empty lines at the end.
Labels parseLabels(std::string_view text);

/// A text file with one label per line. Throws InputError.
Labels readLabels(const std::string& path);

/// The label of a class, or its number where there is none.
std::string labelOf(const Labels& labels, std::size_t index);

}  // namespace vnpu::sim::media

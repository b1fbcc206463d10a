// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace vnpu::sim {

/// The text of a JSON value, in one line unless `indent` is given. U+FFFD stands for bytes that are
/// not UTF-8: the names in a model may have any.
template <typename Json>
std::string jsonText(const Json& json, int indent = -1) {
    return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace vnpu::sim

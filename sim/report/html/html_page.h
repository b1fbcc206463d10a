// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace vnpu::sim {

/// What a page may load.
enum class PageReach {
    kNothing,    // the page forbids itself to load anything
    kOwnServer,  // only from the server that it came from
};

/// A page that shows `data`, as one HTML file that needs no other file. data["kind"] is the name
/// of the part of the page that draws it: "run", "sweep", "validate",
/// "compare", "live". The data may hold any text:
/// nothing of it becomes markup or script. Bytes that are not UTF-8 are replaced.
std::string htmlPage(std::string_view title, const nlohmann::ordered_json& data,
                     PageReach reach = PageReach::kNothing);

}  // namespace vnpu::sim

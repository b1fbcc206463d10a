// SPDX-License-Identifier: Apache-2.0
#include "sim/import/graph/report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>

namespace vnpu::sim::graph {

const char* nameOf(Status status) {
    switch (status) {
        case Status::kImported:
            return "imported";
        case Status::kComposed:
            return "composed";
        case Status::kFolded:
            return "folded";
        case Status::kRefused:
            break;
    }
    return "refused";
}

std::string summarize(const Report& report) {
    struct Group {
        std::string name, reason;
        std::vector<std::uint32_t> places;
    };
    std::vector<Group> groups;
    for (const UnsupportedOperator& entry : report.unsupported) {
        const auto found = std::find_if(groups.begin(), groups.end(), [&](const Group& group) {
            return group.name == entry.name && group.reason == entry.reason;
        });
        if (found != groups.end()) {
            found->places.push_back(entry.index);
        } else {
            groups.push_back({entry.name, entry.reason, {entry.index}});
        }
    }
    std::string text;
    for (const Group& group : groups) {
        constexpr std::size_t kMostPlaces = 8;  // chosen: keeps a line readable
        std::vector<std::uint32_t> shown = group.places;
        shown.resize(std::min(shown.size(), kMostPlaces));
        text += fmt::format("{}operator{} {}{} ({}): {}", text.empty() ? "" : "; ",
                            group.places.size() == 1 ? "" : "s", fmt::join(shown, ", "),
                            group.places.size() > kMostPlaces
                                    ? fmt::format(" and {} more", group.places.size() - kMostPlaces)
                                    : "",
                            group.name, group.reason);
    }
    return text;
}

}  // namespace vnpu::sim::graph

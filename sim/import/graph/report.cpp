// SPDX-License-Identifier: Apache-2.0
#include "sim/import/graph/report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "sim/base/error.h"

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

std::vector<UnsupportedKind> kindsOf(const Report& report) {
    std::vector<UnsupportedKind> kinds;
    for (const UnsupportedOperator& entry : report.unsupported) {
        const auto found = std::find_if(kinds.begin(), kinds.end(), [&](const auto& kind) {
            return kind.name == entry.name && kind.reason == entry.reason;
        });
        if (found == kinds.end()) {
            kinds.push_back({entry.name, entry.reason, {entry.index}, entry.macsWithout});
        } else {
            found->places.push_back(entry.index);
            found->macsWithout = std::min(found->macsWithout, entry.macsWithout);
        }
    }
    return kinds;
}

std::string summarize(const Report& report) {
    std::string text;
    for (const UnsupportedKind& kind : kindsOf(report)) {
        constexpr std::size_t kMostPlaces = 8;  // chosen: keeps a line readable
        std::vector<std::uint32_t> shown = kind.places;
        shown.resize(std::min(shown.size(), kMostPlaces));
        text += fmt::format("{}operator{} {}{} ({}): {}", text.empty() ? "" : "; ",
                            kind.places.size() == 1 ? "" : "s", fmt::join(shown, ", "),
                            kind.places.size() > kMostPlaces
                                    ? fmt::format(" and {} more", kind.places.size() - kMostPlaces)
                                    : "",
                            kind.name, kind.reason);
    }
    return text;
}

Network networkOf(const std::string& path, ImportResult result) {
    if (!result.network) {
        throw InputError(
                result.report.isComplete()
                        ? fmt::format("{}: model inputs: there is none, expected at least 1", path)
                        : fmt::format("{}: {}", path, summarize(result.report)));
    }
    return std::move(*result.network);
}

}  // namespace vnpu::sim::graph

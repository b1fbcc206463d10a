// SPDX-License-Identifier: Apache-2.0
#include "sim/metrics/figure_name.h"

#include <utility>

namespace vnpu::sim {

namespace {

constexpr std::pair<std::string_view, std::string_view> kUnits[] = {
        {"ns", "ns"},         {"us", "us"},       {"ms", "ms"}, {"hz", "Hz"},
        {"cycles", "cycles"}, {"bytes", "bytes"}, {"pct", "%"}};

/// The unit of one part of a quantity's name, whose words are separated by underscores: that of the
/// last word that is one.
std::string_view unitOfPart(std::string_view part) {
    if (part == "gb_per_s") {
        return "GB/s";
    }
    while (!part.empty()) {
        const std::size_t end = part.rfind('_');
        const bool hasMore = end != std::string_view::npos;
        const std::string_view last = hasMore ? part.substr(end + 1) : part;
        for (const auto& [word, unit] : kUnits) {
            if (last == word) {
                return unit;
            }
        }
        part = hasMore ? part.substr(0, end) : std::string_view();
    }
    return {};
}

}  // namespace

FigureName figureNameOf(std::string_view figure) {
    const std::size_t end = figure.find_first_of(".[@");
    if (end == std::string_view::npos) {
        return {"run", "", std::string(figure)};
    }
    const std::string quantity(figure.substr(0, end));
    const std::string_view name = figure.substr(end + 1);
    switch (figure[end]) {
        case '[':
            return {"client", std::string(name.substr(0, name.size() - 1)), quantity};
        case '@':
            return {"app", std::string(name), quantity};
        default:
            return {"priority", std::string(name), quantity};
    }
}

std::string_view unitOf(std::string_view quantity) {
    if (quantity.starts_with("energy")) {
        return "uJ";
    }
    while (!quantity.empty()) {
        const std::size_t dot = quantity.rfind('.');
        const bool hasParts = dot != std::string_view::npos;
        if (const std::string_view unit =
                    unitOfPart(hasParts ? quantity.substr(dot + 1) : quantity);
            !unit.empty()) {
            return unit;
        }
        quantity = hasParts ? quantity.substr(0, dot) : std::string_view();
    }
    return {};
}

}  // namespace vnpu::sim

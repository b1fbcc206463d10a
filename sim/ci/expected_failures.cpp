// SPDX-License-Identifier: Apache-2.0
#include "sim/ci/expected_failures.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <utility>

#include "sim/base/error.h"
#include "sim/base/split.h"

namespace vnpu::sim {

namespace {

/// The line without its comment and without blanks at both ends.
std::string patternOf(std::string line) {
    for (std::size_t i = 0; i < line.size(); ++i) {
        const bool isAfterBlank = i == 0 || line[i - 1] == ' ' || line[i - 1] == '\t';
        if (line[i] == '#' && isAfterBlank) {
            line.erase(i);
            break;
        }
    }
    constexpr const char* kBlanks = " \t\r";
    const std::size_t begin = line.find_first_not_of(kBlanks);
    if (begin == std::string::npos) {
        return "";
    }
    return line.substr(begin, line.find_last_not_of(kBlanks) - begin + 1);
}

}  // namespace

bool fits(const NameFilter& filter, const CaseName& name) {
    return filter.fits(name.name) || (!name.suite.empty() && filter.fits(name.text()));
}

ExpectedFailures::ExpectedFailures(std::string_view text, const std::string& file) {
    std::size_t number = 0;
    for (std::string& line : split(text, '\n')) {
        ++number;
        std::string pattern = patternOf(std::move(line));
        if (!pattern.empty()) {
            const std::string place = fmt::format("{}:{}", file, number);
            NameFilter filter(pattern, place + ":");
            patterns_.push_back({place, std::move(pattern), std::move(filter)});
        }
    }
}

ExpectedFailures ExpectedFailures::load(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    if (!in.is_open() || in.bad()) {
        throw InputError(fmt::format("--expect-fail {}: {}, expected a file with a pattern a line",
                                     file, std::strerror(errno)));
    }
    return {text, file};
}

std::string ExpectedFailures::placeOf(const CaseName& name) {
    std::string place;
    for (Pattern& pattern : patterns_) {
        if (fits(pattern.filter, name)) {
            pattern.isUsed = true;
            place = place.empty() ? pattern.place : place;
        }
    }
    return place;
}

std::vector<std::string> ExpectedFailures::unused() const {
    std::vector<std::string> lines;
    for (const Pattern& pattern : patterns_) {
        if (!pattern.isUsed) {
            lines.push_back(fmt::format("{}: {}", pattern.place, pattern.text));
        }
    }
    return lines;
}

}  // namespace vnpu::sim

// SPDX-License-Identifier: Apache-2.0
#include "sim/scenario/trace_file.h"

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <optional>

#include "sim/base/duration.h"
#include "sim/base/error.h"

namespace vnpu::sim {

namespace {

constexpr std::size_t kMaxTimes = 1'000'000;
constexpr std::string_view kBlanks = " \t\r";

/// The line without its comment and surrounding blanks.
std::string_view contentOf(std::string_view line) {
    line = line.substr(0, line.find('#'));
    const std::size_t begin = line.find_first_not_of(kBlanks);
    if (begin == std::string_view::npos) {
        return {};
    }
    return line.substr(begin, line.find_last_not_of(kBlanks) - begin + 1);
}

}  // namespace

std::vector<std::uint64_t> parseTrace(std::string_view text, const std::string& file) {
    std::vector<std::uint64_t> times;
    for (std::size_t line = 1; !text.empty(); ++line) {
        const std::size_t end = text.find('\n');
        const std::string_view content = contentOf(text.substr(0, end));
        text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
        if (content.empty()) {
            continue;
        }
        const std::optional<std::uint64_t> time = parseDuration(content);
        if (!time) {
            throw InputError(
                    fmt::format("{}:{}: \"{}\", expected {}", file, line, content, kDurationForm));
        }
        if (!times.empty() && *time < times.back()) {
            throw InputError(
                    fmt::format("{}:{}: \"{}\" is before the time above it, expected "
                                "rising times",
                                file, line, content));
        }
        if (times.size() == kMaxTimes) {
            throw InputError(fmt::format("{}:{}: more than {} times, expected no more", file, line,
                                         kMaxTimes));
        }
        times.push_back(*time);
    }
    if (times.empty()) {
        throw InputError(fmt::format("{}:1: no time, expected one a line", file));
    }
    return times;
}

std::vector<std::uint64_t> loadTrace(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    if (!in.is_open() || in.bad()) {
        throw InputError(
                fmt::format("{} can't be read, expected a file with one time a line", path));
    }
    return parseTrace(text, path);
}

}  // namespace vnpu::sim

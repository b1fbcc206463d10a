// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/help/help_format.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <sstream>

#include "sim/base/legend.h"

namespace vnpu::sim {

std::string HelpFormat::make_option(const CLI::Option* option, bool isPositional) const {
    const std::size_t left = get_column_width();
    const auto description = wrapped(make_option_desc(option), kTextColumns - left);
    std::stringstream out;
    CLI::detail::format_help(out, make_option_name(option, isPositional) + make_option_opts(option),
                             fmt::format("{}", fmt::join(description, "\n")), left);
    return out.str();
}

std::string HelpFormat::make_option_usage(const CLI::Option* option) const {
    const char* const more = option->get_expected_max() > 1 ? "..." : "";
    const std::string usage = make_option_name(option, true) + more;
    return option->get_required() ? usage : fmt::format("[{}]", usage);
}

std::string HelpFormat::make_footer(const CLI::App* app) const {
    return fmt::format("{}",
                       fmt::join(wrapped(CLI::Formatter::make_footer(app), kTextColumns), "\n"));
}

}  // namespace vnpu::sim

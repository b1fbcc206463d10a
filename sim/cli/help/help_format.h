// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace vnpu::sim {

/// The help of CLI11 with descriptions and footers of at most 120 columns. In the line of usage, a
/// positional argument that may be given several times is followed by "...".
class HelpFormat : public CLI::Formatter {
  public:
    std::string make_option(const CLI::Option* option, bool isPositional) const override;
    std::string make_option_usage(const CLI::Option* option) const override;
    std::string make_footer(const CLI::App* app) const override;
};

}  // namespace vnpu::sim

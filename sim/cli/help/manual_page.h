// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace vnpu::sim {

/// A page of section 1 of the manual.
struct ManualPage {
    std::string name;  // "vnpu-run", as man(1) looks for it
    std::string roff;  // with the macros of man(7)
};

/// The page of the program and one for each of its listed commands, PROGRAM-COMMAND, with all
/// options.
std::vector<ManualPage> manualPages(const CLI::App& program, const std::string& version);

}  // namespace vnpu::sim

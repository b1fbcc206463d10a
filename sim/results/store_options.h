// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "sim/results/store_results.h"

namespace vnpu::sim {

/// The options of a command about the file that it appends its results to.
struct StoreOptions {
    std::string file{};   // --sqlite; empty: none
    std::string label{};  // --label
};

/// --sqlite and --label.
void addStoreOptions(CLI::App& command, StoreOptions& options);

/// The file of --sqlite, made or checked before the work of a command, so that a wrong file costs
/// no time; none without the option. Throws InputError that begins with "--sqlite".
std::optional<ResultStore> openStore(const StoreOptions& options);

}  // namespace vnpu::sim

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace vnpu::sim {

/// An option of a command, as a shell completes it.
struct CompletedOption {
    std::vector<std::string> names{};  // "--config", "-h"
    std::string help;                  // one line
    bool hasValue = false;
    bool isFile = false;                // the value may be the name of a file
    std::vector<std::string> values{};  // words that the value may be; empty: any
};

/// A command, as a shell completes it.
struct CompletedCommand {
    std::string name, help;
    std::vector<CompletedOption> options{};
};

/// Words for values, by the name of their option ("--config").
using OptionWords = std::map<std::string, std::vector<std::string>>;

/// The listed commands of the program with all their options. A value's words are those of its
/// type, as in "sync|async" or "{nvdla,sram}", or in `words`.
std::vector<CompletedCommand> completedCommands(const CLI::App& program, const OptionWords& words);

enum class Shell { kBash, kZsh, kFish };

constexpr const char* nameOf(Shell shell) {
    constexpr const char* kNames[] = {"bash", "zsh", "fish"};
    return kNames[static_cast<std::size_t>(shell)];
}

// Scripts that a shell reads to complete the program's commands, options and values. Where they
// know no words, the shell completes names of files.

std::string bashCompletion(const std::string& program,
                           const std::vector<CompletedCommand>& commands);
std::string zshCompletion(const std::string& program,
                          const std::vector<CompletedCommand>& commands);
std::string fishCompletion(const std::string& program,
                           const std::vector<CompletedCommand>& commands);

}  // namespace vnpu::sim

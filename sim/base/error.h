// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>

namespace vnpu::sim {

/// Exit codes of `vnpu`.
enum class ExitCode : int { kDone = 0, kFailed = 1, kBadInput = 2 };

/// The user's input is wrong (a model, configuration, scenario or vector file, an option). The
/// message is one line with the file, the place, the mistake and what was expected. The program
/// prints it and ends with exit code 2.
class InputError : public std::runtime_error {
  public:
    explicit InputError(const std::string& what) : std::runtime_error(what) {}
};

}  // namespace vnpu::sim

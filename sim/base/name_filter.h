// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <regex.h>

#include <memory>
#include <string>

namespace vnpu::sim {

/// A POSIX extended regular expression that is searched for in names; an empty expression matches
/// every name.
class NameFilter {
  public:
    /// Throws InputError for a malformed expression; `option` is named in the message.
    NameFilter(const std::string& expression, const std::string& option);

    bool fits(const std::string& name) const;

  private:
    struct Free {
        void operator()(regex_t* expression) const;
    };
    std::unique_ptr<regex_t, Free> compiled_;  // null: matches all names
};

}  // namespace vnpu::sim

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tests/support/program.h"

namespace vnpu::test {

/// What `cmake --install` installs, moved to another place.
class Installation {
  public:
    Installation();

    /// Whether programs of a plain compiler can use what was built.
    static bool isUsable();

    std::string operator/(const std::string& name) const { return folder_ / ("moved/" + name); }
    /// A folder for the test's own files.
    const CommandFolder& folder() const { return folder_; }

    /// Compiles a source file of the project with these flags and those of a pkg-config package.
    std::string compile(const std::string& source, const std::string& flags,
                        const std::string& package) const;
    /// The same with another compiler and its standard.
    std::string compileWith(const std::string& compiler, const std::string& source,
                            const std::string& flags, const std::string& package) const;

    /// Runs a command that must succeed; returns its output.
    std::string run(const std::string& command) const;

  private:
    CommandFolder folder_;
};

}  // namespace vnpu::test

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android-base/unique_fd.h>
#include <doctest/doctest.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/child_program.h"
#include "tests/support/program.h"

namespace vnpu::test {

/// A service at a socket of this test, which can be ended and started again.
class TestService {
  public:
    TestService() { ::setenv("VNPU_SOCKET", socket().c_str(), 1); }

    /// Returns when the service answers.
    void start(const std::vector<std::string>& options = {}) {
        std::vector<std::string> words{VNPU_PROGRAM, "serve", "--socket", socket()};
        words.insert(words.end(), options.begin(), options.end());
        android::base::unique_fd output;
        android::base::unique_fd input;
        REQUIRE(android::base::Pipe(&output, &input));
        process_.emplace(words, sim::ChildProgram::Streams{.output = input.get()});
        input.reset();
        char first = 0;
        REQUIRE(::read(output.get(), &first, 1) == 1);
    }
    void kill() { process_->end(SIGKILL); }

  private:
    std::string socket() const { return (folder_ / "vnpu.sock").string(); }

    TemporaryFolder folder_;
    std::optional<sim::ChildProgram> process_;
};

}  // namespace vnpu::test

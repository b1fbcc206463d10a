// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace vnpu::test {

/// The main program of a test binary: doctest's options, and those about cases of sim/ci (--junit,
/// --shard, --filter and others). With --merge-junit OUT, it only joins the JUnit files that the
/// other arguments name. Returns the exit code: 0, 1 for a failure, 2 for wrong options.
int runTests(int argc, char** argv);

}  // namespace vnpu::test

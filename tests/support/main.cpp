// SPDX-License-Identifier: Apache-2.0
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include "tests/support/test_run.h"

// The SystemC library refers to an sc_main even though main() belongs to the tests and the
// simulation is started by sim_case.h.
extern "C" int sc_main(int /*argc*/, char* /*argv*/[]) {
    return 0;
}

int main(int argc, char** argv) {
    return vnpu::test::runTests(argc, argv);
}

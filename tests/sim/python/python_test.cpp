// SPDX-License-Identifier: Apache-2.0
// The Python package as a user gets it: installed, moved, and imported by scripts.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>

#include "tests/support/installation.h"
#include "tests/support/source_folder.h"
#include "tests/support/text.h"

namespace {

using vnpu::test::contains;
using vnpu::test::Installation;
using vnpu::test::sourceFolder;

#ifdef VNPU_PYTHON
/// Runs a script with the installed package; returns what it wrote.
std::string runScript(const Installation& installed, const std::string& script) {
    return installed.run(fmt::format(
            "(cd {} && env -u VNPU_PROGRAM PYTHONDONTWRITEBYTECODE=1 PYTHONPATH={} {} -W error {} "
            "2>&1)",
            installed.folder() / "", installed / "lib/python3/dist-packages", VNPU_PYTHON, script));
}
#endif

TEST_SUITE_BEGIN("sim/python");

TEST_CASE("the installed package runs scenarios, sweeps and a device") {
#ifdef VNPU_PYTHON
    const Installation installed;
    for (const char* script : {"run_test.py", "device_test.py"}) {
        CAPTURE(script);
        const std::string output =
                runScript(installed, (sourceFolder() / "tests/sim/python" / script).string());
        CAPTURE(output);
        CHECK(contains(output, "\nOK\n"));
        CHECK_FALSE(contains(output, "Ran 0 tests"));
    }
#else
    MESSAGE("skipped: the Python package was not built");
#endif
}

TEST_CASE("pandas takes the tables as they are") {
#ifdef VNPU_PYTHON
    const Installation installed;
    const std::string output =
            runScript(installed, (sourceFolder() / "tests/sim/python/pandas_test.py").string());
    CAPTURE(output);
    if (output == "no pandas\n") {
        MESSAGE("skipped: pandas is not installed");
        return;
    }
    CHECK(contains(output, "\nOK\n"));
    CHECK_FALSE(contains(output, "Ran 0 tests"));
#else
    MESSAGE("skipped: the Python package was not built");
#endif
}

TEST_CASE("the installed example runs") {
#ifdef VNPU_PYTHON
    const Installation installed;
    const std::string output =
            runScript(installed, installed / "share/doc/vnpu/examples/python/first_steps.py");
    CAPTURE(output);
    CHECK(contains(output, "camera: "));
    CHECK(contains(output, "\n30 Hz: "));
    // As boot.c of the examples in C.
    CHECK(contains(output, "state 2, message 0x80 at "));
#else
    MESSAGE("skipped: the Python package was not built");
#endif
}

TEST_SUITE_END();

}  // namespace

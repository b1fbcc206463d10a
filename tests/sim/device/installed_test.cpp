// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <regex>
#include <set>
#include <sstream>
#include <string>

#include "tests/support/installation.h"
#include "tests/support/source_folder.h"

namespace vnpu::test {

namespace {

/// The functions that vnpu_device.h declares.
std::set<std::string> declaredFunctions() {
    const std::string header = readFile(sourceFolder() / "sim/device/vnpu_device.h");
    const std::regex pattern(R"((?:^|\n)[a-z][a-z0-9_ *]*[ *](vnpu_[a-z0-9_]+)\()");
    std::set<std::string> names;
    for (std::sregex_iterator match(header.begin(), header.end(), pattern), end; match != end;
         ++match) {
        names.insert((*match)[1]);
    }
    return names;
}

/// Configures and builds a project of the tests or examples with the installed package.
std::string buildWithPackage(const Installation& installed, const std::string& project) {
    const std::string build = installed.folder() / "build";
    installed.run(fmt::format("{} -S {} -B {} -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH={}",
                              VNPU_CMAKE, project, build, installed / ""));
    installed.run(fmt::format("{} --build {}", VNPU_CMAKE, build));
    return build + "/";
}

/// An installation with its driver in C, and a job of the keyword spotter with inputs and the
/// outputs that `vnpu infer` computes.
struct InstalledJob {
    InstalledJob() {
        const std::string program = installed / "bin/vnpu";
        const std::string folder = installed.folder() / "";
        const std::string library = installed.run(
                fmt::format("find {} -name vnpu_device.pc -printf %h", installed / ""));
        packages = library;
        std::string input;
        for (int i = 0; i < 490; ++i) {
            input += static_cast<char>(i * 37);
        }
        installed.folder().write("in0.bin", input);
        installed.run(fmt::format("{0} compile zoo:ds_cnn -o {1}model.job", program, folder));
        installed.run(fmt::format("{0} infer zoo:ds_cnn --input {1}in0.bin --output {1}expected",
                                  program, folder));
    }

    /// Runs a job with the program, which is a shell's command.
    void checkRun(const std::string& program, const std::string& arguments) const {
        const std::string folder = installed.folder() / "";
        const std::string output = installed.run(
                fmt::format("{} {}{}model.job {}", program, arguments, folder, folder));
        CHECK(output.find("ds_cnn on edge: ") != std::string::npos);
        CHECK(installed.folder().read("out0.bin") == installed.folder().read("expected/out0.bin"));
        CHECK(installed.folder().read("err").find("minimal:") == std::string::npos);
    }

    Installation installed;
    std::string driver = installed / "share/doc/vnpu/examples/minimal";
    std::string packages;
};

#define VNPU_SKIP_IF_SANITIZED()                                          \
    if (!Installation::isUsable()) {                                      \
        MESSAGE("skipped: a plain compiler does not know the sanitizer"); \
        return;                                                           \
    }

}  // namespace

TEST_SUITE_BEGIN("sim/device/installed");

TEST_CASE("a C99 program boots the firmware with the installed package alone [issue 28]") {
    VNPU_SKIP_IF_SANITIZED()
    const Installation installed;
    const std::string program =
            installed.compileWith("gcc -std=c99 -pedantic -Wall -Wextra -Werror",
                                  "sim/device/examples/c/boot.c", "", "vnpu_device");
    for (const char* config : {"edge", "mobile"}) {
        const ProgramResult result = runProgram(program, {config});
        CAPTURE(result.errors);
        CHECK(result.exitCode == 0);
        CHECK(result.output.find("state 2, message 0x80 at ") == 0);
        CHECK(result.errors.empty());
    }
    const ProgramResult refused = runProgram(program, {"egde"});
    CHECK(refused.exitCode == 1);
    CHECK(refused.errors.find("VNPU_BAD_CONFIG: ") == 0);
}

TEST_CASE("the driver in C99 runs a job with the installed package alone [issue 28]") {
    VNPU_SKIP_IF_SANITIZED()
    const InstalledJob job;
    job.installed.run(
            fmt::format("cd {0} && PKG_CONFIG_PATH={1} CFLAGS='-O2 -pedantic -Werror' make",
                        job.driver, job.packages));
    job.checkRun(job.driver + "/minimal", "");
}

TEST_CASE("so does one that loads the library at run time, and unloads it [issue 28]") {
    VNPU_SKIP_IF_SANITIZED()
    const InstalledJob job;
    const std::string library = job.installed.run(
            fmt::format("find {} -name libvnpu_device.so.1 -printf %p", job.installed / ""));
    const std::string program = job.installed.folder() / "loader";
    job.installed.run(fmt::format(
            "gcc -std=c99 -pedantic -Wall -Wextra -Werror -I{0} {1}/*.c {2} -o {3} -ldl",
            job.installed / "include", job.driver,
            (sourceFolder() / "tests/sim/device/loader.c").string(), program));
    job.checkRun("VNPU_LIBRARY=" + library + " " + program, "");
}

TEST_CASE("so does a processor of the SystemC example, built with find_package [issue 28]") {
    VNPU_SKIP_IF_SANITIZED()
    const InstalledJob job;
    const std::string build =
            buildWithPackage(job.installed, job.installed / "share/doc/vnpu/examples/systemc");
    job.checkRun(build + "platform", "edge ");
}

TEST_CASE("the library exports the functions of its header and nothing else [issue 28]") {
    VNPU_SKIP_IF_SANITIZED()
    const Installation installed;
    std::istringstream exported(installed.run(fmt::format(
            "nm -D --defined-only --format=just-symbols $(find {} -name libvnpu_device.so.1)",
            installed / "")));
    std::set<std::string> names;
    for (std::string name; exported >> name;) {
        name = name.substr(0, name.find('@'));
        if (name != "VNPU_1") {  // the version itself
            names.insert(name);
        }
    }
    CHECK(names.size() > 20);
    CHECK(names == declaredFunctions());
}

TEST_CASE("two modules in one elaboration, at any time resolution [issue 28]") {
    VNPU_SKIP_IF_SANITIZED()
    const Installation installed;
    const std::string build =
            buildWithPackage(installed, (sourceFolder() / "tests/sim/device/two_modules").string());
    // The ready messages come at the same time, except where a time step is many cycles.
    for (const char* const resolution : {"1e-15", "1e-14", "1e-12", "1e-9", "1e-7"}) {
        CAPTURE(resolution);
        const ProgramResult result = runProgram(build + "two_modules", {resolution});
        CAPTURE(result.errors);
        CHECK(result.exitCode == 0);
        if (std::string(resolution) != "1e-7") {
            CHECK(result.output.find("2316000 ps, 2316000 ps\n") != std::string::npos);
        }
    }
}

TEST_CASE("the Debian package has the files at their places [issue 28]") {
    VNPU_SKIP_IF_SANITIZED()
    const CommandFolder folder;
    REQUIRE(folder.system(fmt::format("cd {} && cpack -G DEB --config {}/CPackConfig.cmake -B {}",
                                      folder / "", VNPU_BUILD_FOLDER, folder / "package")) == 0);
    REQUIRE(folder.system(fmt::format("dpkg-deb -c {}/vnpu_*.deb", folder / "package")) == 0);
    const std::string list = folder.read("out");
    CAPTURE(list);
    for (const char* file :
         {"./usr/bin/vnpu\n", "./usr/include/vnpu_device.h\n", "./usr/include/vnpu/registers.h\n",
          "./usr/include/vnpu/systemc/device.h\n", "/pkgconfig/vnpu_device.pc\n",
          "/libvnpu_device.so.1.0\n", "/cmake/vnpu/vnpuConfig.cmake\n",
          "./usr/share/man/man1/vnpu.1.gz\n", "./usr/share/man/man1/vnpu-run.1.gz\n",
          "./usr/share/doc/vnpu/copyright\n", "./usr/share/doc/vnpu/examples/c/boot.c\n"}) {
        CHECK_MESSAGE(list.find(file) != std::string::npos, file);
    }
    REQUIRE(folder.system(fmt::format("dpkg-deb -f {}/vnpu_*.deb Depends", folder / "package")) ==
            0);
    CHECK(folder.read("out").find("libsystemc") != std::string::npos);
#ifdef VNPU_PYTHON
    const std::string files = folder / "files";
    REQUIRE(folder.system(fmt::format("dpkg-deb -x {}/vnpu_*.deb {}", folder / "package", files)) ==
            0);
    const int exitCode = folder.system(fmt::format(
            "cd / && env -u VNPU_PROGRAM PYTHONPATH={0}/usr/lib/python3/dist-packages {1} -c "
            "'import vnpu; print(vnpu.__file__, "
            "vnpu.Device(\"edge\").fields(\"CONFIG_MAC\")[\"ROWS\"])'",
            files, VNPU_PYTHON));
    CAPTURE(folder.read("err"));
    CHECK(exitCode == 0);
    CHECK(folder.read("out") == files + "/usr/lib/python3/dist-packages/vnpu/__init__.py 16\n");
#endif
}

TEST_CASE("the manual has a page for the program and for its commands") {
    VNPU_SKIP_IF_SANITIZED()
    const Installation installed;
    for (const char* page : {"vnpu", "vnpu-infer", "vnpu-run", "vnpu-serve", "vnpu-validate"}) {
        const std::string text = installed.run(fmt::format(
                "gzip -dc {}", installed / fmt::format("share/man/man1/{}.1.gz", page)));
        CHECK(text.find(".SH OPTIONS\n") != std::string::npos);
    }
}

TEST_SUITE_END();

}  // namespace vnpu::test

// SPDX-License-Identifier: Apache-2.0
#include "tests/support/installation.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <filesystem>

#include "tests/support/source_folder.h"

namespace vnpu::test {

Installation::Installation() {
    run(fmt::format("DESTDIR={} {} --install {} --prefix /usr", folder_ / "stage", VNPU_CMAKE,
                    VNPU_BUILD_FOLDER));
    std::filesystem::rename(folder_ / "stage/usr", folder_ / "moved");
}

bool Installation::isUsable() {
    return !VNPU_IS_SANITIZED;
}

std::string Installation::run(const std::string& command) const {
    CAPTURE(command);
    const int exitCode = folder_.system(command);
    const std::string output = folder_.read("out");
    CAPTURE(output);
    CAPTURE(folder_.read("err"));
    REQUIRE(exitCode == 0);
    return output;
}

std::string Installation::compile(const std::string& source, const std::string& flags,
                                  const std::string& package) const {
    return compileWith(std::string(VNPU_COMPILER) + " -std=c++17", source, flags, package);
}

std::string Installation::compileWith(const std::string& compiler, const std::string& source,
                                      const std::string& flags, const std::string& package) const {
    const std::string packages =
            run(fmt::format("find {} -name {}.pc -printf %h", *this / "", package));
    run(fmt::format("{} {}/{} -o {} {} $(PKG_CONFIG_PATH={} pkg-config --cflags --libs {})",
                    compiler, sourceFolder().string(), source, folder_ / "program", flags, packages,
                    package));
    return folder_ / "program";
}

}  // namespace vnpu::test

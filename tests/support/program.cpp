// SPDX-License-Identifier: Apache-2.0
#include "tests/support/program.h"

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

namespace vnpu::test {

namespace fs = std::filesystem;

namespace {

std::string quoted(const std::string& text) {
    std::string out = "'";
    for (const char c : text) {
        if (c == '\'') {
            out += "'\\''";
        } else {
            out += c;
        }
    }
    out += '\'';
    return out;
}

}  // namespace

ProgramResult runProgram(const std::string& program, const std::vector<std::string>& arguments) {
    const TemporaryFolder folder;
    std::string command = quoted(program);
    for (const std::string& argument : arguments) {
        command.append(" ").append(quoted(argument));
    }
    command.append(" >").append(quoted(folder / "out"));
    command.append(" 2>").append(quoted(folder / "err")).append(" </dev/null");
    const int status = std::system(command.c_str());
    ProgramResult result;
    result.exitCode = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    result.output = readFile(folder / "out");
    result.errors = readFile(folder / "err");
    return result;
}

ProgramResult runVnpu(const std::vector<std::string>& arguments) {
    return runProgram(VNPU_PROGRAM, arguments);
}

TemporaryFolder::TemporaryFolder() {
    std::string pattern = (fs::temp_directory_path() / "vnpu_test_XXXXXX").string();
    REQUIRE(::mkdtemp(pattern.data()) != nullptr);
    path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
}

std::string CommandFolder::write(const std::string& name, const std::string& contents) const {
    writeFile(folder_ / name, contents);
    return *this / name;
}

std::string CommandFolder::read(const std::string& name) const {
    return fs::exists(folder_ / name) ? readFile(folder_ / name) : "";
}

int CommandFolder::run(const std::string& arguments) const {
    return system(quoted(VNPU_PROGRAM) + " " + arguments);
}

int CommandFolder::system(const std::string& command) const {
    const std::string redirected =
            command + " > " + quoted(*this / "out") + " 2> " + quoted(*this / "err");
    const int status = std::system(redirected.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

std::string readFile(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    REQUIRE_MESSAGE(file.good(), path.string());
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void writeFile(const fs::path& path, const std::string& contents) {
    std::ofstream file(path, std::ios::binary);
    file << contents;
    REQUIRE_MESSAGE(file.good(), path.string());
}

}  // namespace vnpu::test

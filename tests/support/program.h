// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace vnpu::test {

struct ProgramResult {
    int exitCode = -1;   // 128 + signal where a signal ended it
    std::string output;  // standard output
    std::string errors;  // standard error
};

/// Runs a program with these arguments.
ProgramResult runProgram(const std::string& program, const std::vector<std::string>& arguments);
/// Runs the built `vnpu`.
ProgramResult runVnpu(const std::vector<std::string>& arguments);

/// A folder of this test's own, gone at the end.
class TemporaryFolder {
  public:
    TemporaryFolder();
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
    const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path path_;
};

/// A folder for files of commands, which run by the shell with their output in `out` and `err`
/// there.
class CommandFolder {
  public:
    std::string operator/(const std::string& name) const { return (folder_ / name).string(); }

    /// Returns the file's path.
    std::string write(const std::string& name, const std::string& contents) const;
    /// Whole contents; nothing if there is no such file.
    std::string read(const std::string& name) const;

    /// Runs the built `vnpu`; returns the exit code, -1 if a signal ended it.
    int run(const std::string& arguments) const;
    /// Likewise any command.
    int system(const std::string& command) const;

  private:
    TemporaryFolder folder_;
};

/// Whole contents; fails the test if the file can't be read.
std::string readFile(const std::filesystem::path& path);
void writeFile(const std::filesystem::path& path, const std::string& contents);

}  // namespace vnpu::test

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace vnpu::test {

struct ProgramResult {
    int exitCode = -1;   // 128 + signal if a signal ended it
    std::string output;  // standard output
    std::string errors;  // standard error
};

/// Runs a program with these arguments.
ProgramResult runProgram(const std::string& program, const std::vector<std::string>& arguments);
/// Runs the built `vnpu`.
ProgramResult runVnpu(const std::vector<std::string>& arguments);

/// A temporary folder of this test, removed on destruction.
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

/// A folder for files of commands. Commands run in a shell with their output in `out` and `err` in
/// the folder.
class CommandFolder {
  public:
    std::string operator/(const std::string& name) const { return (folder_ / name).string(); }

    /// Writes a file; returns its path.
    std::string write(const std::string& name, const std::string& contents) const;
    /// The contents of the file; nothing if it does not exist.
    std::string read(const std::string& name) const;

    /// Runs the built `vnpu`; returns the exit code, -1 if a signal ended it.
    int run(const std::string& arguments) const;
    /// The same for any command.
    int system(const std::string& command) const;

  private:
    TemporaryFolder folder_;
};

/// The contents of the file; fails the test if it cannot be read.
std::string readFile(const std::filesystem::path& path);
void writeFile(const std::filesystem::path& path, const std::string& contents);

}  // namespace vnpu::test

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>

namespace vnpu::sim {

/// A new empty folder, which is removed with its contents at the end of the object's lifetime.
class ScratchFolder {
  public:
    /// Throws std::runtime_error if the system's folder for temporary files takes no folder.
    ScratchFolder() : path_(make()) {}
    ~ScratchFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;

    const std::filesystem::path& path() const { return path_; }

  private:
    static std::filesystem::path make() {
        std::string pattern = (std::filesystem::temp_directory_path() / "vnpu_XXXXXX").string();
        if (mkdtemp(pattern.data()) == nullptr) {
            throw std::runtime_error("no temporary folder could be made");
        }
        return pattern;
    }

    const std::filesystem::path path_;
};

}  // namespace vnpu::sim

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hidl/HidlSupport.h>

#include <cstdint>
#include <string>
#include <vector>

#include "sim/ndk/device/device.h"

namespace vnpu::sim::ndk {

using Handles = android::hardware::hidl_vec<android::hardware::hidl_handle>;

/// The files of one compilation in a folder: "<key>.m0" and so on for models, "<key>.d0" for data.
/// New files appear under these names only when all are complete, so that neither a crash nor
/// another process leaves a mixture. One thread.
class CacheFiles {
  public:
    /// `models` and `data` are the counts that the device wants.
    CacheFiles(CacheEntry entry, std::uint32_t models, std::uint32_t data);
    /// Removes new files that were not kept.
    ~CacheFiles();
    CacheFiles(const CacheFiles&) = delete;
    CacheFiles& operator=(const CacheFiles&) = delete;

    struct Open {
        Handles models;
        Handles data;
    };
    /// The files of an earlier compilation; fails if one is missing.
    Result<Open> openPresent() const;
    /// New empty files; fails if the folder cannot be written.
    Result<Open> createNew();
    /// Gives the new files their names.
    void keepNew();

  private:
    std::string pathOf(const char* kind, std::uint32_t index) const;
    template <typename OpenOne>
    Result<Open> openAll(const OpenOne& openOne) const;

    const CacheEntry entry_;
    const std::uint32_t models_;
    const std::uint32_t data_;
    struct NewFile {
        std::string temporary;
        std::string name;
    };
    std::vector<NewFile> newFiles_;
};

}  // namespace vnpu::sim::ndk

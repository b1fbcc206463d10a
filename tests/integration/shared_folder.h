// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <filesystem>

namespace vnpu::test {

/// The folder with models and vectors that are not part of the repository: $VNPU_SHARED, or
/// ../shared beside it.
inline std::filesystem::path sharedFolder() {
    const char* configured = std::getenv("VNPU_SHARED");
    return configured != nullptr ? std::filesystem::path(configured)
                                 : std::filesystem::path(VNPU_SOURCE_DIR).parent_path() / "shared";
}

}  // namespace vnpu::test

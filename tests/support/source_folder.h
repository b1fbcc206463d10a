// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace vnpu::test {

/// The root of the repository.
const std::filesystem::path& sourceFolder();

/// The folder with models and vectors that are not part of the repository: $VNPU_SHARED, or
/// ../shared beside it.
std::filesystem::path sharedFolder();

}  // namespace vnpu::test

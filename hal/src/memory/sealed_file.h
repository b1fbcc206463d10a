// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android-base/unique_fd.h>

#include <cstdint>
#include <string>
#include <tl/expected.hpp>

namespace vnpu::hal {

/// Creates a zeroed file in memory with a fixed size. `name` appears in /proc.
tl::expected<android::base::unique_fd, std::string> createSealedFile(const char* name,
                                                                     uint64_t sizeBytes);

/// Seals a file against shrinking if it is not sealed yet, and returns its size.
tl::expected<uint64_t, std::string> sealedFileBytes(int fd);

}  // namespace vnpu::hal

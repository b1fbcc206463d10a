// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android-base/unique_fd.h>

#include <cstdint>
#include <string>
#include <tl/expected.hpp>

namespace vnpu::hal {

/// A new file of zero bytes in memory, whose size nobody can change. `name` is for /proc.
tl::expected<android::base::unique_fd, std::string> createSealedFile(const char* name,
                                                                     uint64_t sizeBytes);

/// Size of a file that cannot become smaller any more: it is sealed, by this call if need be.
tl::expected<uint64_t, std::string> sealedFileBytes(int fd);

}  // namespace vnpu::hal

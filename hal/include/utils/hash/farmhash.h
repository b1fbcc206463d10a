// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

// Android's names for a function of libfarmhash (Debian: libfarmhash-dev). A program that calls it
// must link that library.

namespace util {
uint64_t Fingerprint64(const char* data, size_t size);
}

namespace farmhash {
using ::util::Fingerprint64;
}

namespace tc3farmhash {
using ::util::Fingerprint64;
}

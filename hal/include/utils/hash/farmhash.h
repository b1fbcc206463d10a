// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

// Names that Android's sources give to a function of libfarmhash (Debian: libfarmhash-dev), which
// who calls it links.

namespace util {
uint64_t Fingerprint64(const char* data, size_t size);
}

namespace farmhash {
using ::util::Fingerprint64;
}

namespace tc3farmhash {
using ::util::Fingerprint64;
}

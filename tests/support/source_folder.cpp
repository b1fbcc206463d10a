// SPDX-License-Identifier: Apache-2.0
#include "tests/support/source_folder.h"

#include <cstdlib>

namespace vnpu::test {

// Only this object file depends on the location of the checkout.
const std::filesystem::path& sourceFolder() {
    static const std::filesystem::path folder = VNPU_SOURCE_DIR;
    return folder;
}

std::filesystem::path sharedFolder() {
    const char* configured = std::getenv("VNPU_SHARED");
    return configured != nullptr ? std::filesystem::path(configured)
                                 : sourceFolder().parent_path() / "shared";
}

}  // namespace vnpu::test

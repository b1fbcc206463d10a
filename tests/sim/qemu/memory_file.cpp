// SPDX-License-Identifier: Apache-2.0
#include "tests/sim/qemu/memory_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <stdexcept>

namespace vnpu::test {

android::base::unique_fd createMemoryFile(std::uint64_t sizeBytes, bool isSealed) {
    android::base::unique_fd file(memfd_create("guest", MFD_CLOEXEC | MFD_ALLOW_SEALING));
    if (file.get() < 0 || ftruncate(file.get(), static_cast<off_t>(sizeBytes)) != 0 ||
        (isSealed && fcntl(file.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW) != 0)) {
        throw std::runtime_error("no file in memory");
    }
    return file;
}

sim::GuestRegion createRegion(std::uint64_t address, std::uint64_t sizeBytes, bool isSealed) {
    return {.address = address,
            .sizeBytes = sizeBytes,
            .offset = 0,
            .file = createMemoryFile(sizeBytes, isSealed)};
}

}  // namespace vnpu::test

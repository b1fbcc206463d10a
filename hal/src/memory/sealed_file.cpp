// SPDX-License-Identifier: Apache-2.0
#include "hal/src/memory/sealed_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <limits>

namespace vnpu::hal {
namespace {

using android::base::unique_fd;

template <typename... Args>
tl::unexpected<std::string> systemFailure(fmt::format_string<Args...> text, Args&&... args) {
    const int error = errno;
    return tl::unexpected(fmt::format("{}: {}", fmt::format(text, std::forward<Args>(args)...),
                                      std::strerror(error)));
}

}  // namespace

tl::expected<unique_fd, std::string> createSealedFile(const char* name, uint64_t sizeBytes) {
    if (sizeBytes == 0 || sizeBytes > static_cast<uint64_t>(std::numeric_limits<off_t>::max())) {
        return tl::unexpected(
                fmt::format("shared memory of {} bytes cannot be created", sizeBytes));
    }
    unique_fd fd(memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING));
    if (fd.get() < 0) {
        return systemFailure("memfd_create failed");
    }
    if (ftruncate(fd.get(), static_cast<off_t>(sizeBytes)) != 0) {
        return systemFailure("shared memory cannot have {} bytes", sizeBytes);
    }
    if (fcntl(fd.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW) != 0) {
        return systemFailure("the size of shared memory cannot be sealed");
    }
    return fd;
}

tl::expected<uint64_t, std::string> sealedFileBytes(int fd) {
    // Sealed before the size is read: the file could shrink in between. If adding seals is not
    // permitted, an existing seal suffices.
    (void)fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK);
    const int seals = fcntl(fd, F_GET_SEALS);
    if (seals < 0) {
        return systemFailure("fd {} takes no seals, expected shared memory", fd);
    }
    if ((seals & F_SEAL_SHRINK) == 0) {
        return tl::unexpected(
                fmt::format("fd {} has seals {:#x}, none of which keeps it from "
                            "shrinking",
                            fd, static_cast<unsigned>(seals)));
    }
    struct stat file {};
    if (fstat(fd, &file) != 0) {
        return systemFailure("fd {} cannot be examined", fd);
    }
    return static_cast<uint64_t>(file.st_size);
}

}  // namespace vnpu::hal

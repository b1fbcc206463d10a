// SPDX-License-Identifier: Apache-2.0
#include "tests/driver/cache/temporary_files.h"

#include <dirent.h>
#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>

namespace vnpu::driver::test {

using android::hardware::hidl_handle;
using android::hardware::hidl_vec;

Descriptor::~Descriptor() {
    if (fd_ >= 0) {
        close(fd_);
    }
}

TemporaryFile::TemporaryFile() : path_("/tmp/vnpu_cache_XXXXXX") {
    fd_ = mkostemp(path_.data(), O_CLOEXEC);
    REQUIRE_GE(fd_, 0);
}

TemporaryFile::~TemporaryFile() {
    close(fd_);
    unlink(path_.c_str());
}

int TemporaryFile::open(int flags) const {
    const int fd = ::open(path_.c_str(), flags | O_CLOEXEC);
    REQUIRE_GE(fd, 0);
    return fd;
}

std::vector<std::byte> TemporaryFile::read() const {
    struct stat status {};
    REQUIRE_EQ(fstat(fd_, &status), 0);
    std::vector<std::byte> bytes(static_cast<std::size_t>(status.st_size));
    REQUIRE_EQ(pread(fd_, bytes.data(), bytes.size(), 0), status.st_size);
    return bytes;
}

void TemporaryFile::write(const std::vector<std::byte>& bytes) const {
    REQUIRE_EQ(ftruncate(fd_, 0), 0);
    REQUIRE_EQ(pwrite(fd_, bytes.data(), bytes.size(), 0), static_cast<ssize_t>(bytes.size()));
}

hidl_vec<hidl_handle> handlesOf(const std::vector<std::vector<int>>& fdsOfHandle) {
    hidl_vec<hidl_handle> handles;
    handles.resize(fdsOfHandle.size());
    for (std::size_t i = 0; i < fdsOfHandle.size(); ++i) {
        const std::vector<int>& fds = fdsOfHandle[i];
        if (fds == std::vector<int>{-2}) {
            continue;
        }
        native_handle_t* handle = native_handle_create(static_cast<int>(fds.size()), 0);
        REQUIRE_NE(handle, nullptr);
        for (std::size_t f = 0; f < fds.size(); ++f) {
            handle->data[f] = fds[f] < 0 ? fds[f] : fcntl(fds[f], F_DUPFD_CLOEXEC, 0);
        }
        handles[i].setTo(handle, true);
    }
    return handles;
}

int openDescriptors() {
    int count = 0;
    DIR* folder = opendir("/proc/self/fd");
    REQUIRE_NE(folder, nullptr);
    while (readdir(folder) != nullptr) {
        ++count;
    }
    closedir(folder);
    return count;
}

}  // namespace vnpu::driver::test

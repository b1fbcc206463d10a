// SPDX-License-Identifier: Apache-2.0
#include "sim/ndk/device/cache_files.h"

#include <android-base/unique_fd.h>
#include <cutils/native_handle.h>
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace vnpu::sim::ndk {

using android::base::unique_fd;
using android::hardware::hidl_handle;

namespace {

hidl_handle handleOf(unique_fd file) {
    native_handle_t* native = native_handle_create(1, 0);
    native->data[0] = file.release();
    hidl_handle handle;
    handle.setTo(native, true);
    return handle;
}

}  // namespace

CacheFiles::CacheFiles(CacheEntry entry, std::uint32_t models, std::uint32_t data)
    : entry_(std::move(entry)), models_(models), data_(data) {}

CacheFiles::~CacheFiles() {
    for (const NewFile& file : newFiles_) {
        ::unlink(file.temporary.c_str());
    }
}

std::string CacheFiles::pathOf(const char* kind, std::uint32_t index) const {
    std::string path = entry_.folder + "/";
    for (const std::uint8_t byte : entry_.key) {
        path += fmt::format("{:02x}", byte);
    }
    return path + fmt::format(".{}{}", kind, index);
}

template <typename OpenOne>
Result<CacheFiles::Open> CacheFiles::openAll(const OpenOne& openOne) const {
    Open open{Handles(models_), Handles(data_)};
    for (std::uint32_t i = 0; i < models_; ++i) {
        VNPU_TRY_ASSIGN(open.models[i], openOne(pathOf("m", i)));
    }
    for (std::uint32_t i = 0; i < data_; ++i) {
        VNPU_TRY_ASSIGN(open.data[i], openOne(pathOf("d", i)));
    }
    return open;
}

Result<CacheFiles::Open> CacheFiles::openPresent() const {
    return openAll([](const std::string& path) -> Result<hidl_handle> {
        unique_fd file(::open(path.c_str(), O_RDWR | O_CLOEXEC));
        if (file.get() < 0) {
            return failed(ANEURALNETWORKS_OP_FAILED, "{}: {}", path, std::strerror(errno));
        }
        return handleOf(std::move(file));
    });
}

Result<CacheFiles::Open> CacheFiles::createNew() {
    return openAll([&](const std::string& path) -> Result<hidl_handle> {
        std::string temporary = path + ".XXXXXX";
        unique_fd file(::mkostemp(temporary.data(), O_CLOEXEC));
        if (file.get() < 0) {
            return failed(ANEURALNETWORKS_OP_FAILED, "{}: {}", path, std::strerror(errno));
        }
        newFiles_.push_back({std::move(temporary), path});
        return handleOf(std::move(file));
    });
}

void CacheFiles::keepNew() {
    for (const NewFile& file : newFiles_) {
        if (std::rename(file.temporary.c_str(), file.name.c_str()) != 0) {
            logLine(fmt::format("cache file {}: {}", file.name, std::strerror(errno)));
            ::unlink(file.temporary.c_str());
        }
    }
    newFiles_.clear();
}

}  // namespace vnpu::sim::ndk

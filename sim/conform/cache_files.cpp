// SPDX-License-Identifier: Apache-2.0
#include "sim/conform/cache_files.h"

#include <android/hardware/neuralnetworks/1.3/IDevice.h>
#include <cutils/native_handle.h>
#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>

namespace vnpu::sim {

namespace {

using android::hardware::hidl_handle;
using android::hardware::hidl_vec;

hidl_handle createFile() {
    const int file = ::memfd_create("vnpu-cache", MFD_CLOEXEC);
    if (file < 0) {
        throw std::runtime_error(fmt::format("cache file: {}", std::strerror(errno)));
    }
    native_handle_t* handle = native_handle_create(1, 0);
    handle->data[0] = file;
    hidl_handle owner;
    owner.setTo(handle, true);
    return owner;
}

hidl_vec<hidl_handle> createFiles(std::uint32_t count) {
    hidl_vec<hidl_handle> files(count);
    std::generate(files.begin(), files.end(), createFile);
    return files;
}

}  // namespace

CacheHandles createCacheFiles(ClientContext& context) {
    constexpr std::uint32_t kMost = 32;  // source: HAL 1.2, Constant::MAX_NUMBER_OF_CACHE_FILES
    std::uint32_t models = 0, data = 0;
    const auto told = context.device()->getNumberOfCacheFilesNeeded(
            [&](nn10::ErrorStatus, std::uint32_t modelFiles, std::uint32_t dataFiles) {
                models = modelFiles;
                data = dataFiles;
            });
    if (!told.isOk() || models > kMost || data > kMost) {
        throw std::runtime_error(
                fmt::format("device wants {} model and {} data cache files, at most {} are allowed",
                            models, data, kMost));
    }
    CacheHandles handles;
    handles.model = createFiles(models);
    handles.data = createFiles(data);
    return handles;
}

}  // namespace vnpu::sim

// SPDX-License-Identifier: Apache-2.0
#include "sim/tflite_delegate/compilation_cache.h"

#include <cutils/native_handle.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <system_error>

#include "driver/cache/sha256.h"
#include "sim/client/device_calls.h"

namespace vnpu::sim::tflite_delegate {

namespace {

namespace fs = std::filesystem;
using android::hardware::hidl_handle;
using android::hardware::hidl_vec;

struct FileCounts {
    std::uint32_t model = 0, data = 0;
};

FileCounts fileCounts(ClientContext& context) {
    constexpr std::uint32_t kMost = 32;  // source: HAL 1.2, Constant::MAX_NUMBER_OF_CACHE_FILES
    FileCounts counts;
    const auto told = context.device()->getNumberOfCacheFilesNeeded(
            [&](nn10::ErrorStatus, std::uint32_t model, std::uint32_t data) {
                counts = {model, data};
            });
    if (!told.isOk() || counts.model > kMost || counts.data > kMost) {
        throw std::runtime_error("the device does not say how many cache files it needs");
    }
    return counts;
}

driver::Digest digestOf(const ImportedSubset& subset, const Options& options) {
    driver::Sha256 hash;
    hash.add(std::span(subset.file));
    hash.add(fmt::format("|{}|{}|{}|{}|{}|{}", options.cacheToken, options.config, options.service,
                         static_cast<int>(options.preference), static_cast<int>(options.priority),
                         subset.network.model.relaxComputationFloat32toFloat16));
    for (const TensorDescription& input : subset.network.inputs) {
        hash.add(fmt::format("|{}", describeDimensions(input.dimensions)));
    }
    return hash.finish();
}

std::string hexadecimal(const driver::Digest& digest) {
    std::string text;
    for (const std::uint8_t byte : digest) {
        text += fmt::format("{:02x}", byte);
    }
    return text;
}

/// An open file in a handle that owns it; the handle is empty where the file does not open.
hidl_handle openFile(const fs::path& path, int flags) {
    constexpr ::mode_t kMode = 0600;
    hidl_handle owner;
    const int file = ::open(path.c_str(), flags | O_CLOEXEC, kMode);
    if (file >= 0) {
        native_handle_t* handle = native_handle_create(1, 0);
        handle->data[0] = file;
        owner.setTo(handle, true);
    }
    return owner;
}

/// The files of one compilation.
class CacheEntry {
  public:
    CacheEntry(FileCounts counts, const fs::path& folder, const driver::Digest& digest)
        : counts_(counts), stem_(folder / hexadecimal(digest)), digest_(digest) {}

    /// The files to read; no handles where one is missing.
    CacheHandles existing() const { return open("", O_RDWR); }

    /// New files beside those that readers see.
    CacheHandles created() const {
        CacheHandles handles = open(temporarySuffix(), O_RDWR | O_CREAT | O_TRUNC);
        if (handles.model.size() + handles.data.size() == 0 && counts_.model + counts_.data != 0) {
            throw std::runtime_error(fmt::format("cache file {}{}: {}", stem_.string(),
                                                 temporarySuffix(), std::strerror(errno)));
        }
        return handles;
    }

    /// Makes the new files those that readers see, or removes them.
    void finish(bool isGood) const {
        for (std::uint32_t i = 0; i < counts_.model + counts_.data; ++i) {
            std::error_code ignored;
            if (isGood) {
                fs::rename(pathOf(i, temporarySuffix()), pathOf(i, ""), ignored);
            } else {
                fs::remove(pathOf(i, temporarySuffix()), ignored);
            }
        }
    }

  private:
    std::string temporarySuffix() const { return fmt::format(".{}.{}", getpid(), number_); }

    fs::path pathOf(std::uint32_t index, const std::string& suffix) const {
        return fmt::format("{}-{}{}", stem_.string(), index, suffix);
    }

    CacheHandles open(const std::string& suffix, int flags) const {
        CacheHandles handles;
        handles.model.resize(counts_.model);
        handles.data.resize(counts_.data);
        for (std::uint32_t i = 0; i < counts_.model + counts_.data; ++i) {
            hidl_handle& handle =
                    i < counts_.model ? handles.model[i] : handles.data[i - counts_.model];
            handle = openFile(pathOf(i, suffix), flags);
            if (handle.getNativeHandle() == nullptr) {
                return {};
            }
        }
        std::copy(digest_.begin(), digest_.end(), handles.token.data());
        return handles;
    }

    static std::uint64_t nextNumber() {
        static std::atomic<std::uint64_t> number{0};
        return ++number;
    }

    const FileCounts counts_;
    const fs::path stem_;
    const driver::Digest digest_;
    const std::uint64_t number_ = nextNumber();
};

}  // namespace

PrepareResult prepareWithCache(ClientContext& context, const ImportedSubset& subset,
                               const Options& options, const PrepareOptions& how) {
    const FileCounts counts = fileCounts(context);
    if (counts.model + counts.data == 0) {
        return prepareModel(context, subset.network.model, how);
    }
    std::error_code error;
    fs::create_directories(options.cacheFolder, error);
    const CacheEntry entry(counts, options.cacheFolder, digestOf(subset, options));
    if (const CacheHandles handles = entry.existing();
        handles.model.size() + handles.data.size() != 0) {
        PrepareResult cached = prepareModelFromCache(context, handles);
        if (cached.status == nn::ErrorStatus::NONE) {
            return cached;
        }
    }
    PrepareOptions saving = how;
    saving.cache = entry.created();
    PrepareResult prepared = prepareModel(context, subset.network.model, saving);
    entry.finish(prepared.status == nn::ErrorStatus::NONE);
    return prepared;
}

}  // namespace vnpu::sim::tflite_delegate

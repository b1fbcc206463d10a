// SPDX-License-Identifier: Apache-2.0
#include "driver/cache/compilation_cache.h"

#include <utility>

namespace vnpu::driver {

Result<void> saveToCache(const CacheDescriptors& files, const CacheKey& key,
                         const CacheSource& source) {
    auto encoded = encodeModel(source);
    if (!encoded) {
        static_cast<void>(invalidateCacheFiles(files));
        return tl::unexpected(std::move(encoded.error()));
    }
    return writeCacheFiles(files, key, {.model = encoded->model, .data = std::move(encoded->data)});
}

Result<CachedModel> loadFromCache(const CacheDescriptors& files, const CacheKey& key,
                                  std::uint64_t memoryBytes) {
    VNPU_TRY_ASSIGN(auto contents, readCacheFiles(files, key));
    return decodeModel(contents.model, contents.data, memoryBytes);
}

}  // namespace vnpu::driver

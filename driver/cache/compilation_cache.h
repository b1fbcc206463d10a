// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/cache/cache_files.h"
#include "driver/cache/cached_model.h"
#include "driver/result.h"

namespace vnpu::driver {

/// Keeps a compilation in the client's two files. GENERAL_FAILURE with the reason if it cannot; the
/// files hold no valid cache then, as far as they can be written at all.
Result<void> saveToCache(const CacheDescriptors& files, const CacheKey& key,
                         const CacheSource& source);

/// The compilation stored under `key`. GENERAL_FAILURE with the reason for any other
/// files; none of their content is used then.
Result<CachedModel> loadFromCache(const CacheDescriptors& files, const CacheKey& key,
                                  std::uint64_t memoryBytes);

}  // namespace vnpu::driver

// SPDX-License-Identifier: Apache-2.0
#include "driver/cache/compilation_cache.h"

#include <doctest/doctest.h>

#include "tests/driver/cache/sample_compilation.h"
#include "tests/driver/cache/temporary_files.h"

using namespace vnpu::driver;
using namespace vnpu::driver::test;

TEST_SUITE_BEGIN("driver/cache/compilation_cache");

TEST_CASE("a compilation that was saved is loaded again, and no descriptor stays open") {
    const SampleCompilation sample;
    const CacheFilePair files;
    const int before = openDescriptors();
    {
        REQUIRE(saveToCache(files.descriptors(), {}, sample.source()).has_value());
        const auto loaded = loadFromCache(files.descriptors(), {}, kSampleMemoryBytes);
        REQUIRE(loaded.has_value());
        checkSame(loaded->model, sample.model);
        checkSame(*loaded->compiled, sample.compiled);
        // Its three pools.
        CHECK_EQ(openDescriptors(), before + 3);
    }
    CHECK_EQ(openDescriptors(), before);
}

TEST_CASE("a model that is too large for a cache leaves none, not an earlier one's either") {
    SampleCompilation sample;
    const CacheFilePair files;
    REQUIRE(saveToCache(files.descriptors(), {}, sample.source()).has_value());
    // A pool with one constant larger than the data cache may be: told of, never read.
    sample.pools[2] = PoolView(sample.poolBytes[2].data(), kMaxDataPayloadBytes + 4096);
    sample.model.main.operands[9].location = {
            .poolIndex = 2,
            .offset = 0,
            .length = static_cast<std::uint32_t>(kMaxDataPayloadBytes)};

    const auto saved = saveToCache(files.descriptors(), {}, sample.source());

    REQUIRE_FALSE(saved.has_value());
    CHECK_EQ(saved.error().status, ErrorStatus::GENERAL_FAILURE);
    CHECK(files.model.read().empty());
    CHECK(files.data.read().empty());
}

TEST_CASE("any byte changed in either file is found out") {
    const SampleCompilation sample;
    const CacheFilePair files;
    REQUIRE(saveToCache(files.descriptors(), {}, sample.source()).has_value());
    for (const TemporaryFile* file : {&files.model, &files.data}) {
        const auto good = file->read();
        for (std::size_t at = 0; at < good.size(); ++at) {
            auto bad = good;
            bad[at] ^= std::byte{0x55};
            file->write(bad);
            const auto loaded = loadFromCache(files.descriptors(), {}, kSampleMemoryBytes);
            REQUIRE_FALSE(loaded.has_value());
            CHECK_EQ(loaded.error().status, ErrorStatus::GENERAL_FAILURE);
        }
        file->write(good);
    }
    CHECK(loadFromCache(files.descriptors(), {}, kSampleMemoryBytes).has_value());
}

TEST_SUITE_END();

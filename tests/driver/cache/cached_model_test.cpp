// SPDX-License-Identifier: Apache-2.0
#include "driver/cache/cached_model.h"

#include <doctest/doctest.h>
#include <vnpu/hal/shared_memory.h>

#include <cstring>
#include <functional>
#include <random>

#include "driver/validation/model_validation.h"
#include "tests/driver/cache/sample_compilation.h"
#include "tests/driver/cache/temporary_files.h"

using namespace vnpu::driver;
using namespace vnpu::driver::test;

namespace {

using Bytes = std::vector<std::byte>;

/// Both payloads, each in one contiguous piece.
struct Payloads {
    explicit Payloads(const CacheSource& source) {
        auto encoded = encodeModel(source);
        REQUIRE(encoded.has_value());
        model = std::move(encoded->model);
        for (const auto part : encoded->data) {
            data.insert(data.end(), part.begin(), part.end());
        }
    }

    Result<CachedModel> decode() const { return decodeModel({model, data}, kSampleMemoryBytes); }

    Bytes model;
    Bytes data;
};

void checkRefused(const Payloads& payloads) {
    const auto decoded = payloads.decode();
    REQUIRE_FALSE(decoded.has_value());
    CHECK_EQ(decoded.error().status, ErrorStatus::GENERAL_FAILURE);
}

Bytes bytesOfPool(const android::hardware::hidl_memory& memory) {
    const auto view = vnpu::hal::MappedPool::create(memory);
    REQUIRE(view.has_value());
    return {view->data(), view->data() + view->size()};
}

}  // namespace

TEST_SUITE_BEGIN("driver/cache/cached_model");

TEST_CASE("every field of model and compiled form is restored, and the priority [Q-1]") {
    const SampleCompilation sample;
    REQUIRE(validateModel(sample.model).has_value());

    const auto decoded = Payloads(sample.source()).decode();

    REQUIRE(decoded.has_value());
    CHECK(validateModel(decoded->model).has_value());
    checkSame(decoded->model, sample.model);
    REQUIRE(decoded->compiled.has_value());
    checkSame(*decoded->compiled, sample.compiled);
    CHECK_EQ(decoded->terms.priority, nn::V1_3::Priority::HIGH);
    CHECK_EQ(decoded->terms.checkpointCycles, 12345);
}

TEST_CASE("only the parts of pools that operands refer to are kept and restored") {
    const SampleCompilation sample;
    const Payloads payloads(sample.source());

    const auto decoded = payloads.decode();

    REQUIRE(decoded.has_value());
    Bytes first(64);
    std::copy_n(sample.poolBytes[0].begin() + 4, 12, first.begin() + 4);
    std::copy_n(sample.poolBytes[0].begin() + 32, 4, first.begin() + 32);
    CHECK(bytesOfPool(decoded->model.pools[0]) == first);
    CHECK(bytesOfPool(decoded->model.pools[1]) == Bytes(1000));
    Bytes third(100000);
    std::copy_n(sample.poolBytes[2].begin() + 99996, 4, third.begin() + 99996);
    CHECK(bytesOfPool(decoded->model.pools[2]) == third);
    // 12 of operandValues; 12 and 4 of pool 0 (three operands overlap or touch); 4 of pool 2.
    CHECK_EQ(payloads.data.size(), 12 + 12 + 4 + 4);
}

TEST_CASE("constants outside the mapped bytes of their pool are not kept") {
    SampleCompilation sample;
    sample.pools[2] = sample.pools[2].first(99999);

    const auto encoded = encodeModel(sample.source());

    REQUIRE_FALSE(encoded.has_value());
    CHECK_EQ(encoded.error().status, ErrorStatus::GENERAL_FAILURE);
}

TEST_CASE("a model without a compiled form, constants or pools is restored") {
    SampleCompilation sample;
    sample.model.main.operands = {sample.model.main.operands[0], sample.model.main.operands[1]};
    sample.model.operandValues = {};
    sample.model.pools.resize(0);
    REQUIRE(validateModel(sample.model).has_value());

    const Payloads payloads({.model = sample.model,
                             .pools = {},
                             .compiled = nullptr,
                             .terms = {.priority = nn::V1_3::Priority::LOW}});
    const auto decoded = payloads.decode();

    REQUIRE(decoded.has_value());
    CHECK(payloads.data.empty());
    CHECK_FALSE(decoded->compiled.has_value());
    CHECK_EQ(decoded->terms.priority, nn::V1_3::Priority::LOW);
    checkSame(decoded->model, sample.model);
}

TEST_CASE("the same compilation gives the same bytes [E-4]") {
    const SampleCompilation sample;
    CHECK(Payloads(sample.source()).model == Payloads(sample.source()).model);
}

TEST_CASE("constants that are too few or too many are refused") {
    const SampleCompilation sample;
    const Payloads good(sample.source());
    for (std::size_t length = 0; length < good.data.size(); ++length) {
        Payloads shorter = good;
        shorter.data.resize(length);
        checkRefused(shorter);
    }
    Payloads longer = good;
    longer.data.resize(good.data.size() + 1);
    checkRefused(longer);
}

TEST_CASE("a payload cut anywhere is refused") {
    const SampleCompilation sample;
    const Payloads good(sample.source());
    for (std::size_t length = 0; length < good.model.size(); ++length) {
        Payloads shorter = good;
        shorter.model.resize(length);
        checkRefused(shorter);
    }
}

TEST_CASE("forged payloads are refused or hold a valid model, whatever byte was changed") {
    const SampleCompilation sample;
    const Payloads good(sample.source());
    std::mt19937 random(20240117);
    const auto checkSound = [&](const Payloads& payloads) {
        const auto decoded = payloads.decode();
        if (!decoded) {
            CHECK_EQ(decoded.error().status, ErrorStatus::GENERAL_FAILURE);
            return false;
        }
        CHECK(validateModel(decoded->model).has_value());
        return true;
    };
    std::size_t refused = 0;
    for (std::size_t at = 0; at < good.model.size(); ++at) {
        for (const unsigned mask : {0x01U, 0x80U, 0xFFU}) {
            Payloads forged = good;
            forged.model[at] ^= static_cast<std::byte>(mask);
            refused += checkSound(forged) ? 0 : 1;
        }
    }
    CHECK_GT(refused, good.model.size() / 2);
    for (int round = 0; round < 3000; ++round) {
        Payloads forged = good;
        for (unsigned changes = random() % 8 + 1; changes > 0; --changes) {
            forged.model[random() % good.model.size()] = static_cast<std::byte>(random());
        }
        checkSound(forged);
    }
}

TEST_CASE("noise of any length is refused") {
    std::mt19937 random(4711);
    const SampleCompilation sample;
    Payloads noise(sample.source());
    for (int round = 0; round < 2000; ++round) {
        noise.model.resize(random() % 512);
        for (std::byte& byte : noise.model) {
            byte = static_cast<std::byte>(random() % 3 == 0 ? random() : random() % 16);
        }
        checkRefused(noise);
    }
}

TEST_CASE("a model that breaks the rules of HAL 1.3 is refused, though its payload is sound") {
    const std::vector<std::function<void(nn::V1_3::Model&)>> changes = {
            [](auto& model) { model.main.operands[0].numberOfConsumers = 2; },
            [](auto& model) { model.main.operands[1].scale = 0; },
            [](auto& model) { model.main.operations[0].inputs = {99}; },
            [](auto& model) { model.main.inputIndexes = {1}; },
            [](auto& model) { model.main.operands[2].location.offset = 8; },
            [](auto& model) { model.referenced[0].outputIndexes = {0}; },
            [](auto& model) { model.main.operations[0].type = nn::V1_3::OperationType(9999); },
    };
    for (std::size_t i = 0; i < changes.size(); ++i) {
        CAPTURE(i);
        SampleCompilation sample;
        changes[i](sample.model);
        checkRefused(Payloads(sample.source()));
    }
}

TEST_CASE("an unknown priority is refused") {
    const SampleCompilation sample;
    for (const int priority : {-1, 3}) {
        CacheSource source = sample.source();
        source.terms.priority = static_cast<nn::V1_3::Priority>(priority);
        checkRefused(Payloads(source));
    }
}

TEST_CASE("a pool larger than any memory is refused") {
    SampleCompilation sample;
    sample.model.main.operands = {sample.model.main.operands[0], sample.model.main.operands[1]};
    sample.model.operandValues = {};
    // Its bytes are not referred to, so they are not read; only its size is kept.
    sample.pools[1] = PoolView(sample.poolBytes[1].data(), std::size_t{1} << 60);
    checkRefused(Payloads(sample.source()));
}

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

TEST_CASE("a model that is too large for a cache leaves no cache, and removes an earlier one") {
    SampleCompilation sample;
    const CacheFilePair files;
    REQUIRE(saveToCache(files.descriptors(), {}, sample.source()).has_value());
    // A pool with one constant larger than the data cache may be: the size is reported, the bytes
    // are not read.
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

TEST_CASE("a change of any byte in either file is detected") {
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

// SPDX-License-Identifier: Apache-2.0
// Networks through the compilation cache: a cached model computes the same in the same time, and
// the device's firmware stops forged streams.
#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "driver/api/device.h"
#include "driver/cache/cache_configuration.h"
#include "driver/cache/cached_model.h"
#include "driver/port/device_info.h"
#include "sim/client/device_calls.h"
#include "sim/client/request_pool.h"
#include "sim/conform/example_request.h"
#include "sim/conform/vector_file.h"
#include "sim/import/source.h"
#include "sim/platform/platform.h"
#include "tests/driver/cache/temporary_files.h"
#include "tests/integration/supported_examples.h"

namespace {

namespace nn = android::hardware::neuralnetworks::V1_3;
namespace nn10 = android::hardware::neuralnetworks::V1_0;
namespace nn12 = android::hardware::neuralnetworks::V1_2;
using android::sp;
using android::hardware::hidl_array;
using android::hardware::Return;
using android::hardware::Void;
using vnpu::driver::CacheKey;
using vnpu::driver::test::CacheFilePair;
using vnpu::driver::test::handlesOf;
using vnpu::sim::ClientContext;
using vnpu::sim::Network;
using vnpu::sim::RequestPool;
using vnpu::test::onEdge;
using vnpu::test::onSupportedExamples;

constexpr std::uint8_t kToken = 42;

struct Prepared : nn::IPreparedModelCallback {
    Return<void> notify(nn10::ErrorStatus, const sp<nn10::IPreparedModel>&) override {
        return Void();
    }
    Return<void> notify_1_2(nn10::ErrorStatus, const sp<nn12::IPreparedModel>&) override {
        return Void();
    }
    Return<void> notify_1_3(nn::ErrorStatus told, const sp<nn::IPreparedModel>& one) override {
        status = told;
        model = one;
        return Void();
    }

    nn::ErrorStatus status = nn::ErrorStatus::DEVICE_UNAVAILABLE;
    sp<nn::IPreparedModel> model;
};

hidl_array<std::uint8_t, 32> token() {
    hidl_array<std::uint8_t, 32> value{};
    std::fill_n(value.data(), value.size(), kToken);
    return value;
}

sp<Prepared> save(ClientContext& context, const nn::Model& model, const CacheFilePair& files) {
    sp<Prepared> prepared = new Prepared;
    const nn::ErrorStatus launched = context.device()->prepareModel_1_3(
            model, android::hardware::neuralnetworks::V1_1::ExecutionPreference::SUSTAINED_SPEED,
            nn::Priority::MEDIUM, {}, handlesOf({{files.model.fd()}}),
            handlesOf({{files.data.fd()}}), token(), prepared);
    CHECK(launched == nn::ErrorStatus::NONE);
    return prepared;
}

sp<Prepared> load(ClientContext& context, const CacheFilePair& files) {
    sp<Prepared> prepared = new Prepared;
    const nn::ErrorStatus launched = context.device()->prepareModelFromCache_1_3(
            {}, handlesOf({{files.model.fd()}}), handlesOf({{files.data.fd()}}), token(), prepared);
    CHECK(launched == prepared->status);
    return prepared;
}

struct Run {
    nn::ErrorStatus status{};
    std::vector<std::byte> outputs;
    std::uint64_t timeOnDevice = 0;
};

RequestPool densePool(const std::vector<vnpu::sim::TensorDescription>& tensors) {
    std::vector<std::uint64_t> sizes(tensors.size());
    std::transform(tensors.begin(), tensors.end(), sizes.begin(),
                   [](const auto& tensor) { return tensor.sizeBytes; });
    return RequestPool::create(sizes, 64);
}

/// One execution on pseudo-random inputs.
Run execute(ClientContext& context, const Network& network, const sp<nn::IPreparedModel>& model) {
    const RequestPool inputs = densePool(network.inputs);
    const RequestPool outputs = densePool(network.outputs);
    std::mt19937 random(99);
    for (std::size_t i = 0; i < network.inputs.size(); ++i) {
        for (std::byte& byte : inputs.argument(i)) {
            byte = static_cast<std::byte>(random());
        }
    }
    const auto result = vnpu::sim::execute(
            context, model,
            makeRequest(inputs, network.inputs.size(), outputs, network.outputs.size()), {});
    Run run{.status = result.status, .outputs = {}, .timeOnDevice = result.timing.timeOnDevice};
    for (std::size_t i = 0; i < network.outputs.size(); ++i) {
        const auto bytes = outputs.argument(i);
        run.outputs.insert(run.outputs.end(), bytes.begin(), bytes.end());
    }
    return run;
}

/// One execution on the inputs of the example.
Run execute(ClientContext& context, const vnpu::sim::Example& example,
            const sp<nn::IPreparedModel>& model) {
    const vnpu::sim::ExampleRequest request(example);
    const auto result = vnpu::sim::execute(context, model, request.request(), {});
    Run run{.status = result.status, .outputs = {}, .timeOnDevice = 0};
    for (std::size_t i = 0; i < example.main.outputs.size(); ++i) {
        const auto bytes = request.output(i);
        run.outputs.insert(run.outputs.end(), bytes.begin(), bytes.end());
    }
    return run;
}

bool isConstant(const std::vector<std::byte>& bytes) {
    return std::all_of(bytes.begin(), bytes.end(),
                       [&](std::byte byte) { return byte == bytes.front(); });
}

}  // namespace

TEST_SUITE_BEGIN("integration/caching");

TEST_CASE("networks from the cache have the same commands, results and times") {
    onEdge([](ClientContext& context) {
        for (const char* name :
             {"zoo:ds_cnn", "zoo:resnet8", "zoo:autoencoder", "zoo:ds_cnn-float"}) {
            CAPTURE(name);
            const Network network = vnpu::sim::loadNetwork(name);
            const CacheFilePair files;
            const sp<Prepared> compiled = save(context, network.model, files);
            REQUIRE(compiled->status == nn::ErrorStatus::NONE);
            const Run expected = execute(context, network, compiled->model);
            REQUIRE(expected.status == nn::ErrorStatus::NONE);
            REQUIRE_FALSE(isConstant(expected.outputs));

            const sp<Prepared> cached = load(context, files);

            REQUIRE(cached->status == nn::ErrorStatus::NONE);
            CHECK(vnpu::driver::compiledModelOf(cached->model)->commands ==
                  vnpu::driver::compiledModelOf(compiled->model)->commands);
            const Run run = execute(context, network, cached->model);
            CHECK(run.status == nn::ErrorStatus::NONE);
            CHECK(run.outputs == expected.outputs);
            CHECK(run.timeOnDevice == expected.timeOnDevice);
        }
    });
}

TEST_CASE("every supported NNAPI example gives the same results from the cache [E-8]") {
    onSupportedExamples([files = std::make_shared<CacheFilePair>()](
                                ClientContext& context, const vnpu::sim::Example& example,
                                const nn::Model& model) {
        // Each example overwrites the files of the one before.
        const sp<Prepared> compiled = save(context, model, *files);
        REQUIRE(compiled->status == nn::ErrorStatus::NONE);
        const sp<Prepared> cached = load(context, *files);
        REQUIRE(cached->status == nn::ErrorStatus::NONE);
        const Run expected = execute(context, example, compiled->model);
        const Run run = execute(context, example, cached->model);
        REQUIRE(expected.status == nn::ErrorStatus::NONE);
        CHECK(run.status == nn::ErrorStatus::NONE);
        CHECK(run.outputs == expected.outputs);
    });
}

TEST_CASE("a cached network outlives the original and works alone") {
    onEdge([](ClientContext& context) {
        const CacheFilePair files;
        Run expected;
        {
            const Network network = vnpu::sim::loadNetwork("zoo:ds_cnn");
            const sp<Prepared> compiled = save(context, network.model, files);
            REQUIRE(compiled->status == nn::ErrorStatus::NONE);
            expected = execute(context, network, compiled->model);
        }
        const sp<Prepared> cached = load(context, files);
        REQUIRE(cached->status == nn::ErrorStatus::NONE);
        const Network shapes = vnpu::sim::loadNetwork("zoo:ds_cnn", {.seed = 2});
        CHECK(execute(context, shapes, cached->model).outputs == expected.outputs);
    });
}

TEST_CASE(
        "forged commands with a valid digest are stopped by the firmware, and the device "
        "continues") {
    onEdge([](ClientContext& context) {
        const auto device = vnpu::driver::DeviceInfo::read(context.port());
        REQUIRE(device.has_value());
        CacheKey key;
        key.token.fill(kToken);
        key.configuration = vnpu::driver::cacheConfiguration(
                *device, vnpu::driver::DriverOptions().versionString);
        const Network network = vnpu::sim::loadNetwork("zoo:ds_cnn");
        const CacheFilePair files;
        const sp<Prepared> good = save(context, network.model, files);
        REQUIRE(good->status == nn::ErrorStatus::NONE);
        const Run expected = execute(context, network, good->model);
        const auto loaded =
                vnpu::driver::loadFromCache(files.descriptors(), key, device->memoryBytes);
        REQUIRE(loaded.has_value());
        std::vector<std::vector<std::byte>> poolBytes;
        std::vector<vnpu::driver::PoolView> pools;
        for (const auto& pool : loaded->model.pools) {
            poolBytes.emplace_back(pool.size());
        }
        pools.assign(poolBytes.begin(), poolBytes.end());
        std::mt19937 random(7);
        for (int round = 0; round < 20; ++round) {
            vnpu::driver::CompiledModel forged = *loaded->compiled;
            // From a random position on the stream is noise, which breaks the framing or the
            // operands.
            for (std::size_t at = random() % 64; at < forged.commands.size(); ++at) {
                forged.commands[at] = static_cast<std::byte>(random());
            }
            REQUIRE(vnpu::driver::saveToCache(files.descriptors(), key,
                                              {.model = loaded->model,
                                               .pools = pools,
                                               .compiled = &forged,
                                               .terms = {.priority = nn::Priority::MEDIUM}})
                            .has_value());
            const sp<Prepared> bad = load(context, files);
            REQUIRE(bad->status == nn::ErrorStatus::NONE);
            CHECK(execute(context, network, bad->model).status == nn::ErrorStatus::GENERAL_FAILURE);
        }
        const Run again = execute(context, network, good->model);
        CHECK(again.status == nn::ErrorStatus::NONE);
        CHECK(again.outputs == expected.outputs);
    });
}

TEST_SUITE_END();

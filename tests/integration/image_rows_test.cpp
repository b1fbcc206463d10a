// SPDX-License-Identifier: Apache-2.0
// A camera's image with gaps between its rows as the input of a network: the device reads the rows,
// and the host copies nothing.
#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "driver/api/device.h"
#include "sim/client/device_calls.h"
#include "sim/client/request_pool.h"
#include "sim/config/load_config.h"
#include "sim/import/source.h"
#include "sim/platform/platform.h"
#include "tests/hal/hardware_buffer_support.h"
#include "tests/support/sim_case.h"

namespace {

using namespace vnpu::sim;
using Status = nn::ErrorStatus;
using Time = std::chrono::nanoseconds;

constexpr std::uint32_t kSide = 224;  // pixels
constexpr std::uint32_t kRowBytes = 3 * kSide;

std::byte pixelByte(std::size_t i) {
    return static_cast<std::byte>(i * 37 % 251);
}

}  // namespace

TEST_SUITE_BEGIN("integration/image_rows");

TEST_CASE("a camera image with gaps between its rows is an input in place [MP-5] [MP-6]") {
    vnpu::test::simCase([] {
        Platform platform({.config = loadConfig("edge")});
        platform.addClient("camera", 10001, [](ClientContext& context) {
            const Network network = loadNetwork("zoo:mobilenet_v2");
            REQUIRE(network.inputs[0].sizeBytes == std::uint64_t{kSide} * kRowBytes);
            const auto model = prepareModel(context, network.model).preparedModel;
            REQUIRE(model != nullptr);
            const RequestPool output = RequestPool::createSingle(network.outputs[0].sizeBytes);
            const auto run = [&](const nn::Request& request) {
                const Time begin = context.now();
                CHECK(execute(context, model, request, {}).status == Status::NONE);
                return context.now() - begin;
            };

            const RequestPool dense = RequestPool::createSingle(network.inputs[0].sizeBytes);
            for (std::size_t i = 0; i < dense.bytes().size(); ++i) {
                dense.bytes()[i] = pixelByte(i);
            }
            const nn::Request denseRequest = makeRequest(dense, 1, output, 1);
            run(denseRequest);
            const Time denseTime = run(denseRequest);
            const std::vector<std::byte> expected(output.bytes().begin(), output.bytes().end());
            std::fill(output.bytes().begin(), output.bytes().end(), std::byte{0xAA});

            using namespace vnpu::hal::test;
            const BufferPtr image =
                    makeBuffer(describeImage(AHARDWAREBUFFER_FORMAT_R8G8B8_UNORM, kSide, kSide));
            const std::size_t stride = std::size_t{3} * descriptionOf(image).stride;
            REQUIRE(stride > kRowBytes);
            for (std::size_t i = 0; i < dense.bytes().size(); ++i) {
                bytesOf(image)[i / kRowBytes * stride + i % kRowBytes] =
                        std::to_integer<std::uint8_t>(dense.bytes()[i]);
            }
            nn::Request request;
            request.inputs.resize(1);
            request.inputs[0].location.poolIndex = appendPool(
                    request,
                    android::hardware::hidl_memory(
                            "hardware_buffer", AHardwareBuffer_getNativeHandle(image.get()), 0));
            request.outputs = {output.requestArgument(0, appendPool(request, output.memory()))};
            run(request);
            const Time imageTime = run(request);

            CHECK(std::equal(expected.begin(), expected.end(), output.bytes().begin()));
            CHECK(vnpu::driver::countersOf(context.device()).hostCopiedBytes == 0);
            MESSAGE("dense ", denseTime.count(), " ns, image ", imageTime.count(), " ns");
            // 150,528 bytes at 3.75 a cycle twice, if they went through memory
            CHECK(imageTime - denseTime < Time(2 * 40'141 + 5'000));
        });
        platform.run();
    });
}

TEST_SUITE_END();

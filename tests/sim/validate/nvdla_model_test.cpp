// SPDX-License-Identifier: Apache-2.0
#include "sim/validate/nvdla_model.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "sim/base/error.h"
#include "sim/models/mac_count.h"
#include "sim/validate/layer_parameters.h"
#include "sim/validate/measurement.h"
#include "tests/support/sim_case.h"

namespace {

using namespace vnpu::sim;
using android::hardware::neuralnetworks::V1_3::OperationType;

Network trunkOf(const char* network) {
    return nvdlaModelNetwork({network, false});
}

Network denseOf(const char* network) {
    return nvdlaModelNetwork({network, true});
}

std::size_t countOf(const Network& network, OperationType type) {
    const auto& operations = network.model.main.operations;
    return static_cast<std::size_t>(
            std::count_if(operations.begin(), operations.end(),
                          [type](const auto& operation) { return operation.type == type; }));
}

TEST_SUITE_BEGIN("sim/validate/nvdla_model");

TEST_CASE("AlexNet has its groups, and an image of 56 x 56 pixels of 48 channels [E-3]") {
    const Network network = trunkOf("alexnet");
    const auto layers = layerParametersOf(network);
    REQUIRE(network.model.main.operations[0].type == OperationType::RESHAPE);
    CHECK(layers[1].channels == 48);
    CHECK(layers[1].taps() == 9);
    CHECK(layers[1].rows == 54);
    CHECK(layers[1].groups == 1);
    // Behind the pool: 27 x 27 results of 256 kernels in two groups.
    REQUIRE(network.model.main.operations[3].type == OperationType::GROUPED_CONV_2D);
    CHECK(layers[3].channels == 48);
    CHECK(layers[3].groups == 2);
    CHECK(layers[3].rows == 27);
    CHECK(countOf(network, OperationType::GROUPED_CONV_2D) == 3);
    CHECK(countOf(network, OperationType::FULLY_CONNECTED) == 0);
    // 54^2 * 96 * 48 * 9, 27^2 * 256 * 48 * 25, 13^2 * 384 * (256 + 192) * 9, 13^2 * 256 * 192 * 9.
    CHECK(countMacs(network.model.main) == 681'302'016);
    CHECK(network.outputs.front().sizeBytes == 6 * 6 * 256);
}

TEST_CASE("1 x 1 layers of ResNet-50 with a stride read all pixels [E-3]") {
    const Network network = trunkOf("resnet50");
    CHECK(countOf(network, OperationType::CONV_2D) == 53);
    CHECK(countOf(network, OperationType::ADD) == 16);
    // By hand, layer by layer. The strided ones read 256, 512 and 1024 channels of four pixels
    // each.
    CHECK(countMacs(network.model.main) == 5'011'980'288);
    // The first layer, an image, keeps its stride; the others have none.
    const auto layers = layerParametersOf(network);
    CHECK(layers[0].taps() == 49);
    CHECK_FALSE(layers[0].hasUnitStride());
    for (std::size_t i = 1; i < layers.size(); ++i) {
        CAPTURE(i);
        CHECK((layers[i].rows <= 1 || layers[i].hasUnitStride()));
    }
}

TEST_CASE("GoogLeNet has its modules and pools between them [E-3]") {
    const Network network = trunkOf("googlenet");
    CHECK(countOf(network, OperationType::CONV_2D) == 57);
    CHECK(countOf(network, OperationType::CONCATENATION) == 9);
    // Four between layers, one of each module.
    CHECK(countOf(network, OperationType::MAX_POOL_2D) == 4 + 9);
    CHECK(network.inputs.front().sizeBytes == 224 * 224 * 3);
    CHECK(network.outputs.front().sizeBytes == 1024);
}

TEST_CASE("fully connected layers are a model of their own, for sixteen frames [E-3]") {
    const Network network = denseOf("alexnet");
    CHECK(countOf(network, OperationType::FULLY_CONNECTED) == 3);
    CHECK(countOf(network, OperationType::CONV_2D) == 0);
    // 9216 * 4096 + 4096^2 + 4096 * 1000.
    CHECK(countMacs(network.model.main) == 16 * 58'621'952LL);
    CHECK(network.inputs.front().sizeBytes == 16 * 9216);
    CHECK(network.outputs.front().sizeBytes == 16 * 1000);
    CHECK(denseOf("googlenet").inputs.front().sizeBytes == 16 * 1024);
    CHECK(denseOf("resnet50").inputs.front().sizeBytes == 16 * 2048);
}

TEST_CASE("an unknown network is reported [E-3]") {
    CHECK_THROWS_WITH_AS(trunkOf("vgg16"),
                         "the network is vgg16, expected one of NVDLA's sheet: resnet50, alexnet "
                         "or googlenet",
                         InputError);
}

TEST_CASE("the networks run on a device [E-3]") {
    vnpu::test::simCase([] {
        const std::vector<MeasuredModel> models{NvdlaModel{"resnet50"}, NvdlaModel{"alexnet", true},
                                                NvdlaModel{"googlenet"}};
        const auto runs = measure({"base = \"nvdla-2048\"\n", models, ""});
        REQUIRE(runs.size() == 3);
        for (std::size_t i = 0; i < runs.size(); ++i) {
            const Network network = nvdlaModelNetwork(std::get<NvdlaModel>(models[i]));
            CAPTURE(network.name);
            CHECK(runs[i].error == "");
            CHECK(runs[i].macOperations == countMacs(network.model.main));
        }
    });
}

TEST_SUITE_END();

}  // namespace

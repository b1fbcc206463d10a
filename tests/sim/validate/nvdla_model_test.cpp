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

Network modelOf(const char* network, std::uint32_t batch = 1) {
    return nvdlaModelNetwork({network, batch});
}

std::size_t countOf(const Network& network, OperationType type) {
    const auto& operations = network.model.main.operations;
    return static_cast<std::size_t>(
            std::count_if(operations.begin(), operations.end(),
                          [type](const auto& operation) { return operation.type == type; }));
}

TEST_SUITE_BEGIN("sim/validate/nvdla_model");

TEST_CASE("AlexNet has its groups, and an image of 56 x 56 pixels of 48 channels [E-3]") {
    const Network network = modelOf("alexnet");
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
    CHECK(countOf(network, OperationType::FULLY_CONNECTED) == 3);
    // 54^2 * 96 * 48 * 9, 27^2 * 256 * 48 * 25, 13^2 * 384 * (256 + 192) * 9, 13^2 * 256 * 192 * 9,
    // and 9216 * 4096 + 4096^2 + 4096 * 1000.
    CHECK(countMacs(network.model.main) == 739'923'968);
}

TEST_CASE("1 x 1 layers of ResNet-50 with a stride read all pixels [E-3]") {
    const Network network = modelOf("resnet50");
    CHECK(countOf(network, OperationType::CONV_2D) == 53);
    CHECK(countOf(network, OperationType::ADD) == 16);
    // By hand, layer by layer. The strided ones read 256, 512 and 1024 channels of four pixels
    // each.
    CHECK(countMacs(network.model.main) == 5'014'028'288);
    // The first layer, an image, keeps its stride; the others have none.
    const auto layers = layerParametersOf(network);
    CHECK(layers[0].taps() == 49);
    CHECK_FALSE(layers[0].hasUnitStride());
    for (std::size_t i = 1; i < layers.size(); ++i) {
        CAPTURE(i);
        CHECK((layers[i].rows <= 1 || layers[i].hasUnitStride()));
    }
}

TEST_CASE("GoogLeNet has its modules, pools between them, and a batch [E-3]") {
    const Network network = modelOf("googlenet", 3);
    CHECK(countOf(network, OperationType::CONV_2D) == 57);
    CHECK(countOf(network, OperationType::CONCATENATION) == 9);
    // Four between layers, one of each module.
    CHECK(countOf(network, OperationType::MAX_POOL_2D) == 4 + 9);
    CHECK(network.inputs.front().sizeBytes == 3 * 224 * 224 * 3);
    CHECK(network.outputs.front().sizeBytes == 3 * 1000);
}

TEST_CASE("an unknown network is reported [E-3]") {
    CHECK_THROWS_WITH_AS(modelOf("vgg16"),
                         "the network is vgg16, expected one of NVDLA's sheet: resnet50, alexnet "
                         "or googlenet",
                         InputError);
}

TEST_CASE("the networks run on a device [E-3]") {
    vnpu::test::simCase([] {
        const std::vector<MeasuredModel> models{NvdlaModel{"resnet50", 1}, NvdlaModel{"alexnet", 2},
                                                NvdlaModel{"googlenet", 1}};
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

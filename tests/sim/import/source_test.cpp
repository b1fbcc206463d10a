// SPDX-License-Identifier: Apache-2.0
#include "sim/import/source.h"

#include <doctest/doctest.h>

#include <string>

#include "sim/base/error.h"

using namespace vnpu::sim;

TEST_SUITE_BEGIN("sim/import/source");

TEST_CASE("zoo: names a built-in network and anything else a file") {
    CHECK(loadNetwork("zoo:ds_cnn", {.zeroWeights = true}).name == "ds_cnn");
    CHECK_THROWS_WITH_AS(loadNetwork("nofile.tflite"),
                         "nofile.tflite: cannot be read: No such file or directory", InputError);
}

TEST_CASE("an unknown network is refused with the known ones") {
    std::string message;
    try {
        loadNetwork("zoo:mobilenet");
    } catch (const InputError& error) {
        message = error.what();
    }
    CHECK(message.find("zoo:mobilenet: there is no such network, expected one of alexnet, ") == 0);
}

TEST_CASE("a zoo network exposes its intermediates on request") {
    const Network network =
            loadNetwork("zoo:ds_cnn", {.exposeIntermediates = true, .zeroWeights = true});
    CHECK(network.outputs.size() == 13);
    CHECK(network.outputs[0].name == "softmax");
    CHECK(network.outputs[1].name == "conv0");
}

TEST_SUITE_END();

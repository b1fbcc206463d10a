// SPDX-License-Identifier: Apache-2.0
// Libraries that cannot be tested. tests/sim/ndk_interface and tests/integration use one that can.
#include "sim/ndk_client/ndk_library.h"

#include <doctest/doctest.h>

#include "sim/conform/ndk_session.h"
#include "sim/ndk_client/ndk_memory.h"

namespace {

using namespace vnpu::sim;

}  // namespace

TEST_SUITE_BEGIN("sim/conform/ndk_library");

TEST_CASE("a library that is not there is refused with the loader's reason") {
    const auto loaded = loadNdk("/no/such/libneuralnetworks.so");
    REQUIRE_FALSE(loaded.has_value());
    CHECK(loaded.error().find("/no/such/libneuralnetworks.so") != std::string::npos);
    CHECK_FALSE(findNdkDevice("/no/such/libneuralnetworks.so", "").has_value());
}

TEST_CASE("a library without the functions of level 27 is refused with the first one's name") {
    const auto loaded = loadNdk("libm.so.6");
    REQUIRE_FALSE(loaded.has_value());
    CHECK(loaded.error() ==
          "libm.so.6: has no ANeuralNetworksCompilation_create, expected all functions of level "
          "27");
}

TEST_CASE("a level counts only if all its functions are there") {
    NdkFunctions functions;
    CHECK(levelOf(functions) == 26);
    functions.compilationCreate = [](ANeuralNetworksModel*, ANeuralNetworksCompilation**) {
        return 0;
    };
    CHECK(levelOf(functions) == 26);
}

TEST_CASE("result codes have their names, and the HAL's statuses") {
    CHECK(nameOfNdkCode(ANEURALNETWORKS_NO_ERROR) == "NO_ERROR");
    CHECK(nameOfNdkCode(ANEURALNETWORKS_BAD_STATE) == "BAD_STATE");
    CHECK(nameOfNdkCode(ANEURALNETWORKS_DEAD_OBJECT) == "DEAD_OBJECT");
    CHECK(nameOfNdkCode(15) == "15");
    CHECK(nameOfNdkCode(-1) == "-1");
    CHECK(statusOf(ANEURALNETWORKS_NO_ERROR) == nn::ErrorStatus::NONE);
    CHECK(statusOf(ANEURALNETWORKS_BAD_DATA) == nn::ErrorStatus::INVALID_ARGUMENT);
    CHECK(statusOf(ANEURALNETWORKS_OUTPUT_INSUFFICIENT_SIZE) ==
          nn::ErrorStatus::OUTPUT_INSUFFICIENT_SIZE);
    CHECK(statusOf(ANEURALNETWORKS_MISSED_DEADLINE_PERSISTENT) ==
          nn::ErrorStatus::MISSED_DEADLINE_PERSISTENT);
    CHECK(statusOf(99) == nn::ErrorStatus::GENERAL_FAILURE);
}

TEST_SUITE_END();

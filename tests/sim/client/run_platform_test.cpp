// SPDX-License-Identifier: Apache-2.0
#include "sim/client/run_platform.h"

#include <doctest/doctest.h>

#include <stdexcept>

#include "sim/base/error.h"
#include "sim/client/model_runner.h"
#include "sim/models/operand_types.h"

using namespace vnpu::sim;

TEST_SUITE_BEGIN("sim/client/run_platform");

TEST_CASE("the driver's reason is added if there is one") {
    CHECK_THROWS_WITH_AS(throwWithReason(std::runtime_error("no"), "the pool is gone"),
                         "no: the pool is gone", std::runtime_error);
    CHECK_THROWS_WITH_AS(throwWithReason(std::runtime_error("no"), ""), "no", std::runtime_error);
}

TEST_CASE("a model that can never run on the device is an input error [Q-6]") {
    using Status = nn::ErrorStatus;
    CHECK_THROWS_AS(throwWithReason(PrepareError("no", Status::RESOURCE_EXHAUSTED_PERSISTENT), ""),
                    InputError);
    CHECK_THROWS_AS(throwWithReason(PrepareError("no", Status::INVALID_ARGUMENT), ""), InputError);
    bool isInputError = false;
    try {
        throwWithReason(PrepareError("no", Status::RESOURCE_EXHAUSTED_TRANSIENT), "");
    } catch (const std::runtime_error& error) {
        isInputError = dynamic_cast<const InputError*>(&error) != nullptr;
    }
    CHECK_FALSE(isInputError);
}

TEST_SUITE_END();

// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/operation_probes.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "driver/validation/model_validation.h"

namespace {

using namespace vnpu::sim;

}  // namespace

TEST_SUITE_BEGIN("sim/cli/operation_probes");

TEST_CASE("every probe is one operation of its type, and valid NNAPI") {
    std::size_t probes = 0;
    for (const nn::OperationType operation : probedOperations()) {
        for (const ProbeType type : kProbeTypes) {
            const auto network = makeProbe(operation, type);
            if (!network) {
                continue;
            }
            ++probes;
            CAPTURE(nameOf(operation));
            CAPTURE(nameOf(type));
            REQUIRE(network->model.main.operations.size() == 1);
            CHECK(network->model.main.operations[0].type == operation);
            const auto valid = vnpu::driver::validateModel(network->model);
            CHECK((valid ? "" : valid.error().reason) == "");
        }
    }
    CHECK(probes > probedOperations().size());
}

TEST_CASE("operations are listed in alphabetical order") {
    const auto operations = probedOperations();
    CHECK(std::is_sorted(operations.begin(), operations.end(),
                         [](auto a, auto b) { return nameOf(a) < nameOf(b); }));
}

TEST_CASE("types that NNAPI has not for an operation have no probe") {
    CHECK_FALSE(makeProbe(nn::OperationType::ABS, ProbeType::kInt8).has_value());
    CHECK_FALSE(makeProbe(nn::OperationType::ADD, ProbeType::kInt8PerChannel).has_value());
    CHECK_FALSE(makeProbe(nn::OperationType::LSTM, ProbeType::kFloat32).has_value());
}

TEST_SUITE_END();

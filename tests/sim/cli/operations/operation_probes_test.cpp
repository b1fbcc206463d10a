// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/operations/operation_probes.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "driver/validation/model_validation.h"

namespace {

using namespace vnpu::sim;
using Op = nn::OperationType;
using Names = std::vector<std::string>;

Names typeNames(Op operation) {
    Names names;
    for (const ProbeTypes& types : probeTypes(operation)) {
        names.push_back(nameOf(types));
    }
    return names;
}

}  // namespace

TEST_SUITE_BEGIN("sim/cli/operations/operation_probes");

TEST_CASE("every operation of NNAPI 1.3 has a probe, in alphabetical order") {
    const auto operations = probedOperations();
    CHECK(operations.size() == 102);  // source: NNAPI HAL 1.3, OperationType from ADD to RANK
    for (const auto& enumerator : enumeratorsOf(Op())) {
        CAPTURE(enumerator.name);
        const bool isThere = std::find(operations.begin(), operations.end(), enumerator.value) !=
                             operations.end();
        CHECK(isThere == (enumerator.value != Op::OEM_OPERATION));
    }
    CHECK(std::is_sorted(operations.begin(), operations.end(),
                         [](auto a, auto b) { return nameOf(a) < nameOf(b); }));
}

TEST_CASE("every probe is a valid NNAPI model of one operation of its type") {
    for (const Op operation : probedOperations()) {
        CHECK_FALSE(probeTypes(operation).empty());
        for (const ProbeTypes& types : probeTypes(operation)) {
            CAPTURE(nameOf(operation));
            CAPTURE(nameOf(types));
            const Network probe = makeProbe(operation, types);
            REQUIRE(probe.model.main.operations.size() == 1);
            CHECK(probe.model.main.operations[0].type == operation);
            const auto valid = vnpu::driver::validateModel(probe.model);
            CHECK((valid ? "" : valid.error().reason) == "");
        }
    }
}

// source: NNAPI HAL 1.3, supported types in the description of each operation
TEST_CASE("an operation is probed in the types that HAL 1.3 allows, and no others") {
    CHECK(typeNames(Op::ABS) == Names{"FLOAT32", "INT32", "FLOAT16"});
    CHECK(typeNames(Op::RELU) ==
          Names{"FLOAT32", "QUANT8_ASYMM", "FLOAT16", "QUANT8_ASYMM_SIGNED"});
    CHECK(typeNames(Op::LOGICAL_NOT) == Names{"BOOL8"});
    CHECK(typeNames(Op::IF) == Names{"any"});
    CHECK(typeNames(Op::RANK).size() == 10);
}

TEST_CASE("a second type is probed if an operand may have a different one") {
    CHECK(typeNames(Op::CONV_2D) ==
          Names{"FLOAT32", "QUANT8_ASYMM", "QUANT8_ASYMM, QUANT8_SYMM_PER_CHANNEL", "FLOAT16",
                "QUANT8_ASYMM_SIGNED, QUANT8_SYMM_PER_CHANNEL", "QUANT8_ASYMM_SIGNED"});
    CHECK(typeNames(Op::FULLY_CONNECTED).size() == 4);
    CHECK(typeNames(Op::QUANTIZED_16BIT_LSTM) == Names{"QUANT8_ASYMM, QUANT16_SYMM"});
    CHECK(typeNames(Op::AXIS_ALIGNED_BBOX_TRANSFORM) ==
          Names{"FLOAT32", "FLOAT16", "QUANT16_ASYMM, QUANT8_ASYMM",
                "QUANT16_ASYMM, QUANT8_ASYMM_SIGNED"});
    CHECK(typeNames(Op::CAST).size() ==
          4 * 4 + 5);  // among four types, and five to themselves only
}

TEST_SUITE_END();

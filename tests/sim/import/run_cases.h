// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/models/network.h"
#include "tests/sim/import/tflite_fixture.h"

namespace vnpu::sim::test {

using Ints = std::vector<std::int32_t>;
using Reals = std::vector<double>;

/// A tensor of a case with its real values, and where it stands.
struct CaseTensor {
    TestTensor tensor;
    Reals values;  // of inputs, constants and expected outputs
};

/// Tensors by their type; `values` may be empty for a result.
CaseTensor real(Ints shape, Reals values = {});
CaseTensor integer(Ints shape, Reals values = {});
CaseTensor truth(Ints shape, Reals values = {});
CaseTensor signed8(Ints shape, float scale, std::int64_t zeroPoint, Reals values = {});
CaseTensor unsigned8(Ints shape, float scale, std::int64_t zeroPoint, Reals values = {});
CaseTensor typed(schema::TensorType type, Ints shape, Reals values = {},
                 std::vector<float> scales = {});

/// The bytes of the tensor's values, rounded and clamped to its type.
std::vector<std::byte> bytesOfCase(const CaseTensor& tensor);
/// The values that these bytes stand for.
Reals valuesOfBytes(const TestTensor& tensor, const std::vector<std::byte>& bytes);
/// The values after rounding to the tensor's type.
Reals rounded(const CaseTensor& tensor);

/// A model of one operator, or several, with inputs and expected results.
struct Case {
    std::string name;
    TestFile file;
    std::vector<Reals> inputs, expected;  // of the model's inputs and outputs
    double tolerance = 1e-5;              // of the greatest expected size, plus 1e-6
    double steps = 0;                     // quantized results: steps that they may be off
    int runs = 1;                         // the last one's results are compared
    NetworkOptions options = {};
};

/// One operator: inputs are model inputs, or constants where `isConstant` says so.
struct OneOperator {
    std::string name;
    std::int32_t code = 0;
    std::vector<CaseTensor> inputs;
    std::vector<bool> isConstant;
    std::vector<CaseTensor> outputs;
    schema::BuiltinOptions optionsType = schema::BuiltinOptions::NONE;
    OptionsMaker options = {};
    schema::BuiltinOptions2 options2Type = schema::BuiltinOptions2::NONE;
    OptionsMaker options2 = {};
    double tolerance = 1e-5;
    double steps = 0;
};
Case caseOf(const OneOperator& op);

/// Imports every case, runs it on the device through the HAL, and checks its results. A case that
/// is refused or does not prepare fails. With otherExecutor(), that runs the cases.
void runCases(const std::vector<Case>& cases);

/// The bytes of a case's outputs by another way than the importer and the HAL; nothing for a case
/// that this way does not take. Throws std::runtime_error where it fails.
using CaseExecutor = std::function<std::optional<std::vector<std::vector<std::byte>>>(const Case&)>;
/// Empty by default. To be set before the cases run.
CaseExecutor& otherExecutor();

/// Numbers from -1 to 1 that look random, `count` of them.
Reals noise(std::size_t count, std::uint64_t seed = 1);
Reals scaled(Reals values, double factor, double offset = 0.0);
Reals mapped(const Reals& values, const std::function<double(double)>& function);
/// 0, 1, 2 ...
Reals counting(std::size_t count, double first = 0.0);

}  // namespace vnpu::sim::test

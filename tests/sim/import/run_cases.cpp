// SPDX-License-Identifier: Apache-2.0
#include "tests/sim/import/run_cases.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "sim/base/random.h"
#include "sim/client/driver_log.h"
#include "sim/client/model_runner.h"
#include "sim/config/load_config.h"
#include "sim/import/tflite/importer.h"
#include "sim/models/file_values.h"
#include "sim/platform/platform.h"
#include "tests/support/sim_case.h"

namespace vnpu::sim::test {

namespace {

using schema::TensorType;

CaseTensor tensorOf(TensorType type, Ints shape, Reals values, std::vector<float> scales,
                    std::vector<std::int64_t> zeroPoints) {
    CaseTensor tensor;
    tensor.tensor.type = type;
    tensor.tensor.shape = std::move(shape);
    tensor.tensor.scales = std::move(scales);
    tensor.tensor.zeroPoints = std::move(zeroPoints);
    tensor.values = std::move(values);
    return tensor;
}

double scaleAt(const TestTensor& tensor, std::size_t element) {
    if (tensor.scales.empty()) {
        return 1.0;
    }
    std::size_t inner = 1;
    for (std::size_t i = static_cast<std::size_t>(tensor.axis) + 1; i < tensor.shape.size(); ++i) {
        inner *= static_cast<std::size_t>(tensor.shape[i]);
    }
    return tensor.scales[element / inner % tensor.scales.size()];
}

double zeroOf(const TestTensor& tensor) {
    return tensor.zeroPoints.empty() ? 0.0 : static_cast<double>(tensor.zeroPoints[0]);
}

template <typename T>
void append(std::vector<std::byte>& bytes, double value) {
    const double number =
            std::clamp(std::round(value), static_cast<double>(std::numeric_limits<T>::min()),
                       static_cast<double>(std::numeric_limits<T>::max()));
    const T stored = static_cast<T>(number);
    const auto view = std::as_bytes(std::span(&stored, 1));
    bytes.insert(bytes.end(), view.begin(), view.end());
}

template <typename T>
double at(const std::vector<std::byte>& bytes, std::size_t i) {
    T value{};
    std::memcpy(&value, bytes.data() + i * sizeof(T), sizeof(T));
    return static_cast<double>(value);
}

/// Runs the network and returns the file bytes of its outputs.
std::vector<std::vector<std::byte>> execute(ClientContext& context, const Network& network,
                                            const Case& test) {
    const auto runner = ModelRunner::prepare(context, network, nn::Priority::MEDIUM);
    const std::size_t inputs = network.inputs.size() - network.states.size();
    REQUIRE(inputs == test.inputs.size());
    for (std::size_t i = 0; i < inputs; ++i) {
        CaseTensor given{test.file.tensors[static_cast<std::size_t>(test.file.inputs[i])],
                         test.inputs[i]};
        const auto bytes = operandFromFile(network.inputs[i], bytesOfCase(given));
        REQUIRE(bytes.size() == runner->input(i).size());
        std::copy(bytes.begin(), bytes.end(), runner->input(i).begin());
    }
    for (const NetworkState& state : network.states) {
        std::copy(state.initial.begin(), state.initial.end(), runner->input(state.input).begin());
    }
    for (int run = 0; run < test.runs; ++run) {
        if (run != 0) {
            for (const NetworkState& state : network.states) {
                const auto left = runner->output(state.output);
                std::copy(left.begin(), left.end(), runner->input(state.input).begin());
            }
        }
        REQUIRE(runner->execute(ExecutionPath::kSync).status == nn::ErrorStatus::NONE);
    }
    std::vector<std::vector<std::byte>> outputs;
    for (std::size_t i = 0; i < network.outputs.size() - network.states.size(); ++i) {
        outputs.push_back(fileFromOperand(network.outputs[i], runner->output(i)));
    }
    return outputs;
}

/// Clamped to the real values that the tensor's type reaches.
Reals saturated(const TestTensor& tensor, Reals values) {
    CaseTensor least{tensor, {-1e30}}, most{tensor, {1e30}};
    const double first = rounded(least)[0], last = rounded(most)[0];
    for (double& value : values) {
        value = std::clamp(value, first, last);
    }
    return values;
}

void compare(const Case& test, std::size_t index, const std::vector<std::byte>& bytes) {
    const TestTensor& tensor =
            test.file.tensors[static_cast<std::size_t>(test.file.outputs[index])];
    const Reals actual = valuesOfBytes(tensor, bytes);
    const bool isQuantized = !tensor.scales.empty();
    // Quantized results saturate.
    const Reals expected =
            isQuantized ? saturated(tensor, test.expected[index]) : test.expected[index];
    REQUIRE_MESSAGE(actual.size() == expected.size(), test.name);
    double greatest = 0.0;
    for (const double value : expected) {
        greatest = std::max(greatest, std::isfinite(value) ? std::abs(value) : 0.0);
    }
    const double step = isQuantized ? double{tensor.scales[0]} : 1.0;
    const double tolerance =
            test.steps != 0 ? test.steps * step * 1.001 : test.tolerance * greatest + 1e-6;
    for (std::size_t i = 0; i < actual.size(); ++i) {
        const bool isSame = actual[i] == expected[i] ||
                            std::abs(actual[i] - expected[i]) <= tolerance ||
                            (std::isnan(actual[i]) && std::isnan(expected[i]));
        CHECK_MESSAGE(isSame, test.name, ": output ", index, " element ", i, " is ", actual[i],
                      ", expected ", expected[i]);
        if (!isSame) {
            return;
        }
    }
}

void compareAll(const Case& test, const std::vector<std::vector<std::byte>>& outputs) {
    REQUIRE_MESSAGE(outputs.size() == test.expected.size(), test.name);
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        compare(test, i, outputs[i]);
    }
}

void runByOther(const Case& test) {
    try {
        if (const auto outputs = otherExecutor()(test)) {
            compareAll(test, *outputs);
        }
    } catch (const std::runtime_error& error) {
        CHECK_MESSAGE(false, test.name, ": ", std::string(error.what()));
    }
}

void runCase(ClientContext& context, const Case& test, DriverLog& log) {
    log.clear();
    try {
        const Network network = importTflite(test.name, test.file.bytes(), test.options);
        compareAll(test, execute(context, network, test));
    } catch (const std::runtime_error& error) {
        CHECK_MESSAGE(false, test.name, ": ", error.what(), ": ", log.lastLine());
    }
}

}  // namespace

CaseTensor real(Ints shape, Reals values) {
    return tensorOf(TensorType::FLOAT32, std::move(shape), std::move(values), {}, {});
}

CaseTensor integer(Ints shape, Reals values) {
    return tensorOf(TensorType::INT32, std::move(shape), std::move(values), {}, {});
}

CaseTensor truth(Ints shape, Reals values) {
    return tensorOf(TensorType::BOOL, std::move(shape), std::move(values), {}, {});
}

CaseTensor signed8(Ints shape, float scale, std::int64_t zeroPoint, Reals values) {
    return tensorOf(TensorType::INT8, std::move(shape), std::move(values), {scale}, {zeroPoint});
}

CaseTensor unsigned8(Ints shape, float scale, std::int64_t zeroPoint, Reals values) {
    return tensorOf(TensorType::UINT8, std::move(shape), std::move(values), {scale}, {zeroPoint});
}

CaseTensor typed(TensorType type, Ints shape, Reals values, std::vector<float> scales) {
    std::vector<std::int64_t> zeros(scales.size(), 0);
    return tensorOf(type, std::move(shape), std::move(values), std::move(scales), zeros);
}

std::vector<std::byte> bytesOfCase(const CaseTensor& given) {
    std::vector<std::byte> bytes;
    const TestTensor& tensor = given.tensor;
    for (std::size_t i = 0; i < given.values.size(); ++i) {
        const double stored = given.values[i] / scaleAt(tensor, i) + zeroOf(tensor);
        switch (tensor.type) {
            case TensorType::FLOAT32: {
                const auto value = static_cast<float>(given.values[i]);
                const auto view = std::as_bytes(std::span(&value, 1));
                bytes.insert(bytes.end(), view.begin(), view.end());
                break;
            }
            case TensorType::FLOAT64: {
                const auto view = std::as_bytes(std::span(&given.values[i], 1));
                bytes.insert(bytes.end(), view.begin(), view.end());
                break;
            }
            case TensorType::INT8:
                append<std::int8_t>(bytes, stored);
                break;
            case TensorType::UINT8:
            case TensorType::BOOL:
                append<std::uint8_t>(bytes, stored);
                break;
            case TensorType::INT16:
                append<std::int16_t>(bytes, stored);
                break;
            case TensorType::INT64:
                append<std::int64_t>(bytes, stored);
                break;
            default:
                append<std::int32_t>(bytes, stored);
                break;
        }
    }
    return bytes;
}

Reals valuesOfBytes(const TestTensor& tensor, const std::vector<std::byte>& bytes) {
    const auto size = [&]() -> std::size_t {
        switch (tensor.type) {
            case TensorType::INT8:
            case TensorType::UINT8:
            case TensorType::BOOL:
                return 1;
            case TensorType::INT16:
                return 2;
            case TensorType::INT64:
            case TensorType::FLOAT64:
                return 8;
            default:
                return 4;
        }
    }();
    Reals values(bytes.size() / size);
    for (std::size_t i = 0; i < values.size(); ++i) {
        switch (tensor.type) {
            case TensorType::FLOAT32:
                values[i] = at<float>(bytes, i);
                continue;
            case TensorType::FLOAT64:
                values[i] = at<double>(bytes, i);
                continue;
            case TensorType::INT8:
                values[i] = at<std::int8_t>(bytes, i);
                break;
            case TensorType::UINT8:
            case TensorType::BOOL:
                values[i] = at<std::uint8_t>(bytes, i);
                break;
            case TensorType::INT16:
                values[i] = at<std::int16_t>(bytes, i);
                break;
            case TensorType::INT64:
                values[i] = at<std::int64_t>(bytes, i);
                break;
            default:
                values[i] = at<std::int32_t>(bytes, i);
                break;
        }
        // In single precision, as every reader of such files does.
        values[i] = static_cast<float>(values[i] - zeroOf(tensor)) *
                    static_cast<float>(scaleAt(tensor, i));
    }
    return values;
}

Reals rounded(const CaseTensor& tensor) {
    return valuesOfBytes(tensor.tensor, bytesOfCase(tensor));
}

Case caseOf(const OneOperator& op) {
    Case test;
    test.name = op.name;
    test.tolerance = op.tolerance;
    test.steps = op.steps;
    TestOperator oneOperator{op.code,         {},         {}, op.optionsType, op.options,
                             op.options2Type, op.options2};
    for (std::size_t i = 0; i < op.inputs.size(); ++i) {
        TestTensor tensor = op.inputs[i].tensor;
        tensor.name = "in" + std::to_string(i);
        const auto index = static_cast<std::int32_t>(test.file.tensors.size());
        if (i < op.isConstant.size() && op.isConstant[i]) {
            tensor.data = bytesOfCase(op.inputs[i]);
        } else {
            test.file.inputs.push_back(index);
            test.inputs.push_back(op.inputs[i].values);
        }
        oneOperator.inputs.push_back(index);
        test.file.tensors.push_back(std::move(tensor));
    }
    for (std::size_t i = 0; i < op.outputs.size(); ++i) {
        TestTensor tensor = op.outputs[i].tensor;
        tensor.name = "out" + std::to_string(i);
        const auto index = static_cast<std::int32_t>(test.file.tensors.size());
        test.file.outputs.push_back(index);
        test.expected.push_back(op.outputs[i].values);
        oneOperator.outputs.push_back(index);
        test.file.tensors.push_back(std::move(tensor));
    }
    test.file.operators = {oneOperator};
    return test;
}

void runCases(const std::vector<Case>& cases) {
    vnpu::test::simCase([&] {
        if (otherExecutor()) {
            std::for_each(cases.begin(), cases.end(), runByOther);
            return;
        }
        DriverLog log;
        Platform platform({.config = loadConfig("edge"), .driverObserver = &log});
        platform.addClient("test", 10001, [&](ClientContext& context) {
            for (const Case& test : cases) {
                runCase(context, test, log);
            }
        });
        platform.run();
    });
}

CaseExecutor& otherExecutor() {
    static CaseExecutor executor;
    return executor;
}

Reals noise(std::size_t count, std::uint64_t seed) {
    Random random(seed);
    Reals values(count);
    for (double& value : values) {
        value = static_cast<double>(random.next() >> 40) * 0x1.0p-23 - 1.0;
    }
    return values;
}

Reals scaled(Reals values, double factor, double offset) {
    for (double& value : values) {
        value = static_cast<double>(static_cast<float>(value * factor + offset));
    }
    return values;
}

Reals mapped(const Reals& values, const std::function<double(double)>& function) {
    Reals result;
    std::transform(values.begin(), values.end(), std::back_inserter(result), function);
    return result;
}

Reals counting(std::size_t count, double first) {
    Reals values(count);
    for (std::size_t i = 0; i < count; ++i) {
        values[i] = first + static_cast<double>(i);
    }
    return values;
}

}  // namespace vnpu::sim::test

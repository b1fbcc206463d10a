// SPDX-License-Identifier: Apache-2.0
#include "sim/import/graph/value.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "hw_model/regs/check.h"

namespace vnpu::sim::graph {

namespace {

constexpr std::uint64_t kMaxTensorBytes = 1U << 30U;  // chosen: any size in bytes fits 32 bits
// chosen: more than masks and tables of real models take
constexpr std::uint64_t kMaxFoldedBytes = 1U << 26U;

void requireBytes(const Form& form, const Dims& dims, std::uint64_t most, const char* what) {
    const std::uint64_t size = operandBytes(form.type, dims);
    if (size > most) {
        throw Refusal(fmt::format("{} of {} has {} bytes, expected at most {}", what,
                                  describeDimensions(dims), size, most));
    }
}

template <typename T>
Bytes bytesOfValues(const std::vector<T>& values) {
    const auto view = std::as_bytes(std::span(values));
    return {view.begin(), view.end()};
}

template <typename T>
std::vector<double> numbersOf(const Bytes& bytes) {
    std::vector<double> numbers(bytes.size() / sizeof(T));
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        T number{};
        std::memcpy(&number, bytes.data() + i * sizeof(T), sizeof(T));
        numbers[i] = static_cast<double>(number);
    }
    return numbers;
}

/// The stored numbers, whatever they stand for.
std::vector<double> storedNumbers(const Value& constant) {
    if (!constant.isConstant()) {
        throw Refusal(fmt::format("needs the value of {}, which is known only at run time",
                                  constant.name));
    }
    switch (constant.form.type) {
        case nn::OperandType::TENSOR_FLOAT32:
            return numbersOf<float>(*constant.bytes);
        case nn::OperandType::TENSOR_INT32:
            return numbersOf<std::int32_t>(*constant.bytes);
        case nn::OperandType::TENSOR_QUANT8_ASYMM_SIGNED:
            return numbersOf<std::int8_t>(*constant.bytes);
        default:
            return numbersOf<std::uint8_t>(*constant.bytes);
    }
}

template <typename T>
Bytes rounded(std::span<const double> values, double scale, double offset) {
    constexpr double kLeast = std::numeric_limits<T>::min();
    constexpr double kMost = std::numeric_limits<T>::max();
    std::vector<T> numbers(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double number = std::round(values[i] / scale) + offset;
        numbers[i] = std::isnan(number) ? T{} : static_cast<T>(std::clamp(number, kLeast, kMost));
    }
    return bytesOfValues(numbers);
}

}  // namespace

void requireSize(const Form& form, const Dims& dims) {
    requireBytes(form, dims, kMaxTensorBytes, "a tensor");
}

void requireFoldable(const Form& form, const Dims& dims) {
    requireBytes(form, dims, kMaxFoldedBytes, "a computed constant");
}

void FoldedConstants::add(const Value& value) {
    // chosen: more than the weights of a model for a phone
    constexpr std::uint64_t kMost = 1ULL << 30U;
    bytes_ += value.isConstant() ? value.bytes->size() : 0;
    if (bytes_ > kMost) {
        throw Refusal(
                fmt::format("constants of more than {} bytes are computed during import", kMost));
    }
}

Value constantOf(const Form& form, Dims dims, Bytes bytes) {
    VNPU_CHECK(bytes.size() == operandBytes(form.type, dims), "a constant fills its shape");
    return {.form = form,
            .dims = std::move(dims),
            .bytes = std::make_shared<const Bytes>(std::move(bytes))};
}

Value realConstant(Dims dims, const std::vector<float>& values) {
    return constantOf(kReal, std::move(dims), bytesOfValues(values));
}

Value integerConstant(Dims dims, const std::vector<std::int32_t>& values) {
    return constantOf(kInteger, std::move(dims), bytesOfValues(values));
}

Value truthConstant(Dims dims, const std::vector<std::uint8_t>& values) {
    return constantOf(kTruth, std::move(dims), bytesOfValues(values));
}

Value constantFrom(const Form& form, Dims dims, std::span<const double> values) {
    switch (form.type) {
        case nn::OperandType::TENSOR_FLOAT32: {
            std::vector<float> reals(values.size());
            std::transform(values.begin(), values.end(), reals.begin(),
                           [](double value) { return static_cast<float>(value); });
            return realConstant(std::move(dims), reals);
        }
        case nn::OperandType::TENSOR_BOOL8: {
            std::vector<std::uint8_t> truths(values.size());
            std::transform(values.begin(), values.end(), truths.begin(),
                           [](double value) { return static_cast<std::uint8_t>(value != 0.0); });
            return truthConstant(std::move(dims), truths);
        }
        case nn::OperandType::TENSOR_INT32:
            return constantOf(form, std::move(dims), rounded<std::int32_t>(values, 1.0, 0.0));
        case nn::OperandType::TENSOR_QUANT8_ASYMM_SIGNED:
            return constantOf(form, std::move(dims),
                              rounded<std::int8_t>(values, form.scale, form.zeroPoint));
        default:
            return constantOf(form, std::move(dims),
                              rounded<std::uint8_t>(values, form.scale, form.zeroPoint));
    }
}

Value filled(const Form& form, Dims dims, double value) {
    requireFoldable(form, dims);
    return constantFrom(form, dims, std::vector<double>(elementCount(dims), value));
}

std::vector<double> realsOf(const Value& constant) {
    std::vector<double> numbers = storedNumbers(constant);
    if (!constant.form.isQuantized()) {
        return numbers;
    }
    if (constant.channelScales.empty()) {
        for (double& number : numbers) {
            number = (number - constant.form.zeroPoint) * double{constant.form.scale};
        }
        return numbers;
    }
    std::size_t inner = 1;
    for (std::size_t i = constant.channelDimension + 1; i < constant.dims.size(); ++i) {
        inner *= constant.dims[i];
    }
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        numbers[i] *= double{constant.channelScales[i / inner % constant.channelScales.size()]};
    }
    return numbers;
}

std::vector<std::int64_t> integersOf(const Value& value, const char* what) {
    if (!value.isConstant()) {
        throw Refusal(fmt::format("{} is known only at run time, expected a constant", what));
    }
    if (value.form.isReal()) {
        throw Refusal(
                fmt::format("{} is {}, expected integers", what, sim::nameOf(value.form.type)));
    }
    const std::vector<double> numbers = storedNumbers(value);
    std::vector<std::int64_t> integers(numbers.size());
    std::transform(numbers.begin(), numbers.end(), integers.begin(),
                   [](double number) { return static_cast<std::int64_t>(number); });
    return integers;
}

std::uint32_t axisOf(std::int64_t axis, std::size_t rank) {
    const auto signedRank = static_cast<std::int64_t>(rank);
    if (axis < -signedRank || axis >= signedRank) {
        throw Refusal(
                fmt::format("axis is {}, expected {} to {}", axis, -signedRank, signedRank - 1));
    }
    return static_cast<std::uint32_t>(axis < 0 ? axis + signedRank : axis);
}

Dims broadcastDims(const Dims& a, const Dims& b) {
    Dims result(std::max(a.size(), b.size()));
    for (std::size_t i = 0; i < result.size(); ++i) {
        const std::uint32_t fromA = i < a.size() ? a[a.size() - 1 - i] : 1;
        const std::uint32_t fromB = i < b.size() ? b[b.size() - 1 - i] : 1;
        if (fromA != fromB && fromA != 1 && fromB != 1) {
            throw Refusal(fmt::format("operands are {} and {}, which do not broadcast",
                                      describeDimensions(a), describeDimensions(b)));
        }
        result[result.size() - 1 - i] = fromA == 1 ? fromB : fromA;
    }
    return result;
}

}  // namespace vnpu::sim::graph

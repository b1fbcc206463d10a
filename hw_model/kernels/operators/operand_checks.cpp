// SPDX-License-Identifier: Apache-2.0
#include "hw_model/kernels/operators/operand_checks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace vnpu::hw::kernels {
namespace {

bool hasScale(TensorType type) {
    switch (type) {
        case TensorType::kQuant8Asymm:
        case TensorType::kQuant8AsymmSigned:
        case TensorType::kQuant8Symm:
        case TensorType::kQuant16Symm:
        case TensorType::kQuant16Asymm:
            return true;
        default:
            return false;
    }
}

}  // namespace

bool OperandChecks::isThere(std::size_t input) {
    that(!call_.isOmitted(input), [&] { return fmt::format("input {} is left out", input); });
    return isFine();
}

void OperandChecks::type(std::size_t input, TensorType type) {
    that(call_.input(input).type == type, [&] {
        return fmt::format("input {} has type {}, expected {}", input,
                           tensorTypeName(call_.input(input).type), tensorTypeName(type));
    });
    if (isFine()) {
        scale(call_.input(input), "input", input);
    }
}

void OperandChecks::scale(const Tensor& tensor, const char* kind, std::size_t index) {
    const bool isUsable = std::isfinite(tensor.scale) && tensor.scale > 0.0F;
    that(!hasScale(tensor.type) || isUsable, [&] {
        return fmt::format("{} {} has scale {}, expected a positive number", kind, index,
                           tensor.scale);
    });
}

void OperandChecks::rank(std::size_t input, TensorType type, std::size_t rank) {
    if (!isFine() || !isThere(input)) {
        return;
    }
    this->type(input, type);
    that(call_.input(input).dimensions.rank() == rank, [&] {
        return fmt::format("input {} has rank {}, expected {}", input,
                           call_.input(input).dimensions.rank(), rank);
    });
}

void OperandChecks::shape(std::size_t input, TensorType type, const Dimensions& dimensions) {
    if (!isFine() || !isThere(input)) {
        return;
    }
    this->type(input, type);
    that(call_.input(input).dimensions == dimensions, [&] {
        return fmt::format("input {} has dimensions {}, expected {}", input,
                           describe(call_.input(input).dimensions), describe(dimensions));
    });
}

void OperandChecks::optionalShape(std::size_t input, TensorType type,
                                  const Dimensions& dimensions) {
    if (!call_.isOmitted(input)) {
        shape(input, type, dimensions);
    }
}

void OperandChecks::scalar(std::size_t input, std::initializer_list<TensorType> types) {
    if (!isFine() || !isThere(input)) {
        return;
    }
    const Tensor& tensor = call_.input(input);
    that(std::find(types.begin(), types.end(), tensor.type) != types.end(), [&] {
        return fmt::format("input {} has type {}, expected {}", input, tensorTypeName(tensor.type),
                           tensorTypeName(*types.begin()));
    });
    that(tensor.dimensions.rank() == 0, [&] {
        return fmt::format("input {} has rank {}, expected a scalar", input,
                           tensor.dimensions.rank());
    });
}

void OperandChecks::outputType(std::size_t output, TensorType type) {
    if (!isFine()) {
        return;
    }
    const Tensor& tensor = call_.output(output);
    that(tensor.type == type, [&] {
        return fmt::format("output {} has type {}, expected {}", output,
                           tensorTypeName(tensor.type), tensorTypeName(type));
    });
    scale(tensor, "output", output);
}

JobStatus settleAll(OperatorCall& call, std::span<const Dimensions> dimensions) {
    JobStatus first = JobStatus::kOk;
    for (std::size_t o = 0; o < dimensions.size(); ++o) {
        const JobStatus status = call.settle(o, dimensions[o]);
        if (first == JobStatus::kOk) {
            first = status;
        }
    }
    return first;
}

}  // namespace vnpu::hw::kernels

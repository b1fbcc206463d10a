// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <type_traits>

#include "hw_model/kernels/operators/movement/slice_operators.h"
#include "hw_model/kernels/operators/operand_signature.h"
#include "hw_model/kernels/support/parallel_tasks.h"
#include "hw_model/regs/operand_checks.h"  // VNPU_TRY

namespace vnpu::hw::kernels {
namespace {

constexpr std::uint64_t kOperationsPerElement = 8;  // chosen: comparisons of a short selection

/// Whether `a` comes before `b`: greater first, not-a-numbers last, so that the order is total.
template <typename T>
bool isGreater(T a, T b) {
    if constexpr (std::is_floating_point_v<T>) {
        return a > b || (std::isnan(b) && !std::isnan(a));
    } else {
        return a > b;
    }
}

template <typename T>
auto comparable(T value) {
    if constexpr (std::is_same_v<T, Eigen::half>) {
        return static_cast<float>(value);
    } else {
        return value;
    }
}

template <typename T>
void selectRows(OperatorCall& call, std::uint64_t rows, std::uint32_t columns, std::uint32_t k) {
    const T* values = call.input(0).as<T>();
    T* greatest = call.write<T>(0);
    std::int32_t* indexes = call.write<std::int32_t>(1);
    const std::uint64_t work = rows * columns * kOperationsPerElement;
    forEachTask(rows, work, [&](std::size_t row) {
        const T* from = values + row * columns;
        std::vector<std::int32_t> order(columns);
        std::iota(order.begin(), order.end(), 0);
        std::partial_sort(order.begin(), order.begin() + k, order.end(),
                          [&](std::int32_t left, std::int32_t right) {
                              const auto a = comparable(from[left]);
                              const auto b = comparable(from[right]);
                              return isGreater(a, b) || (!isGreater(b, a) && left < right);
                          });
        for (std::uint32_t i = 0; i < k; ++i) {
            greatest[row * k + i] = from[order[i]];
            indexes[row * k + i] = order[i];
        }
    });
}

}  // namespace

JobStatus topK(OperatorCall& call) {
    VNPU_TRY(requireSignature(call, "Ti", "Tv"));
    const Tensor& input = call.input(0);
    const std::int32_t wanted = call.int32(1);
    const std::size_t rank = input.dimensions.rank();
    const std::uint32_t columns = rank == 0 ? 0 : input.dimensions[rank - 1];
    if (rank == 0 || wanted < 0 || static_cast<std::uint32_t>(wanted) > columns) {
        return call.refuse(fmt::format("k is {}, expected 0 to {}", wanted, columns));
    }
    const auto k = static_cast<std::uint32_t>(wanted);
    Dimensions to = input.dimensions;
    to[rank - 1] = k;
    const JobStatus values = call.settle(0, to);
    const JobStatus indexes = call.settle(1, to);
    if (values != JobStatus::kOk || indexes != JobStatus::kOk) {
        return JobStatus::kBadOperand;
    }
    const std::uint64_t rows = to.elements() == 0 ? 0 : to.elements(0, rank - 1);
    switch (input.type) {
        case TensorType::kFloat32:
            selectRows<float>(call, rows, columns, k);
            break;
        case TensorType::kFloat16:
            selectRows<Eigen::half>(call, rows, columns, k);
            break;
        case TensorType::kInt32:
            selectRows<std::int32_t>(call, rows, columns, k);
            break;
        case TensorType::kQuant16Asymm:
            selectRows<std::uint16_t>(call, rows, columns, k);
            break;
        case TensorType::kQuant16Symm:
            selectRows<std::int16_t>(call, rows, columns, k);
            break;
        case TensorType::kQuant8Asymm:
        case TensorType::kBool8:
            selectRows<std::uint8_t>(call, rows, columns, k);
            break;
        default:
            selectRows<std::int8_t>(call, rows, columns, k);
    }
    return JobStatus::kOk;
}

}  // namespace vnpu::hw::kernels

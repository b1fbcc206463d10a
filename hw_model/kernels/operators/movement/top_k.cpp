// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <type_traits>

#include "hw_model/kernels/operators/operator_entry.h"
#include "hw_model/kernels/support/parallel_tasks.h"

namespace vnpu::hw::kernels {
namespace {

constexpr std::uint64_t kOperationsPerElement = 8;  // chosen: comparisons for a small k

/// Whether `a` comes before `b`: greater first, NaNs last, which makes the order total.
template <typename T>
bool isGreater(T a, T b) {
    if constexpr (std::is_floating_point_v<T>) {
        return a > b || (std::isnan(b) && !std::isnan(a));
    } else {
        return a > b;
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
                              const auto a = static_cast<Computed<T>>(from[left]);
                              const auto b = static_cast<Computed<T>>(from[right]);
                              return isGreater(a, b) || (!isGreater(b, a) && left < right);
                          });
        for (std::uint32_t i = 0; i < k; ++i) {
            greatest[row * k + i] = from[order[i]];
            indexes[row * k + i] = order[i];
        }
    });
}

JobStatus topK(OperatorCall& call) {
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
    const Dimensions outputs[] = {to, to};
    VNPU_TRY(call.settleAll(outputs));
    const std::uint64_t rows = to.elements() == 0 ? 0 : to.elements(0, rank - 1);
    withElement<kTensorTypes>(input.type, [&](auto element) {
        selectRows<decltype(element)>(call, rows, columns, k);
    });
    return JobStatus::kOk;
}

constexpr OperatorEntry kTopKEntries[] = {{Operator::kTopkV2, {"Ti", "Tv"}, topK}};

}  // namespace

std::span<const OperatorEntry> topKOperators() {
    return kTopKEntries;
}

}  // namespace vnpu::hw::kernels

// SPDX-License-Identifier: Apache-2.0
#include "hw_model/kernels/operators/window/image_buffer.h"

#include <Eigen/Core>
#include <algorithm>
#include <cstdint>

#include "hw_model/kernels/support/parallel_tasks.h"
#include "hw_model/regs/rounding.h"

namespace vnpu::hw::kernels {
namespace {

constexpr std::size_t kTaskElements = 1 << 16;  // chosen: some ten microseconds of conversion
constexpr std::size_t kTransposedRows = 32;     // chosen: a cache line of each fits the L1 cache

template <typename From, typename To>
void convert(const std::byte* source, std::size_t count, std::byte* destination) {
    forEachTask(divideUp(count, kTaskElements), count, [&](std::size_t task) {
        const std::size_t first = task * kTaskElements;
        const auto size = static_cast<Eigen::Index>(std::min(kTaskElements, count - first));
        Eigen::Map<Eigen::ArrayX<To>>(reinterpret_cast<To*>(destination) + first, size) =
                Eigen::Map<const Eigen::ArrayX<From>>(reinterpret_cast<const From*>(source) + first,
                                                      size)
                        .template cast<To>();
    });
}

template <typename T>
void transpose(const std::byte* source, std::size_t count, std::size_t rows, std::size_t columns,
               std::byte* destination) {
    using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    const auto height = static_cast<Eigen::Index>(rows);
    const auto width = static_cast<Eigen::Index>(columns);
    const std::size_t blocks = divideUp(rows, kTransposedRows);
    forEachTask(count * blocks, count * rows * columns, [&](std::size_t task) {
        const std::size_t matrix = task / blocks * rows * columns;
        const std::size_t first = task % blocks * kTransposedRows;
        const auto from = static_cast<Eigen::Index>(first);
        const auto size = static_cast<Eigen::Index>(std::min(kTransposedRows, rows - first));
        Eigen::Map<Matrix>(reinterpret_cast<T*>(destination) + matrix, width, height)
                .middleCols(from, size) =
                Eigen::Map<const Matrix>(reinterpret_cast<const T*>(source) + matrix, height, width)
                        .middleRows(from, size)
                        .transpose();
    });
}

}  // namespace

ElementType workingType(TensorType type) {
    switch (type) {
        case TensorType::kQuant8Asymm:
            return ElementType::kUint8;
        case TensorType::kQuant8AsymmSigned:
        case TensorType::kQuant8SymmPerChannel:
        case TensorType::kQuant8Symm:
            return ElementType::kInt8;
        default:
            return ElementType::kFloat32;
    }
}

void transposeMatrices(const std::byte* source, std::size_t count, std::size_t rows,
                       std::size_t columns, std::size_t elementBytes, std::byte* destination) {
    if (elementBytes == sizeof(std::uint8_t)) {
        transpose<std::uint8_t>(source, count, rows, columns, destination);
    } else if (elementBytes == sizeof(std::uint16_t)) {
        transpose<std::uint16_t>(source, count, rows, columns, destination);
    } else {
        transpose<std::uint32_t>(source, count, rows, columns, destination);
    }
}

WorkingElements::WorkingElements(const Tensor& tensor) : source_(tensor.data) {
    if (tensor.type == TensorType::kFloat16) {
        const auto count = static_cast<std::size_t>(tensor.elements());
        copy_.resize(count * sizeof(float));
        convert<Eigen::half, float>(source_, count, copy_.data());
    }
}

WorkingImage::WorkingImage(const Tensor& tensor, const ImageShape& shape, bool isNchw)
    : elements_(tensor) {
    if (isNchw && shape.channels != 1) {
        const std::size_t bytes = elementBytes(workingType(tensor.type));
        copy_.resize(shape.elements() * bytes);
        transposeMatrices(elements_.data(), shape.batches, shape.channels,
                          std::size_t{shape.rows} * shape.columns, bytes, copy_.data());
    }
}

ResultImage::ResultImage(TensorType type, const ImageShape& shape, bool isNchw,
                         std::byte* destination)
    : type_(type),
      shape_(shape),
      isNchw_(isNchw && shape.channels != 1),
      destination_(destination) {
    if (isNchw_ || type == TensorType::kFloat16) {
        copy_.resize(shape.elements() * elementBytes(workingType(type)));
    }
}

void ResultImage::finish() {
    if (copy_.empty()) {
        return;
    }
    if (type_ == TensorType::kFloat16) {
        // Not in place: the halves of one task would overwrite the words of another.
        std::vector<std::byte> halves(isNchw_ ? shape_.elements() * sizeof(Eigen::half) : 0);
        convert<float, Eigen::half>(copy_.data(), shape_.elements(),
                                    isNchw_ ? halves.data() : destination_);
        copy_.swap(halves);
    }
    if (isNchw_) {
        transposeMatrices(copy_.data(), shape_.batches, std::size_t{shape_.rows} * shape_.columns,
                          shape_.channels, elementBytes(type_), destination_);
    }
}

}  // namespace vnpu::hw::kernels

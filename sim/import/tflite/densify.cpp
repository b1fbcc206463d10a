// SPDX-License-Identifier: Apache-2.0
#include "sim/import/tflite/densify.h"

#include <fmt/format.h>
#include <tflite_generated.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <vector>

#include "sim/models/operand_types.h"

namespace vnpu::sim::tflite {

namespace {

/// One level of a sparse tensor's storage.
struct SparseLevel {
    bool isSparse = false;
    std::uint32_t size = 0;
    std::vector<std::uint32_t> segments, indices;
};

std::vector<std::uint32_t> sparseNumbers(const TensorView& tensor, schema::SparseIndexVector type,
                                         const void* table) {
    const auto copy = [](const auto* vector) {
        std::vector<std::uint32_t> numbers;
        if (vector != nullptr) {
            std::transform(vector->begin(), vector->end(), std::back_inserter(numbers),
                           [](auto number) { return static_cast<std::uint32_t>(number); });
        }
        return numbers;
    };
    switch (type) {
        case schema::SparseIndexVector::Int32Vector:
            return copy(static_cast<const schema::Int32Vector*>(table)->values());
        case schema::SparseIndexVector::Uint16Vector:
            return copy(static_cast<const schema::Uint16Vector*>(table)->values());
        case schema::SparseIndexVector::Uint8Vector:
            return copy(static_cast<const schema::Uint8Vector*>(table)->values());
        default:
            throw graph::Refusal(fmt::format("{} is sparse without indices", tensor.place()));
    }
}

/// Puts each of the stored elements, in their order, at its dense position.
class Densifier {
  public:
    explicit Densifier(const TensorView& tensor)
        : tensor_(tensor), size_(typeBytes(tensor.type)), rank_(tensor.dimensions.size()) {
        readLevels();
        // chosen: trained models store at least one element in a hundred
        constexpr std::uint64_t kMostDensePerStored = 1000, kAlwaysFine = 1U << 20U;
        const std::uint64_t bytes = elementCount(tensor.dimensions) * size_;
        if (bytes > std::max(kAlwaysFine, kMostDensePerStored * tensor.data.size())) {
            refuse("stores less than one element in 1000");
        }
        dense_.resize(bytes);
        position_.resize(levels_.size());
    }

    graph::Bytes run() {
        place(0, 0);
        return std::move(dense_);
    }

  private:
    [[noreturn]] void refuse(const char* what) const {
        throw graph::Refusal(fmt::format("{} is sparse and {}", tensor_.place(), what));
    }

    void readLevels() {
        const schema::SparsityParameters& table = *tensor_.sparsity;
        const auto* order = table.traversal_order();
        const auto* metadata = table.dim_metadata();
        if (order == nullptr || metadata == nullptr || order->size() != metadata->size() ||
            order->size() < rank_ || order->size() > 2 * rank_ || size_ == 0) {
            refuse("has not one level of storage for each dimension");
        }
        std::vector<bool> isUsed(order->size(), false);
        blockSize_.assign(rank_, 1);
        for (flatbuffers::uoffset_t i = 0; i < order->size(); ++i) {
            const auto axis = static_cast<std::uint32_t>(order->Get(i));
            if (axis >= order->size() || isUsed[axis]) {
                refuse("names a dimension twice or not at all");
            }
            isUsed[axis] = true;
            axes_.push_back(axis);
            const schema::DimensionMetadata* level = metadata->Get(i);
            if (level->format() == schema::DimensionType::SPARSE_CSR) {
                levels_.push_back({true, 0,
                                   sparseNumbers(tensor_, level->array_segments_type(),
                                                 level->array_segments()),
                                   sparseNumbers(tensor_, level->array_indices_type(),
                                                 level->array_indices())});
            } else {
                levels_.push_back({false, static_cast<std::uint32_t>(level->dense_size()), {}, {}});
            }
        }
        for (std::size_t i = rank_; i < axes_.size(); ++i) {
            const auto* blocks = table.block_map();
            if (blocks == nullptr || i - rank_ >= blocks->size()) {
                refuse("has no map of its blocks");
            }
            const auto axis = static_cast<std::uint32_t>(
                    blocks->Get(static_cast<flatbuffers::uoffset_t>(i - rank_)));
            const auto level = std::find(axes_.begin(), axes_.end(), i) - axes_.begin();
            const std::uint32_t size = levels_[static_cast<std::size_t>(level)].size;
            if (axis >= rank_ || size == 0 || blockSize_[axis] != 1) {
                refuse("has blocks that do not fit");
            }
            blockSize_[axis] = size;
            blockAxis_.push_back(axis);
        }
    }

    void place(std::size_t level, std::size_t parent) {
        if (level == levels_.size()) {
            put(parent);
            return;
        }
        const SparseLevel& here = levels_[level];
        if (!here.isSparse) {
            if (here.size > elementCount(tensor_.dimensions)) {
                refuse("has a level that is larger than the tensor");
            }
            for (std::uint32_t i = 0; i < here.size; ++i) {
                position_[level] = i;
                place(level + 1, parent * here.size + i);
            }
            return;
        }
        if (parent + 1 >= here.segments.size()) {
            refuse("has too few segments");
        }
        const std::uint32_t end = here.segments[parent + 1];
        if (end > here.indices.size()) {
            refuse("has too few indices");
        }
        for (std::uint32_t i = here.segments[parent]; i < end; ++i) {
            position_[level] = here.indices[i];
            place(level + 1, i);
        }
    }

    void put(std::size_t stored) {
        std::vector<std::uint64_t> at(rank_, 0);
        for (std::size_t i = 0; i < axes_.size(); ++i) {
            if (axes_[i] < rank_) {
                at[axes_[i]] += std::uint64_t{position_[i]} * blockSize_[axes_[i]];
            } else {
                at[blockAxis_[axes_[i] - rank_]] += position_[i];
            }
        }
        std::uint64_t offset = 0;
        for (std::size_t i = 0; i < rank_; ++i) {
            if (at[i] >= tensor_.dimensions[i]) {
                refuse("has an element outside of its shape");
            }
            offset = offset * tensor_.dimensions[i] + at[i];
        }
        if ((stored + 1) * size_ > tensor_.data.size() || ++steps_ > dense_.size()) {
            refuse("has fewer values than elements");
        }
        std::memcpy(dense_.data() + offset * size_, tensor_.data.data() + stored * size_, size_);
    }

    const TensorView& tensor_;
    std::size_t size_, rank_;
    std::vector<SparseLevel> levels_;
    std::vector<std::uint32_t> axes_, blockSize_, blockAxis_, position_;
    graph::Bytes dense_;
    std::size_t steps_ = 0;
};

}  // namespace

graph::Bytes densify(const TensorView& tensor) {
    return Densifier(tensor).run();
}

}  // namespace vnpu::sim::tflite

// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/plan/whole_cost.h"

#include <algorithm>
#include <optional>

namespace vnpu::driver {
namespace {

using hw::Operator;

// chosen: fetching a descriptor and starting a kernel
constexpr double kStartCycles = 300;

/// Reads the shapes of a node's operands; an omitted or unknown one counts as one element.
class WholeWork {
  public:
    WholeWork(const Graph& graph, const OperatorNode& node) : graph_(graph), node_(node) {}

    /// Of all operands, but of a table only of the rows that are looked up.
    std::uint64_t bytes() const {
        std::uint64_t sum = 0;
        for (std::size_t i = 0; i < node_.inputs.size(); ++i) {
            sum += elementsRead(i) * bytesOf(node_.inputs[i]);
        }
        for (const TensorId id : node_.outputs) {
            sum += elements(id) * bytesOf(id);
        }
        return sum;
    }

    std::uint64_t mostElements() const {
        std::uint64_t most = 1;
        for (std::size_t i = 0; i < node_.inputs.size(); ++i) {
            most = std::max(most, elementsRead(i));
        }
        for (const TensorId id : node_.outputs) {
            most = std::max(most, elements(id));
        }
        return most;
    }

    bool isByte() const {
        const TensorId id = node_.inputs.empty() ? node_.outputs.front() : node_.inputs.front();
        return id != kNoTensor && graph_.tensors[id].elementBytes() == 1;
    }

    std::uint64_t macs() const {
        switch (node_.op) {
            case Operator::kConv2d:
            case Operator::kGroupedConv2d:
                return output() * (input(1) / extent(1, 0));
            case Operator::kDepthwiseConv2d:
                return output() * (input(1) / extent(1, 3));
            case Operator::kTransposeConv2d:
                return input(0) * (input(1) / extent(1, 3));
            case Operator::kFullyConnected:
                return output() * extent(1, 1);
            case Operator::kLstm:
            case Operator::kUnidirectionalSequenceLstm:
            case Operator::kBidirectionalSequenceLstm:
            case Operator::kQuantizedLstm:
            case Operator::kQuantized16BitLstm:
            case Operator::kRnn:
            case Operator::kUnidirectionalSequenceRnn:
            case Operator::kBidirectionalSequenceRnn:
            case Operator::kSvdf:
                return input(0) / lastExtent(0) * weights();
            default:
                return 0;
        }
    }

    /// Cycles per element and lane, apart from products.
    double steps() const {
        switch (node_.op) {
            case Operator::kSoftmax:
            case Operator::kLogSoftmax:
                return 1 + 2 * CostModel::kExponentialCycles;
            case Operator::kLogistic:
            case Operator::kTanh:
            case Operator::kElu:
            case Operator::kExp:
            case Operator::kLog:
            case Operator::kSin:
            case Operator::kSqrt:
            case Operator::kRsqrt:
            case Operator::kDiv:
            case Operator::kPow:
            case Operator::kResizeBilinear:
            case Operator::kL2Normalization:
            case Operator::kInstanceNormalization:
            case Operator::kLocalResponseNormalization:
                return CostModel::kExponentialCycles;
            default:
                return 1;
        }
    }

  private:
    /// The input of which the outputs are rows.
    std::optional<std::size_t> table() const {
        switch (node_.op) {
            case Operator::kGather:
                return 0;
            case Operator::kEmbeddingLookup:
                return 1;
            case Operator::kHashtableLookup:
                return 2;
            default:
                return std::nullopt;
        }
    }

    std::uint64_t elementsRead(std::size_t i) const {
        const std::uint64_t all = elements(node_.inputs[i]);
        return table() == i ? std::min(all, output()) : all;
    }

    std::uint64_t bytesOf(TensorId id) const {
        return id == kNoTensor ? 0 : graph_.tensors[id].elementBytes();
    }

    std::uint64_t elements(TensorId id) const {
        if (id == kNoTensor) {
            return 1;
        }
        const Tensor& tensor = graph_.tensors[id];
        return tensor.isDynamic()
                       ? graph_.storages[tensor.storage].sizeBytes / tensor.elementBytes()
                       : elementCount(tensor.shape);
    }
    std::uint64_t input(std::size_t i) const {
        return i < node_.inputs.size() ? elements(node_.inputs[i]) : 1;
    }
    std::uint64_t output() const { return elements(node_.outputs.front()); }

    std::uint64_t extent(std::size_t i, std::size_t dimension) const {
        if (i >= node_.inputs.size() || node_.inputs[i] == kNoTensor) {
            return 1;
        }
        const Shape& shape = graph_.tensors[node_.inputs[i]].shape;
        return dimension < shape.size() ? std::max(shape[dimension], 1U) : 1;
    }
    std::uint64_t lastExtent(std::size_t i) const {
        const bool isThere = i < node_.inputs.size() && node_.inputs[i] != kNoTensor;
        const std::size_t rank = isThere ? graph_.tensors[node_.inputs[i]].shape.size() : 0;
        return rank == 0 ? 1 : extent(i, rank - 1);
    }

    /// Elements of all matrices but the data.
    std::uint64_t weights() const {
        std::uint64_t sum = 0;
        for (std::size_t i = 1; i < node_.inputs.size(); ++i) {
            const TensorId id = node_.inputs[i];
            sum += id != kNoTensor && graph_.tensors[id].shape.size() == 2 ? elements(id) : 0;
        }
        return sum;
    }

    const Graph& graph_;
    const OperatorNode& node_;
};

}  // namespace

CommandCost wholeCost(const CostModel& costs, const Graph& graph, const OperatorNode& node) {
    const WholeWork work(graph, node);
    const DeviceInfo& device = costs.device();
    const bool isByte = work.isByte();
    const double macsPerCycle = std::max(1U, isByte ? device.dspMacs8 : device.dspMacsFloat);
    const double lanes = std::max(1U, isByte ? device.dspLanes8 : device.dspLanes32);
    CommandCost cost;
    cost.macs = work.macs();
    cost.dramBytes = CostModel::busBytes(1, work.bytes());
    const double compute =
            static_cast<double>(cost.macs) / macsPerCycle +
            (cost.macs == 0 ? work.steps() * static_cast<double>(work.mostElements()) / lanes : 0);
    const double moving = costs.dmaLatency() + costs.dramCycles(cost.dramBytes);
    cost.engineCycles = kStartCycles + std::max(compute, moving);
    return cost;
}

}  // namespace vnpu::driver

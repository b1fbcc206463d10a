// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "hw_model/kernels/kernels.h"
#include "hw_model/kernels/operators/operator_table.h"

namespace vnpu::hw::kernels {
namespace {

/// Results go directly to SRAM: the command gives their place and required size.
class TileOutputs final : public OutputMemory {
  public:
    TileOutputs(const VecOperator& work, std::byte* sram) : work_(work), sram_(sram) {}

    std::byte* place(std::size_t index, const Dimensions& dimensions,
                     std::uint64_t /*sizeBytes*/) override {
        const VecOperand& operand = work_.operands[work_.inputCount + index];
        const Dimensions declared(std::span(operand.words).first(operand.rank));
        if (!(declared == dimensions)) {
            problem_ = fmt::format("output {} has dimensions {}, computed {}", index,
                                   describe(declared), describe(dimensions));
            return nullptr;
        }
        return sram_ + operand.sram;
    }

    const std::string& problem() const { return problem_; }

  private:
    const VecOperator& work_;
    std::byte* sram_;
    std::string problem_;
};

/// Immediates are stored in `values`.
Tensor tensorOf(const VecOperand& operand, std::byte* sram, std::array<std::uint32_t, 4>& values) {
    Tensor tensor;
    tensor.type = operand.type;
    tensor.scale = operand.scale;
    tensor.zeroPoint = operand.zeroPoint;
    if ((operand.flags & kOperandOmitted) != 0) {
        tensor.isOmitted = true;
    } else if ((operand.flags & kOperandImmediate) != 0) {
        std::copy(std::begin(operand.words), std::end(operand.words), values.begin());
        tensor.data = reinterpret_cast<std::byte*>(values.data());
        if (operand.rank == 1) {
            tensor.dimensions = {operand.count};
        }
    } else {
        tensor.dimensions = Dimensions(std::span(operand.words).first(operand.rank));
        tensor.data = sram + operand.sram;
    }
    return tensor;
}

}  // namespace

std::string vecOperator(const VecOperator& work, std::byte* sram) {
    std::array<Tensor, kMaxVecOperands> tensors;
    std::array<std::array<std::uint32_t, 4>, kMaxVecOperands> values{};
    const std::size_t count = std::size_t{work.inputCount} + work.outputCount;
    for (std::size_t i = 0; i < count; ++i) {
        tensors[i] = tensorOf(work.operands[i], sram, values[i]);
    }
    TileOutputs memory(work, sram);
    const std::span<const Tensor> all(tensors.data(), count);
    OperatorCall call(all.first(work.inputCount), all.subspan(work.inputCount), memory);
    const JobStatus status = runOperator(work.op, call);
    if (status == JobStatus::kOk) {
        return "";
    }
    const std::string& why = memory.problem().empty() ? call.reason() : memory.problem();
    return fmt::format("{}: {}", operatorName(work.op), why);
}

}  // namespace vnpu::hw::kernels

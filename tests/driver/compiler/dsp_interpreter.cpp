// SPDX-License-Identifier: Apache-2.0
#include "tests/driver/compiler/dsp_interpreter.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "hw_model/kernels/operators/operator_table.h"

namespace vnpu::driver::test {
namespace {

namespace kernels = hw::kernels;

/// An operand with its bytes.
struct DspValue {
    hw::DspOperand description{};
    hw::Dimensions dimensions;
    std::vector<std::byte> data;
    std::vector<float> scales;
    bool isSettled = false;
    bool fits = true;

    bool has(std::uint8_t flag) const { return (description.flags & flag) != 0; }
    std::uint64_t sizeBytes() const {
        return dimensions.elements() * hw::elementBytes(description.type);
    }
};

class Operands final : public kernels::OutputMemory {
  public:
    Operands(const hw::DspOperator& work, const Resolver& resolve)
        : work_(work), resolve_(resolve) {}

    std::string run();
    std::byte* place(std::size_t index, const hw::Dimensions& dimensions,
                     std::uint64_t sizeBytes) override;

  private:
    std::string read();
    std::string readInput(DspValue& operand);
    void write();
    std::uint64_t roomOf(const DspValue& operand) const {
        return std::min<std::uint64_t>(operand.description.capacityBytes,
                                       resolve_(operand.description.data).size());
    }

    const hw::DspOperator& work_;
    const Resolver& resolve_;
    std::vector<DspValue> operands_;
    std::string problem_;
};

std::string Operands::read() {
    const std::size_t count = std::size_t{work_.inputCount} + work_.outputCount;
    const auto bytes = resolve_(work_.descriptor);
    if (bytes.size() < count * sizeof(hw::DspOperand)) {
        return "descriptor ends outside its region";
    }
    operands_.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
        DspValue& operand = operands_[i];
        std::memcpy(&operand.description, &bytes[i * sizeof(hw::DspOperand)],
                    sizeof(hw::DspOperand));
        const std::size_t rank =
                operand.description.rank == hw::kAnyRank ? 0 : operand.description.rank;
        operand.dimensions = hw::Dimensions(std::span(operand.description.dimensions).first(rank));
        if (i < work_.inputCount && !operand.has(hw::kOperandOmitted)) {
            if (std::string problem = readInput(operand); !problem.empty()) {
                return fmt::format("input {}: {}", i, problem);
            }
        }
    }
    return "";
}

std::string Operands::readInput(DspValue& operand) {
    if (operand.has(hw::kOperandDynamic)) {
        hw::DspShape shape{};
        std::memcpy(&shape, resolve_(operand.description.shape).data(), sizeof(shape));
        if (shape.state != hw::kShapeKnown) {
            return "its shape is not known";
        }
        operand.dimensions = hw::Dimensions(std::span(shape.dimensions).first(shape.rank));
    }
    if (operand.sizeBytes() > roomOf(operand)) {
        return fmt::format("{} bytes, room for {}", operand.sizeBytes(), roomOf(operand));
    }
    const auto bytes = resolve_(operand.description.data).first(operand.sizeBytes());
    operand.data.assign(bytes.begin(), bytes.end());
    operand.scales.resize(operand.description.channelCount);
    if (!operand.scales.empty()) {
        std::memcpy(operand.scales.data(), resolve_(operand.description.scales).data(),
                    operand.scales.size() * sizeof(float));
    }
    return "";
}

std::byte* Operands::place(std::size_t index, const hw::Dimensions& dimensions,
                           std::uint64_t sizeBytes) {
    DspValue& output = operands_[work_.inputCount + index];
    const hw::DspOperand& declared = output.description;
    bool agrees = declared.rank == hw::kAnyRank || declared.rank == dimensions.rank();
    for (std::size_t d = 0; agrees && declared.rank != hw::kAnyRank && d < dimensions.rank(); ++d) {
        agrees = declared.dimensions[d] == 0 || declared.dimensions[d] == dimensions[d];
    }
    if (!agrees) {
        problem_ = fmt::format("output {}: computed [{}]", index,
                               fmt::join(dimensions.begin(), dimensions.end(), ", "));
        return nullptr;
    }
    output.dimensions = dimensions;
    output.isSettled = true;
    output.fits = sizeBytes <= roomOf(output);
    output.data.resize(std::max<std::uint64_t>(sizeBytes, 1));
    if (!output.fits) {
        problem_ =
                fmt::format("output {}: {} bytes, room for {}", index, sizeBytes, roomOf(output));
        return nullptr;
    }
    return output.data.data();
}

void Operands::write() {
    for (std::size_t i = work_.inputCount; i < operands_.size(); ++i) {
        const DspValue& output = operands_[i];
        if (output.has(hw::kOperandDynamic) && output.isSettled) {
            hw::DspShape shape{};
            shape.state = output.fits ? hw::kShapeKnown : hw::kShapeTooLarge;
            shape.rank = static_cast<std::uint32_t>(output.dimensions.rank());
            shape.neededBytes = output.sizeBytes();
            std::copy(output.dimensions.begin(), output.dimensions.end(), shape.dimensions);
            std::memcpy(resolve_(output.description.shape).data(), &shape, sizeof(shape));
        }
        if (problem_.empty() && output.sizeBytes() != 0) {
            std::memcpy(resolve_(output.description.data).data(), output.data.data(),
                        output.sizeBytes());
        }
    }
}

std::string Operands::run() {
    if (std::string problem = read(); !problem.empty()) {
        return problem;
    }
    std::vector<kernels::Tensor> tensors;
    alignas(8) std::byte nothing[8] = {};
    for (DspValue& operand : operands_) {
        const hw::DspOperand& description = operand.description;
        tensors.push_back({.type = description.type,
                           .dimensions = operand.dimensions,
                           .scale = description.scale,
                           .zeroPoint = description.zeroPoint,
                           .channelScales = operand.scales,
                           .channelDimension = description.channelDimension,
                           .data = operand.data.empty() ? nothing : operand.data.data(),
                           .isOmitted = operand.has(hw::kOperandOmitted)});
    }
    const std::span<const kernels::Tensor> all = tensors;
    kernels::OperatorCall call(all.first(work_.inputCount), all.subspan(work_.inputCount), *this);
    const hw::JobStatus status = kernels::runOperator(work_.op, call);
    if (status != hw::JobStatus::kOk && problem_.empty()) {
        problem_ = call.reason();
    }
    write();
    return problem_;
}

}  // namespace

std::string runDspOperator(const hw::DspOperator& work, const Resolver& resolve) {
    const std::string problem = Operands(work, resolve).run();
    return problem.empty() ? "" : fmt::format("{}: {}", hw::operatorName(work.op), problem);
}

}  // namespace vnpu::driver::test

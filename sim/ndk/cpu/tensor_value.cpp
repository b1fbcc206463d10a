// SPDX-License-Identifier: Apache-2.0
#include "sim/ndk/cpu/tensor_value.h"

#include <cstring>
#include <new>
#include <utility>

#include "hw_model/regs/rounding.h"

namespace vnpu::sim::ndk {

using hw::kernels::Tensor;

namespace {

constexpr std::uintptr_t kKernelAlignment = 4;  // source: hw::kernels::Tensor::data

}  // namespace

std::shared_ptr<std::uint64_t[]> allocateBytes(std::uint64_t bytes) {
    try {
        return std::make_shared_for_overwrite<std::uint64_t[]>(
                hw::divideUp(bytes, sizeof(std::uint64_t)) + 1);
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}

Result<Tensor> tensorOf(const nn::V1_3::Operand& operand) {
    if (operand.dimensions.size() > hw::kMaxTensorRank) {
        return badData("operand has {} dimensions, expected at most {}", operand.dimensions.size(),
                       hw::kMaxTensorRank);
    }
    Tensor tensor;
    tensor.type = static_cast<hw::TensorType>(operand.type);
    tensor.dimensions =
            hw::Dimensions(std::span(operand.dimensions.data(), operand.dimensions.size()));
    tensor.scale = operand.scale;
    tensor.zeroPoint = operand.zeroPoint;
    using Kind = nn::V1_2::Operand::ExtraParams::hidl_discriminator;
    if (operand.extraParams.getDiscriminator() == Kind::channelQuant) {
        const auto& quant = operand.extraParams.channelQuant();
        tensor.channelScales = {quant.scales.data(), quant.scales.size()};
        tensor.channelDimension = quant.channelDim;
    }
    return tensor;
}

Result<TensorValue> valueAt(const Tensor& tensor, std::byte* bytes) {
    TensorValue value{tensor, nullptr};
    value.tensor.data = bytes;
    if (reinterpret_cast<std::uintptr_t>(bytes) % kKernelAlignment != 0) {
        value.storage = allocateBytes(tensor.sizeBytes());
        if (value.storage == nullptr) {
            return failed(ANEURALNETWORKS_OUT_OF_MEMORY, "no memory for {} bytes",
                          tensor.sizeBytes());
        }
        value.tensor.data = reinterpret_cast<std::byte*>(value.storage.get());
        std::memcpy(value.tensor.data, bytes, tensor.sizeBytes());
    }
    return value;
}

}  // namespace vnpu::sim::ndk

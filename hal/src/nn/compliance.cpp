// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <vnpu/hal/conversion.h>

#include <algorithm>
#include <array>
#include <vector>

namespace vnpu::hal {

namespace nn = android::hardware::neuralnetworks;
using android::hardware::hidl_enum_range;
using android::hardware::hidl_string;
using nn::V1_3::Model;
using nn::V1_3::Operand;
using nn::V1_3::OperandLifeTime;
using nn::V1_3::OperandType;
using nn::V1_3::OperationType;
using nn::V1_3::Request;

namespace {

using Reason = std::optional<std::string>;

constexpr int32_t kHighestBaseType = 0xFFFF;  // above: an extension's prefix and type
constexpr size_t kQuotedCharacters = 64;      // chosen: of a client's text in a message

/// Whether the enumeration of a version has the value.
template <typename Enumeration, typename Latest>
bool isListed(Latest value) {
    const hidl_enum_range<Enumeration> range;
    return std::find(range.begin(), range.end(), static_cast<Enumeration>(value)) != range.end();
}

template <typename Latest>
bool isOfExtension(Latest type, HalVersion version) {
    return version >= HalVersion::k12 && static_cast<int32_t>(type) > kHighestBaseType;
}

bool isKnown(OperandType type, HalVersion version) {
    switch (version) {
        case HalVersion::k10:
        case HalVersion::k11:
            return isListed<nn::V1_0::OperandType>(type);
        case HalVersion::k12:
            return isListed<nn::V1_2::OperandType>(type) || isOfExtension(type, version);
        case HalVersion::k13:
            return isListed<OperandType>(type) || isOfExtension(type, version);
    }
    return false;
}

bool isKnown(OperationType type, HalVersion version) {
    switch (version) {
        case HalVersion::k10:
            return isListed<nn::V1_0::OperationType>(type);
        case HalVersion::k11:
            return isListed<nn::V1_1::OperationType>(type);
        case HalVersion::k12:
            return isListed<nn::V1_2::OperationType>(type) || isOfExtension(type, version);
        case HalVersion::k13:
            return isListed<OperationType>(type) || isOfExtension(type, version);
    }
    return false;
}

bool isKnown(OperandLifeTime lifetime, HalVersion version) {
    return version == HalVersion::k13 ? isListed<OperandLifeTime>(lifetime)
                                      : isListed<nn::V1_0::OperandLifeTime>(lifetime);
}

std::string lacks(HalVersion version) {
    return fmt::format("which HAL {} does not have", nameOf(version));
}

Reason checkOperand(const Operand& operand, HalVersion version) {
    using Extra = nn::V1_2::Operand::ExtraParams::hidl_discriminator;
    if (!isKnown(operand.type, version)) {
        return fmt::format("type {}, {}", toString(operand.type), lacks(version));
    }
    if (!isKnown(operand.lifetime, version)) {
        return fmt::format("lifetime {}, {}", toString(operand.lifetime), lacks(version));
    }
    if (version < HalVersion::k12 && operand.extraParams.getDiscriminator() != Extra::none) {
        return fmt::format("extra parameters, {}", lacks(version));
    }
    return std::nullopt;
}

/// Checks the parts of a model outside operands and operations.
Reason checkRest(const Model& model, HalVersion version) {
    if (version < HalVersion::k13 && model.referenced.size() != 0) {
        return fmt::format("model has subgraphs, {}", lacks(version));
    }
    if (version < HalVersion::k12 && model.extensionNameToPrefix.size() != 0) {
        return fmt::format("model names extensions, {}", lacks(version));
    }
    for (size_t i = 0; i < model.pools.size(); ++i) {
        if (!isPoolName(model.pools[i].name(), version)) {
            return fmt::format("pool {} is a \"{}\", {}", i,
                               std::string(model.pools[i].name()).substr(0, kQuotedCharacters),
                               lacks(version));
        }
    }
    return std::nullopt;
}

/// Checks the operations of a subgraph against the known facts about its operands.
class OperationCheck {
  public:
    OperationCheck(const nn::V1_3::Subgraph& subgraph, HalVersion version)
        : subgraph_(subgraph), version_(version), faults_(subgraph.operands.size()) {
        for (size_t i = 0; i < faults_.size(); ++i) {
            faults_[i] = checkOperand(subgraph.operands[i], version);
        }
    }

    Reason operandFault() const {
        for (size_t i = 0; i < faults_.size(); ++i) {
            if (faults_[i]) {
                return fmt::format("operand {} has {}", i, *faults_[i]);
            }
        }
        return std::nullopt;
    }

    Reason check(size_t index) const {
        const nn::V1_3::Operation& operation = subgraph_.operations[index];
        if (!isKnown(operation.type, version_)) {
            return fmt::format("operation {} is {}, {}", index, toString(operation.type),
                               lacks(version_));
        }
        for (const auto* list : {&operation.inputs, &operation.outputs}) {
            for (const uint32_t operand : *list) {
                if (operand < faults_.size() && faults_[operand]) {
                    return fmt::format("operand {} has {}", operand, *faults_[operand]);
                }
            }
        }
        return std::nullopt;
    }

  private:
    const nn::V1_3::Subgraph& subgraph_;
    HalVersion version_;
    std::vector<Reason> faults_;
};

}  // namespace

bool isPoolName(const hidl_string& name, HalVersion version) {
    return name == "ashmem" || name == "mmap_fd" ||
           (version >= HalVersion::k12 &&
            (name == "hardware_buffer_blob" || name == "hardware_buffer"));
}

Compliance checkCompliance(const Model& model, HalVersion version) {
    Compliance result;
    const OperationCheck operations(model.main, version);
    for (size_t i = 0; i < model.main.operations.size(); ++i) {
        if (auto reason = operations.check(i)) {
            result.operations.insert(static_cast<uint32_t>(i));
            result.reason = result.reason ? result.reason : reason;
        }
    }
    Reason other = checkRest(model, version);
    if (!other && !result.reason) {  // in an operand that no operation uses
        other = operations.operandFault();
    }
    for (size_t i = 0; i < model.referenced.size() && !other; ++i) {
        const OperationCheck inner(model.referenced[i], version);
        other = inner.operandFault();
        for (size_t j = 0; j < model.referenced[i].operations.size() && !other; ++j) {
            other = inner.check(j);
        }
    }
    if (other) {
        result.reason = other;
        for (size_t i = 0; i < model.main.operations.size(); ++i) {
            result.operations.insert(static_cast<uint32_t>(i));
        }
    }
    return result;
}

Compliance checkCompliance(const Request& request, HalVersion version) {
    using Kind = Request::MemoryPool::hidl_discriminator;
    for (size_t i = 0; i < request.pools.size(); ++i) {
        const Request::MemoryPool& pool = request.pools[i];
        if (pool.getDiscriminator() == Kind::token) {
            if (version < HalVersion::k13) {
                return {fmt::format("pool {} is a token, {}", i, lacks(version)), {}};
            }
        } else if (!isPoolName(pool.hidlMemory().name(), version)) {
            return {fmt::format("pool {} is a \"{}\", {}", i,
                                std::string(pool.hidlMemory().name()).substr(0, kQuotedCharacters),
                                lacks(version)),
                    {}};
        }
    }
    return {};
}

}  // namespace vnpu::hal

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.0/types.h>
#include <android/hardware/neuralnetworks/1.1/types.h>
#include <android/hardware/neuralnetworks/1.2/types.h>
#include <android/hardware/neuralnetworks/1.3/types.h>
#include <vnpu/hal/hal_version.h>

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>

// Types of one HAL version in the words of another: models, requests, capabilities, operands,
// lifetimes and statuses. Every conversion goes by way of 1.3.

namespace vnpu::hal {

/// What becomes of the handles of memory pools. A handle that is duplicated ends the process if its
/// descriptors are not open: one from a client is borrowed.
enum class Handles : uint8_t {
    kDuplicate,  ///< the result is good by itself
    kBorrow,     ///< the result is good while the original is
};

namespace details {

namespace nn = android::hardware::neuralnetworks;

nn::V1_3::Model toLatest(const nn::V1_0::Model& model, Handles handles);
nn::V1_3::Model toLatest(const nn::V1_1::Model& model, Handles handles);
nn::V1_3::Model toLatest(const nn::V1_2::Model& model, Handles handles);
nn::V1_3::Model toLatest(const nn::V1_3::Model& model, Handles handles);
void fromLatest(nn::V1_3::Model&& model, nn::V1_0::Model& result);
void fromLatest(nn::V1_3::Model&& model, nn::V1_1::Model& result);
void fromLatest(nn::V1_3::Model&& model, nn::V1_2::Model& result);

nn::V1_3::Request toLatest(const nn::V1_0::Request& request, Handles handles);
nn::V1_3::Request toLatest(const nn::V1_3::Request& request, Handles handles);
void fromLatest(nn::V1_3::Request&& request, nn::V1_0::Request& result);

nn::V1_3::Capabilities toLatest(const nn::V1_0::Capabilities& capabilities, Handles handles);
nn::V1_3::Capabilities toLatest(const nn::V1_1::Capabilities& capabilities, Handles handles);
nn::V1_3::Capabilities toLatest(const nn::V1_2::Capabilities& capabilities, Handles handles);
void fromLatest(nn::V1_3::Capabilities&& capabilities, nn::V1_0::Capabilities& result);
void fromLatest(nn::V1_3::Capabilities&& capabilities, nn::V1_1::Capabilities& result);
void fromLatest(nn::V1_3::Capabilities&& capabilities, nn::V1_2::Capabilities& result);

nn::V1_3::Operand toLatest(const nn::V1_0::Operand& operand, Handles handles);
nn::V1_3::Operand toLatest(const nn::V1_2::Operand& operand, Handles handles);
void fromLatest(nn::V1_3::Operand&& operand, nn::V1_0::Operand& result);
void fromLatest(nn::V1_3::Operand&& operand, nn::V1_2::Operand& result);

nn::V1_3::OperandLifeTime toLatest(nn::V1_0::OperandLifeTime lifetime, Handles handles);
void fromLatest(nn::V1_3::OperandLifeTime lifetime, nn::V1_0::OperandLifeTime& result);

nn::V1_3::ErrorStatus toLatest(nn::V1_0::ErrorStatus status, Handles handles);
void fromLatest(nn::V1_3::ErrorStatus status, nn::V1_0::ErrorStatus& result);

/// Of 1.3 already, and without handles.
template <typename Latest>
Latest toLatest(const Latest& value, Handles /*handles*/) {
    return value;
}
template <typename Latest>
void fromLatest(Latest&& value, Latest& result) {
    result = std::forward<Latest>(value);
}

}  // namespace details

/// `convertTo<V1_0::Model>(model)`: the same in the words of the wanted version. Numbers of types
/// and lifetimes stay as they are; what the wanted version has no place for is left out, so ask
/// checkCompliance() first where that matters. A status that 1.0 does not have becomes
/// GENERAL_FAILURE; a pool that is a token becomes an empty memory.
template <typename To, typename From>
To convertTo(const From& from, Handles handles = Handles::kDuplicate) {
    To result{};
    details::fromLatest(details::toLatest(from, handles), result);
    return result;
}

/// Why something cannot be said in a version, if it cannot.
struct Compliance {
    std::optional<std::string> reason;  ///< the first thing the version does not have
    /// Operations at fault; all of them where the reason lies elsewhere.
    std::set<uint32_t> operations;

    explicit operator bool() const { return !reason.has_value(); }
};

/// Whether a version has the types, lifetimes, extra parameters, operations, kinds of pools,
/// subgraphs and extensions of a model. Which forms of an operation a version has is not looked at.
/// That a model allows 16-bit floats is no hindrance: computing in 32 bits does no harm.
Compliance checkCompliance(const android::hardware::neuralnetworks::V1_3::Model& model,
                           HalVersion version);
/// Of a request: whether it has no tokens and the kinds of pools of the version.
Compliance checkCompliance(const android::hardware::neuralnetworks::V1_3::Request& request,
                           HalVersion version);

template <typename Earlier>
Compliance checkCompliance(const Earlier& earlier, HalVersion version) {
    return checkCompliance(details::toLatest(earlier, Handles::kBorrow), version);
}

/// Whether pools of this name are known to a version.
bool isPoolName(const android::hardware::hidl_string& name, HalVersion version);

}  // namespace vnpu::hal

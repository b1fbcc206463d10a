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

// Converts models, requests, capabilities, operands, lifetimes and statuses between the versions of
// the HAL. Every conversion goes through version 1.3.

namespace vnpu::hal {

/// How a conversion copies the handles of memory pools. Duplicating a handle with closed
/// descriptors aborts the process, so a handle from a client must be borrowed.
enum class Handles : uint8_t {
    kDuplicate,  ///< the result owns its handles
    kBorrow,     ///< the result is valid only while the original is
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

/// For values that are already of version 1.3 and have no handles.
template <typename Latest>
Latest toLatest(const Latest& value, Handles /*handles*/) {
    return value;
}
template <typename Latest>
void fromLatest(Latest&& value, Latest& result) {
    result = std::forward<Latest>(value);
}

}  // namespace details

/// Converts a value to another version, e.g. `convertTo<V1_0::Model>(model)`. Keeps the numbers of
/// types and lifetimes and drops everything that the target version lacks; call checkCompliance()
/// first where this matters. A status that 1.0 lacks becomes GENERAL_FAILURE, and a pool given by a
/// token becomes an empty memory.
template <typename To, typename From>
To convertTo(const From& from, Handles handles = Handles::kDuplicate) {
    To result{};
    details::fromLatest(details::toLatest(from, handles), result);
    return result;
}

/// Whether a value can be expressed in a version, and if not, why.
struct Compliance {
    std::optional<std::string> reason;  ///< the first feature that the version lacks
    /// The offending operations; all operations if the reason lies elsewhere.
    std::set<uint32_t> operations;

    explicit operator bool() const { return !reason.has_value(); }
};

/// Checks that a version has the types, lifetimes, extra parameters, operations, kinds of pools,
/// subgraphs and extensions of a model. Does not check the signatures of operations. Ignores that a
/// model allows 16-bit floats, because computing in 32 bits is always correct.
Compliance checkCompliance(const android::hardware::neuralnetworks::V1_3::Model& model,
                           HalVersion version);
/// Checks that a request has no tokens and only kinds of pools that the version has.
Compliance checkCompliance(const android::hardware::neuralnetworks::V1_3::Request& request,
                           HalVersion version);

template <typename Earlier>
Compliance checkCompliance(const Earlier& earlier, HalVersion version) {
    return checkCompliance(details::toLatest(earlier, Handles::kBorrow), version);
}

/// Whether a version knows pools of this name.
bool isPoolName(const android::hardware::hidl_string& name, HalVersion version);

}  // namespace vnpu::hal

// SPDX-License-Identifier: Apache-2.0
#include "hw_model/regs/tensor_type.h"

namespace vnpu::hw {
namespace {

constexpr std::array<std::string_view, kTensorTypeCount> kTypeNames = {
        "float32-scalar", "int32-scalar", "uint32-scalar",      "float32",
        "int32",          "quant8-asymm", "bool-scalar",        "quant16-symm",
        "float16",        "bool8",        "float16-scalar",     "quant8-symm-per-channel",
        "quant16-asymm",  "quant8-symm",  "quant8-asymm-signed"};

}  // namespace

std::string_view tensorTypeName(TensorType type) {
    const auto code = static_cast<std::size_t>(type);
    return code < kTypeNames.size() ? kTypeNames[code] : std::string_view("?");
}

}  // namespace vnpu::hw

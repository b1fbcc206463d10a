// SPDX-License-Identifier: Apache-2.0
#include "sim/import/onnx/model.h"

#include <fmt/format.h>

#include <iterator>

namespace vnpu::sim::onnx {

std::string nameOf(ElementType type) {
    constexpr const char* kNames[] = {"undefined",  "float",   "uint8",  "int8",   "uint16",
                                      "int16",      "int32",   "int64",  "string", "bool",
                                      "float16",    "double",  "uint32", "uint64", "complex64",
                                      "complex128", "bfloat16"};
    const auto index = static_cast<std::size_t>(type);
    return index < std::size(kNames) ? kNames[index] : fmt::format("type {}", index);
}

std::size_t elementBytes(ElementType type) {
    switch (type) {
        case ElementType::kUint8:
        case ElementType::kInt8:
        case ElementType::kBool:
            return 1;
        case ElementType::kUint16:
        case ElementType::kInt16:
        case ElementType::kFloat16:
        case ElementType::kBfloat16:
            return 2;
        case ElementType::kFloat:
        case ElementType::kInt32:
        case ElementType::kUint32:
            return 4;
        case ElementType::kDouble:
        case ElementType::kInt64:
        case ElementType::kUint64:
        case ElementType::kComplex64:
            return 8;
        case ElementType::kComplex128:
            return 16;
        default:
            return 0;
    }
}

}  // namespace vnpu::sim::onnx

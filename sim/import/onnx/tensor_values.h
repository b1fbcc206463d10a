// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "sim/import/graph/value.h"
#include "sim/import/onnx/model.h"
#include "sim/models/network.h"

namespace vnpu::sim::onnx {

/// How tensors of a file's type are held: reals as float32, integers as int32 but for 8-bit ones,
/// which have scale 1 and zero point 0. Throws graph::Refusal for strings and complex numbers.
graph::Form formOf(ElementType type);

/// The type of the user's files for an input or output of this type. Throws graph::Refusal for
/// bfloat16.
FileType fileTypeOf(ElementType type);

bool isRealType(ElementType type);
bool isByteType(ElementType type);

/// A constant of the file; the note says where its numbers change. Throws graph::Refusal for types
/// without a form and for integers that do not fit into 32 bits, but for those at the ends of the
/// 64-bit range, which mean "to the end" and become the ends of the 32-bit range.
graph::Value valueOf(const Tensor& tensor);

/// The elements of a tensor as numbers.
std::vector<double> numbersOf(const Tensor& tensor);

}  // namespace vnpu::sim::onnx

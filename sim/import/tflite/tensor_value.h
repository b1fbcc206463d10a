// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "sim/import/graph/value.h"
#include "sim/import/tflite/file_graph.h"
#include "sim/models/network.h"

namespace vnpu::sim::tflite {

/// How a tensor's elements are held in the model; refuses types without a form.
graph::Form formOf(const TensorView& tensor);
FileType fileTypeOf(const TensorView& tensor);
/// The value of a tensor that has data.
graph::Value constantValue(const TensorView& tensor);

}  // namespace vnpu::sim::tflite

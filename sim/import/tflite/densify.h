// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/import/graph/value.h"
#include "sim/import/tflite/file_graph.h"

namespace vnpu::sim::tflite {

/// The dense elements of a sparse tensor, in the order of rows; refuses what does not fit.
graph::Bytes densify(const TensorView& tensor);

}  // namespace vnpu::sim::tflite

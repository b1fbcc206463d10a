// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.3/types.h>

#include <string>

namespace vnpu::driver {

/// A model in a few words, by which people recognize it, because NNAPI gives models no names:
/// "1x224x224x3 to 1x1001, 65 operations". Of several inputs or outputs, their number; "?" stands
/// for what the model leaves open. The operations are those of the main graph.
std::string modelLabel(const android::hardware::neuralnetworks::V1_3::Model& model);

}  // namespace vnpu::driver

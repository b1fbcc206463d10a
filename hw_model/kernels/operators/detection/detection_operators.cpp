// SPDX-License-Identifier: Apache-2.0
#include "hw_model/kernels/operators/detection/detection_kernels.h"
#include "hw_model/kernels/operators/operator_table.h"

namespace vnpu::hw::kernels {
namespace {

constexpr OperatorEntry kDetectionEntries[] = {
        {Operator::kAxisAlignedBboxTransform, axisAlignedBboxTransform},
        {Operator::kBoxWithNmsLimit, boxWithNmsLimit},
        {Operator::kDetectionPostprocessing, detectionPostprocessing},
        {Operator::kGenerateProposals, generateProposals},
        {Operator::kHeatmapMaxKeypoint, heatmapMaxKeypoint},
};

}  // namespace

std::span<const OperatorEntry> detectionOperators() {
    return kDetectionEntries;
}

}  // namespace vnpu::hw::kernels

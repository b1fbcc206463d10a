// SPDX-License-Identifier: Apache-2.0
// Regions of interest, boxes and key points. Quantized coordinates have 16 bits and are eighths.
#include "driver/validation/operation_types.h"
#include "driver/validation/quantization_relations.h"

namespace vnpu::driver {

namespace {

using Op = OperationType;
using enum HalVersion;

constexpr SignatureForm kTransformForms[] = {{"T2D2v1T2", "T2"}};
constexpr SignatureForm kSuppressionForms[] = {{"T2R2v1fiifff", "T1R2v1v1"}};
constexpr SignatureForm kPostprocessingForms[] = {{"T3T3T2ffffbiiiffb", "T2T3v2v1"}};
constexpr SignatureForm kProposalForms[] = {{"T4T4N2R2ffiiffb", "T1R2v1"}};
constexpr SignatureForm kKeypointForms[] = {{"T4R2b", "T2R3"}};
constexpr SignatureForm kAlignForms[] = {{"T4R2v1iiffiib", "T4"}};
constexpr SignatureForm kPoolingForms[] = {{"T4R2v1iiffb", "T4"}};

constexpr TypesSince kTransformed[] = {{k12, kFloat32 | kFloat16 | kAsymmetric16}};

constexpr OperandRelation kCoordinates[] = {coordinatesAreEighths};
constexpr OperandRelation kCoordinatesAndScores[] = {coordinatesAreEighths, outputIsQuantizedAs<0>};

constexpr OperationSignature kDetectionSignatures[] = {
        {Op::AXIS_ALIGNED_BBOX_TRANSFORM, k12, kTransformed, {}, kTransformForms, kCoordinates},
        {Op::BOX_WITH_NMS_LIMIT, k12, kUsual, {}, kSuppressionForms, kCoordinatesAndScores},
        {Op::DETECTION_POSTPROCESSING, k12, kFloats, {}, kPostprocessingForms, {}},
        {Op::GENERATE_PROPOSALS, k12, kUsual, {}, kProposalForms, kCoordinatesAndScores},
        {Op::HEATMAP_MAX_KEYPOINT, k12, kUsual, {}, kKeypointForms, kCoordinates},
        {Op::ROI_ALIGN, k12, kUsual, {}, kAlignForms, kCoordinates},
        {Op::ROI_POOLING, k12, kUsual, {}, kPoolingForms, kCoordinatesAndScores},
};

}  // namespace

constinit const OperationFamily kDetectionFamily{kDetectionSignatures};

}  // namespace vnpu::driver

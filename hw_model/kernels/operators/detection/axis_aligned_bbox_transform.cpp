// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "hw_model/kernels/operators/detection/boxes.h"
#include "hw_model/kernels/operators/detection/detection_kernels.h"
#include "hw_model/kernels/operators/real_values.h"
#include "hw_model/regs/operand_checks.h"  // VNPU_TRY

namespace vnpu::hw::kernels {
namespace {

enum : std::size_t { kBoxes, kDeltas, kBatches, kImages, kInputs };  // as in NNAPI 1.3

TensorType checkTypes(OperandChecks& checks, const OperatorCall& call) {
    const TensorType type = call.input(kBoxes).type;
    const TensorType deltas = call.input(kDeltas).type;
    const bool isFloat = type == TensorType::kFloat32 || type == TensorType::kFloat16;
    checks.that(isFloat || type == TensorType::kQuant16Asymm, [&] {
        return fmt::format("input 0 has type {}, expected a float or quant16-asymm",
                           tensorTypeName(type));
    });
    const bool isFine = isFloat ? deltas == type
                                : deltas == TensorType::kQuant8Asymm ||
                                          deltas == TensorType::kQuant8AsymmSigned;
    checks.that(isFine, [&] {
        return fmt::format("input 1 has type {}, which does not go with {}", tensorTypeName(deltas),
                           tensorTypeName(type));
    });
    return type;
}

void checkTransform(OperandChecks& checks, const OperatorCall& call) {
    const TensorType type = checkTypes(checks, call);
    checks.rank(kBoxes, type, 2);
    checks.rank(kDeltas, call.input(kDeltas).type, 2);
    checks.rank(kImages, type, 2);
    const std::uint32_t boxes = call.input(kBoxes).dimensions[0];
    const std::uint32_t deltas = call.input(kDeltas).dimensions[1];
    checks.shape(kBoxes, type, {boxes, kBoxSides});
    checks.shape(kDeltas, call.input(kDeltas).type, {boxes, deltas});
    checks.that(deltas % kBoxSides == 0, [&] {
        return fmt::format("input 1 has {} columns, expected a multiple of 4", deltas);
    });
    checks.shape(kBatches, TensorType::kInt32, {boxes});
    checks.shape(kImages, type, {call.input(kImages).dimensions[0], 2});
    checks.outputType(0, type);
}

void checkValues(OperandChecks& checks, const OperatorCall& call, const RealValues& boxes) {
    const auto batches = call.input(kBatches).values<std::int32_t>();
    const std::uint32_t images = call.input(kImages).dimensions[0];
    for (std::size_t i = 0; i < batches.size() && checks.isFine(); ++i) {
        checks.that(batches[i] >= 0 && static_cast<std::uint32_t>(batches[i]) < images, [&] {
            return fmt::format("box {} is in image {}, expected less than {}", i, batches[i],
                               images);
        });
        const Box box = Box::read(boxes.data() + i * kBoxSides);
        checks.that(box.isValid(), [&] {
            return fmt::format("box {} is {}, {} to {}, {}: turned inside out", i, box.x1, box.y1,
                               box.x2, box.y2);
        });
    }
}

}  // namespace

JobStatus axisAlignedBboxTransform(OperatorCall& call) {
    VNPU_TRY(call.requireOperands(kInputs, kInputs, 1, kInputs));
    OperandChecks checks(call);
    checkTransform(checks, call);
    VNPU_TRY(checks.status());
    VNPU_TRY(call.settle(0, call.input(kDeltas).dimensions));
    const RealValues boxes(call, kBoxes), deltas(call, kDeltas), images(call, kImages);
    checkValues(checks, call, boxes);
    VNPU_TRY(checks.status());
    RealResult result(call, 0);
    const std::size_t classes = call.input(kDeltas).dimensions[1] / kBoxSides;
    const auto batches = call.input(kBatches).values<std::int32_t>();
    for (std::size_t i = 0; i < batches.size(); ++i) {
        const Box box = Box::read(boxes.data() + i * kBoxSides);
        const auto image = static_cast<std::size_t>(batches[i]) * 2;
        for (std::size_t c = i * classes; c < (i + 1) * classes; ++c) {
            transformBox(box, deltas.data() + c * kBoxSides, images[image], images[image + 1])
                    .write(result.data() + c * kBoxSides);
        }
    }
    result.store();
    return JobStatus::kOk;
}

}  // namespace vnpu::hw::kernels

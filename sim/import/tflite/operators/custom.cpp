// SPDX-License-Identifier: Apache-2.0
#include "sim/import/tflite/operators/custom.h"

#include <flatbuffers/flexbuffers.h>

#include <cmath>
#include <optional>

#include "sim/import/graph/conversion.h"
#include "sim/import/graph/joining.h"

namespace vnpu::sim::tflite {

namespace {

/// The options of a custom operator: a map of names to numbers.
class CustomOptions {
  public:
    explicit CustomOptions(std::span<const std::byte> bytes) {
        const auto* data = reinterpret_cast<const std::uint8_t*>(bytes.data());
        std::vector<std::uint8_t> reuseTracker;
        if (bytes.size() < 3 || !flexbuffers::VerifyBuffer(data, bytes.size(), &reuseTracker)) {
            throw Refusal("its options are no flexbuffer");
        }
        const flexbuffers::Reference root = flexbuffers::GetRoot(data, bytes.size());
        if (!root.IsMap()) {
            throw Refusal("its options are no map");
        }
        map_ = root.AsMap();
    }

    double number(const char* name, std::optional<double> otherwise = std::nullopt) const {
        const flexbuffers::Reference value = (*map_)[name];
        if (!value.IsNumeric() && !value.IsBool()) {
            if (otherwise) {
                return *otherwise;
            }
            throw Refusal(fmt::format("its options have no {}", name));
        }
        return value.AsDouble();
    }
    float real(const char* name) const {
        const double value = number(name);
        if (!std::isfinite(value)) {
            throw Refusal(fmt::format("its option {} is {}", name, value));
        }
        return static_cast<float>(value);
    }
    std::int32_t count(const char* name, std::optional<double> otherwise = std::nullopt) const {
        constexpr double kMost = 1'000'000;  // chosen: more than any detector returns
        const double value = number(name, otherwise);
        if (!(value >= 1.0 && value <= kMost)) {
            throw Refusal(fmt::format("its option {} is {}, expected 1 to {}", name, value, kMost));
        }
        return static_cast<std::int32_t>(value);
    }

  private:
    std::optional<flexbuffers::Map> map_;
};

/// Inputs: boxes, scores, anchors. Results: boxes, classes, scores, the number.
void importDetectionPostprocess(Call& call) {
    call.requireInputs(3, 3);
    const CustomOptions options(call.op().customOptions);
    Emitter& emitter = call.emitter();
    const Value boxes = graph::toReal(emitter, call.in(0));
    Value scores = graph::toReal(emitter, call.in(1));
    const Value anchors = graph::toReal(emitter, call.in(2));
    const std::int32_t classes = options.count("num_classes");
    if (boxes.rank() != 3 || scores.rank() != 3 || anchors.rank() != 2 ||
        scores.dims[1] != anchors.dims[0] || boxes.dims[1] != anchors.dims[0]) {
        throw Refusal(fmt::format("boxes are {}, scores {}, anchors {}",
                                  describeDimensions(boxes.dims), describeDimensions(scores.dims),
                                  describeDimensions(anchors.dims)));
    }
    if (scores.dims[2] == static_cast<std::uint32_t>(classes)) {
        // The device takes class 0 for the background; here it is an object.
        const Value nothing = graph::filled(graph::kReal, {scores.dims[0], scores.dims[1], 1}, 0.0);
        scores = graph::concatenate(emitter, {nothing, scores}, 2, graph::kReal);
    } else if (scores.dims[2] != static_cast<std::uint32_t>(classes) + 1) {
        throw Refusal(fmt::format("has {} scores for {} classes", scores.dims[2], classes));
    }
    const bool isRegular = options.number("use_regular_nms", 0.0) != 0.0;
    const std::int32_t most = options.count("max_detections");
    const std::int32_t perBox = options.count("max_classes_per_detection");
    ModelBuilder& builder = emitter.builder();
    const std::uint32_t batch = boxes.dims[0];
    const auto room = static_cast<std::uint32_t>(most * (isRegular ? 1 : perBox));
    const std::vector<Index> operands = {
            emitter.operand(scores),
            emitter.operand(boxes),
            emitter.operand(anchors),
            builder.addFloat32(options.real("y_scale")),
            builder.addFloat32(options.real("x_scale")),
            builder.addFloat32(options.real("h_scale")),
            builder.addFloat32(options.real("w_scale")),
            builder.addBool(isRegular),
            builder.addInt32(most),
            builder.addInt32(perBox),
            builder.addInt32(options.count("detections_per_class", 100.0)),
            builder.addFloat32(options.real("nms_score_threshold")),
            builder.addFloat32(options.real("nms_iou_threshold")),
            builder.addBool(false)};
    const std::vector<Value> results =
            emitter.emit(nn::OperationType::DETECTION_POSTPROCESSING, operands,
                         std::vector<Emitter::Result>{{graph::kReal, {batch, room}},
                                                      {graph::kReal, {batch, room, 4}},
                                                      {graph::kInteger, {batch, room}},
                                                      {graph::kInteger, {batch}}});
    const Value* const ordered[] = {&results[1], &results[2], &results[0], &results[3]};
    for (std::size_t i = 0; i < 4 && i < call.outputCount(); ++i) {
        if (call.hasOutput(i)) {
            call.set(i, *ordered[i]);
        }
    }
}

}  // namespace

void importCustomOperator(Call& call) {
    if (call.op().customName != "TFLite_Detection_PostProcess") {
        throw Refusal("is a custom operator that only the maker of the model knows");
    }
    importDetectionPostprocess(call);
}

}  // namespace vnpu::sim::tflite

// SPDX-License-Identifier: Apache-2.0
#include "sim/import/onnx/importer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "sim/base/error.h"
#include "sim/import/graph/conversion.h"
#include "sim/import/graph/walk.h"
#include "sim/import/onnx/graph_import.h"
#include "sim/import/onnx/model_file.h"
#include "sim/import/onnx/tensor_values.h"

namespace vnpu::sim {

namespace {

using onnx::ElementType;
using onnx::Held;
using onnx::TensorInfo;

constexpr std::int64_t kNewestVersion =
        17;  // source: Debian 12's libonnx 1.12; newer versions are read as far as known

class OnnxImporter {
  public:
    OnnxImporter(const std::string& path, const onnx::Model& model, const NetworkOptions& options,
                 const BoundInputs& bound)
        : path_(path),
          model_(model),
          options_(options),
          bound_(bound),
          builder_(std::filesystem::path(path).stem().string()),
          emitter_(builder_),
          state_{model, emitter_, result_.report},
          graph_(state_, model.graph, model.opsets, nullptr) {}

    OnnxImport run() {
        if (options_.batch != 1) {
            fail("model",
                 fmt::format("batch {} is for zoo networks, expected --shape", options_.batch));
        }
        if (!options_.signature.empty()) {
            fail("model",
                 fmt::format("no signature \"{}\": the files have none", options_.signature));
        }
        for (const TensorInfo& input : model_.graph.inputs) {
            addInput(input);
        }
        checkShapeNames();
        std::vector<std::string> outputs;
        for (const TensorInfo& output : model_.graph.outputs) {
            outputs.push_back(output.name);
        }
        if (!options_.until.empty()) {
            outputs = {options_.until};
        }
        if (outputs.empty()) {
            fail("model outputs", "there is none, expected at least 1");
        }
        const auto results = walkTo(outputs);
        if (result_.report.isComplete()) {
            finish(outputs, results);
        }
        addNotes();
        result_.wantedConstants = state_.wantedConstants;
        return std::move(result_);
    }

  private:
    [[noreturn]] void fail(const std::string& place, const std::string& what) const {
        throw InputError(fmt::format("{}: {}: {}", path_, place, what));
    }

    std::map<std::string, onnx::Held> walkTo(const std::vector<std::string>& outputs) {
        try {
            return graph_.walkTo(outputs, result_.report);
        } catch (const graph::Refusal& refusal) {  // an output that is a constant
            fail("model outputs", refusal.what());
        }
    }

    void checkShapeNames() const {
        std::vector<std::string> names;
        for (const TensorInfo& input : model_.graph.inputs) {
            names.push_back(input.name);
        }
        for (const auto& [name, shape] : options_.shapes) {
            if (std::count(names.begin(), names.end(), name) == 0) {
                fail("model inputs", fmt::format("none is \"{}\", expected one of {}", name,
                                                 fmt::join(names, ", ")));
            }
        }
    }

    /// The shape of the user, or of the file with an open first dimension as a batch of 1.
    graph::Dims shapeOf(const TensorInfo& input, const std::string& place) const {
        const auto given = options_.shapes.find(input.name);
        if (given != options_.shapes.end()) {
            if (input.dims && given->second.size() != input.dims->size()) {
                fail(place, fmt::format("has {} dimensions, which --shape gives {}",
                                        input.dims->size(), given->second.size()));
            }
            return given->second;
        }
        if (!input.dims) {
            fail(place, fmt::format("has no shape, expected --shape \"{}\"=...", input.name));
        }
        graph::Dims dims = *input.dims;
        if (!dims.empty() && dims[0] == TensorInfo::kOpen) {
            dims[0] = 1;
        }
        for (std::size_t i = 0; i < dims.size(); ++i) {
            if (dims[i] == TensorInfo::kOpen) {
                fail(place, fmt::format("dimension {} is open, expected --shape \"{}\"=...", i,
                                        input.name));
            }
        }
        return dims;
    }

    void addInput(const TensorInfo& input) {
        const std::string place = fmt::format("input {}", input.name);
        if (!names_.insert(input.name).second) {
            fail(place, "is an input of the model twice");
        }
        try {
            if (const auto bound = bound_.find(input.name); bound != bound_.end()) {
                graph_.bind(input.name, {onnx::valueOf(bound->second), bound->second.type});
                return;
            }
            if (input.isSequence || input.isOptional || input.type == ElementType::kNone) {
                fail(place, "is a sequence, an optional value or a map, expected a tensor");
            }
            const graph::Dims dims = shapeOf(input, place);
            if (elementCount(dims) == 0) {
                fail(place, fmt::format("{} has no elements", describeDimensions(dims)));
            }
            const graph::Value value = emitter_.input(input.name, onnx::formOf(input.type), dims);
            inputs_.push_back({value, input.name, onnx::fileTypeOf(input.type)});
            graph_.bind(input.name, {value, input.type, false, false, {}, {input.name}});
        } catch (const graph::Refusal& refusal) {
            fail(place, refusal.what());
        }
    }

    void finish(const std::vector<std::string>& outputs,
                const std::map<std::string, Held>& results) {
        std::vector<graph::Port> ports;
        bool areFolded = true;
        for (const std::string& name : outputs) {
            const std::string place = fmt::format("output {}", name);
            const auto found = results.find(name);
            if (found == results.end()) {
                fail(place, "is an output of the model, expected one that an operator makes");
            }
            const Held& held = found->second;
            if (held.isSequence) {
                fail(place, "is a sequence, expected a tensor");
            }
            try {
                const bool isReal = onnx::isRealType(held.type);
                const graph::Value value =
                        isReal ? graph::toReal(emitter_, held.value) : held.value;
                areFolded = areFolded && value.isConstant();
                if (value.count() == 0 && !inputs_.empty()) {
                    fail(place, fmt::format("{} has no elements", describeDimensions(value.dims)));
                }
                ports.push_back({value, name, onnx::fileTypeOf(held.type)});
            } catch (const graph::Refusal& refusal) {
                fail(place, refusal.what());
            }
        }
        if (inputs_.empty()) {
            if (!areFolded) {
                fail("model inputs", "there is none, expected at least 1");
            }
            for (const graph::Port& port : ports) {
                result_.folded.push_back(port.value);
            }
            return;
        }
        try {
            result_.network = graph::finish(emitter_, inputs_, ports, options_.exposeIntermediates);
        } catch (const graph::Refusal& refusal) {
            fail("model outputs", refusal.what());
        }
    }

    void addNotes() {
        std::map<ElementType, int> counts;
        const auto count = [&](ElementType type) { ++counts[type]; };
        for (const auto& [name, tensor] : model_.graph.constants) {
            count(tensor->type);
        }
        for (const auto* list : {&model_.graph.inputs, &model_.graph.outputs}) {
            for (const TensorInfo& info : *list) {
                count(info.type);
            }
        }
        const auto note = [&](ElementType type, const char* held) {
            if (counts[type] != 0) {
                result_.report.notes.insert(
                        fmt::format("{} constants, inputs and outputs of {} are held as {}",
                                    counts[type], nameOf(type), held));
            }
        };
        note(ElementType::kInt64, "int32");
        note(ElementType::kUint64, "int32");
        note(ElementType::kUint32, "int32");
        note(ElementType::kDouble, "float32");
        note(ElementType::kFloat16, "float32");
        const auto version = model_.opsets.find("");
        if (version != model_.opsets.end() && version->second > kNewestVersion) {
            result_.report.notes.insert(
                    fmt::format("the file uses version {} of ONNX's operators, the import knows {}",
                                version->second, kNewestVersion));
        }
    }

    const std::string& path_;
    const onnx::Model& model_;
    const NetworkOptions& options_;
    const BoundInputs& bound_;
    OnnxImport result_;
    ModelBuilder builder_;
    graph::Emitter emitter_;
    onnx::ImportState state_;
    onnx::GraphImport graph_;
    std::vector<graph::Port> inputs_;
    std::set<std::string> names_;
};

}  // namespace

OnnxImport examineOnnx(const std::string& path, const NetworkOptions& options,
                       const BoundInputs& bound) {
    const onnx::Model model = onnx::readModel(path);
    return OnnxImporter(path, model, options, bound).run();
}

OnnxImport examineOnnx(const std::string& path, std::span<const std::byte> bytes,
                       const NetworkOptions& options, const BoundInputs& bound) {
    const onnx::Model model = onnx::parseModel(bytes, path);
    return OnnxImporter(path, model, options, bound).run();
}

}  // namespace vnpu::sim

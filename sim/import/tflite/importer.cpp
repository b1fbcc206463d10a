// SPDX-License-Identifier: Apache-2.0
#include "sim/import/tflite/importer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "sim/base/error.h"
#include "sim/import/graph/conversion.h"
#include "sim/import/tflite/graph_import.h"
#include "sim/import/tflite/tensor_value.h"

namespace vnpu::sim {

namespace {

using tflite::File;
using tflite::GraphImport;
using tflite::NamedTensor;
using tflite::Session;
using tflite::TensorView;

/// The graph, and its inputs and outputs under the names that the user knows.
struct Entry {
    std::size_t graph = 0;
    std::vector<NamedTensor> inputs, outputs;
};

Entry entryOf(const File& file, const NetworkOptions& options) {
    Entry entry;
    if (!options.signature.empty()) {
        std::vector<std::string> keys;
        for (const tflite::Signature& signature : file.signatures()) {
            keys.push_back(signature.key);
            if (signature.key == options.signature) {
                return {signature.graph, signature.inputs, signature.outputs};
            }
        }
        file.fail("signatures",
                  keys.empty() ? fmt::format("there is none, so none is \"{}\"", options.signature)
                               : fmt::format("none is \"{}\", expected one of {}",
                                             options.signature, fmt::join(keys, ", ")));
    }
    const tflite::Graph graph(file, 0);
    for (const std::int32_t tensor : graph.inputs()) {
        entry.inputs.push_back({graph.tensorName(tensor), tensor});
    }
    for (const std::int32_t tensor : graph.outputs()) {
        entry.outputs.push_back({graph.tensorName(tensor), tensor});
    }
    return entry;
}

/// The tensor of that name or number.
std::int32_t tensorNamed(const File& file, const tflite::Graph& graph, const std::string& name) {
    for (std::size_t i = 0; i < graph.tensorCount(); ++i) {
        if (graph.tensorName(static_cast<std::int32_t>(i)) == name) {
            return static_cast<std::int32_t>(i);
        }
    }
    std::int32_t number = -1;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
    if (error == std::errc() && end == name.data() + name.size() && number >= 0 &&
        static_cast<std::size_t>(number) < graph.tensorCount()) {
        return number;
    }
    file.fail("tensors",
              fmt::format("none is \"{}\", expected the name or the number of one", name));
}

/// Model inputs and outputs, and the state, as the network has them.
class Importer {
  public:
    Importer(const File& file, std::string name, const NetworkOptions& options)
        : file_(file),
          options_(options),
          entry_(entryOf(file, options)),
          builder_(std::move(name)),
          emitter_(builder_),
          session_(file, emitter_),
          source_(session_, entry_.graph) {}

    graph::ImportResult run() {
        if (!options_.until.empty()) {
            const std::int32_t last = tensorNamed(file_, source_.file(), options_.until);
            entry_.outputs = {{source_.nameOf(last), last}};
        }
        if (source_.nodes().empty()) {
            file_.fail("operators", "there is none, expected at least 1");
        }
        if (entry_.outputs.empty()) {
            file_.fail("model outputs", "there is none, expected at least 1");
        }
        checkShapeNames();
        for (const NamedTensor& input : entry_.inputs) {
            addInput(input);
        }
        std::vector<std::int32_t> outputs;
        for (const NamedTensor& output : entry_.outputs) {
            outputs.push_back(output.tensor);
        }
        graph::walk(source_, scope_, emitter_, outputs, session_.report);
        graph::ImportResult result;
        if (session_.report.isComplete()) {
            result.network = finish();
        }
        result.report = std::move(session_.report);
        return result;
    }

  private:
    void checkShapeNames() const {
        for (const auto& entry : options_.shapes) {
            const std::string& name = entry.first;
            const bool isKnown = std::any_of(
                    entry_.inputs.begin(), entry_.inputs.end(), [&](const NamedTensor& input) {
                        return name == input.name || name == source_.nameOf(input.tensor);
                    });
            if (!isKnown) {
                std::vector<std::string> names;
                for (const NamedTensor& input : entry_.inputs) {
                    names.push_back(input.name);
                }
                file_.fail("model inputs", fmt::format("none is \"{}\", expected one of {}", name,
                                                       fmt::join(names, ", ")));
            }
        }
    }

    void addInput(const NamedTensor& input) {
        const TensorView& view = source_.tensor(input.tensor);
        if (view.hasData) {
            file_.fail(view.place(), "is an input of the model and has a constant value");
        }
        if (scope_.contains(input.tensor)) {
            file_.fail(view.place(), "is an input of the model twice");
        }
        graph::Dims dims = view.dimensions;
        auto given = options_.shapes.find(input.name);
        given = given == options_.shapes.end() ? options_.shapes.find(view.name) : given;
        if (given != options_.shapes.end()) {
            dims = given->second;
            if (!view.dimensions.empty() && dims.size() != view.dimensions.size()) {
                file_.fail(view.place(),
                           fmt::format("is {}, which --shape gives {} dimensions",
                                       describeDimensions(view.dimensions), dims.size()));
            }
        }
        if (elementCount(dims) == 0) {
            file_.fail(view.place(), fmt::format("has an open shape ({}, 0 where it is open), "
                                                 "expected --shape \"{}\"=...",
                                                 describeDimensions(dims), input.name));
        }
        try {
            graph::Value value = emitter_.input(input.name, tflite::formOf(view), dims);
            inputs_.push_back({value, input.name, tflite::fileTypeOf(view),
                               view.scales.empty() ? 0.0F : view.scales[0]});
            scope_[input.tensor] = std::move(value);
        } catch (const graph::Refusal& refusal) {
            file_.fail("model inputs", refusal.what());
        }
    }

    graph::Port outputPort(const NamedTensor& output) {
        const TensorView& view = source_.tensor(output.tensor);
        try {
            return {graph::valueOf(source_, scope_, output.tensor), output.name,
                    tflite::fileTypeOf(view), view.scales.empty() ? 0.0F : view.scales[0]};
        } catch (const graph::Refusal&) {
            file_.fail(view.place(),
                       "is an output of the model, expected one that an operator makes");
        }
    }

    graph::Bytes firstValue(const tflite::Variable& variable) {
        const graph::Value& input = *variable.input;
        if (variable.initial) {
            return *graph::convert(emitter_, *variable.initial, input.form).bytes;
        }
        return input.form.isQuantized() ? *graph::filled(input.form, input.dims, 0.0).bytes
                                        : graph::Bytes(operandBytes(input.form.type, input.dims));
    }

    Network finish() {
        std::vector<graph::Port> outputs;
        for (const NamedTensor& output : entry_.outputs) {
            outputs.push_back(outputPort(output));
        }
        std::vector<NetworkState> states;
        for (const tflite::Variable& variable : session_.states()) {
            NetworkState state;
            state.input = static_cast<std::uint32_t>(inputs_.size());
            state.output = static_cast<std::uint32_t>(outputs.size());
            state.initial = firstValue(variable);
            inputs_.push_back({*variable.input, variable.name});
            outputs.push_back({*variable.present, variable.name});
            states.push_back(std::move(state));
        }
        if (inputs_.empty()) {
            file_.fail("model inputs", "there is none, expected at least 1");
        }
        Network network = graph::finish(emitter_, inputs_, outputs, options_.exposeIntermediates);
        network.states = std::move(states);
        return network;
    }

    const File& file_;
    const NetworkOptions& options_;
    Entry entry_;
    ModelBuilder builder_;
    graph::Emitter emitter_;
    Session session_;
    GraphImport source_;
    graph::Scope scope_;
    std::vector<graph::Port> inputs_;
};

std::string nameOfFile(const std::string& path) {
    return std::filesystem::path(path).stem().string();
}

graph::ImportResult importFile(const File& file, const NetworkOptions& options) {
    try {
        return Importer(file, nameOfFile(file.path()), options).run();
    } catch (const graph::Refusal& refusal) {
        file.fail("model outputs", refusal.what());
    }
}

}  // namespace

graph::ImportResult examineTflite(const std::string& path, const NetworkOptions& options) {
    if (options.batch != 1) {
        throw InputError(
                fmt::format("{}: batch {} is for zoo networks, expected 1: a file's "
                            "tensors have their dimensions",
                            path, options.batch));
    }
    return importFile(File::load(path), options);
}

graph::ImportResult examineTflite(const std::string& path, std::vector<std::byte> bytes,
                                  const NetworkOptions& options) {
    return importFile(File(path, std::move(bytes)), options);
}

Network importTflite(const std::string& path, std::vector<std::byte> bytes,
                     const NetworkOptions& options) {
    return graph::networkOf(path, examineTflite(path, std::move(bytes), options));
}

}  // namespace vnpu::sim

// SPDX-License-Identifier: Apache-2.0
#include "sim/tflite_delegate/subset_import.h"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

#include "sim/base/error.h"
#include "sim/import/graph/value.h"
#include "sim/import/tflite/importer.h"
#include "sim/models/file_values.h"
#include "sim/models/operand_types.h"

namespace vnpu::sim::tflite_delegate {

namespace {

std::string nameOfSubset(const Subset& subset) {
    return fmt::format("nodes {} to {}", subset.nodes.front().index, subset.nodes.back().index);
}

/// A variable's description, so that its bytes in the interpreter become those of the operand.
void describeState(TensorDescription& description, const abi::TfLiteTensor& tensor) {
    const bool isReal = description.type == nn::OperandType::TENSOR_FLOAT32;
    if (isReal && tensor.type == abi::kTfLiteInt16) {
        description.fileType = FileType::kQuantized16;
        description.fileScale = tensor.params.scale;
    }
    if (fileBytes(description) != tensor.bytes) {
        throw graph::Refusal(
                fmt::format("the state {} has {} bytes in the interpreter, expected {}",
                            description.name, tensor.bytes, fileBytes(description)));
    }
}

/// The variables among the network's inputs.
std::vector<int> statesOf(const abi::TfLiteContext& context, Network& network) {
    std::vector<int> states;
    for (const NetworkState& state : network.states) {
        TensorDescription& before = network.inputs[state.input];
        const int tensor = tensorOfName(before.name);
        if (tensor < 0 || static_cast<std::size_t>(tensor) >= context.tensors_size) {
            throw graph::Refusal(fmt::format("the state {} is no tensor", before.name));
        }
        describeState(before, context.tensors[tensor]);
        describeState(network.outputs[state.output], context.tensors[tensor]);
        states.push_back(tensor);
    }
    return states;
}

/// The interpreter has computed all shapes; outputs of another size could not be copied.
void requireSizes(const abi::TfLiteContext& context, const ImportedSubset& subset) {
    const auto check = [&](int index, const TensorDescription& description) {
        const abi::TfLiteTensor& tensor = context.tensors[index];
        if (tensor.bytes != fileBytes(description)) {
            throw graph::Refusal(fmt::format("tensor {} has {} bytes, expected {}",
                                             description.name, tensor.bytes,
                                             fileBytes(description)));
        }
    };
    for (std::size_t i = 0; i < subset.inputs.size(); ++i) {
        check(subset.inputs[i], subset.network.inputs[i]);
    }
    for (std::size_t i = 0; i < subset.outputs.size(); ++i) {
        check(subset.outputs[i], subset.network.outputs[i]);
    }
}

}  // namespace

std::vector<std::uint32_t> shapeOf(const abi::TfLiteTensor& tensor) {
    return tensor.dims == nullptr
                   ? std::vector<std::uint32_t>()
                   : std::vector<std::uint32_t>(tensor.dims->begin(), tensor.dims->end());
}

ImportOutcome importSubset(const abi::TfLiteContext& context, const Subset& subset,
                           const Options& options) {
    ImportOutcome outcome;
    try {
        WrittenGraph written = writeGraph(
                context, subset,
                options.takesDynamic ? PreparedValues::kMayChange : PreparedValues::kAreConstant);
        graph::ImportResult result = examineTflite(nameOfSubset(subset), written.bytes, {});
        for (const graph::UnsupportedOperator& op : result.report.unsupported) {
            outcome.refusals[subset.nodes.at(op.index).index] = op.reason;
        }
        if (!result.network) {
            outcome.error = "nothing is left to compute";
            return outcome;
        }
        ImportedSubset imported{std::move(*result.network),
                                std::move(written.bytes),
                                std::move(written.inputs),
                                subset.outputs,
                                {}};
        imported.states = statesOf(context, imported.network);
        imported.network.model.relaxComputationFloat32toFloat16 =
                options.mayUseHalf || context.allow_fp32_relax_to_fp16;
        if (!options.takesDynamic) {  // whose shapes are those of the last preparation
            requireSizes(context, imported);
        }
        outcome.subset = std::move(imported);
    } catch (const std::runtime_error& error) {  // InputError, graph::Refusal
        outcome.error = error.what();
    }
    return outcome;
}

ImportedSubset importAgain(const abi::TfLiteContext& context, const ImportedSubset& former) {
    NetworkOptions options;
    for (std::size_t i = 0; i < former.inputs.size(); ++i) {
        options.shapes[former.network.inputs[i].name] = shapeOf(context.tensors[former.inputs[i]]);
    }
    ImportedSubset again{importTflite(former.network.name, former.file, options),
                         former.file,
                         former.inputs,
                         former.outputs,
                         {}};
    again.states = statesOf(context, again.network);
    again.network.model.relaxComputationFloat32toFloat16 =
            former.network.model.relaxComputationFloat32toFloat16;
    return again;
}

}  // namespace vnpu::sim::tflite_delegate

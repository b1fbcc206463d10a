// SPDX-License-Identifier: Apache-2.0
#include "sim/import/graph/walk.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "sim/base/error.h"

namespace vnpu::sim::graph {

namespace {

using Blockers = std::set<std::size_t>;  // numbers of unsupported operators in the report

/// Which nodes are needed by the outputs or have an effect.
std::vector<bool> neededNodes(std::span<const Node> nodes, std::span<const std::int32_t> outputs) {
    std::set<std::int32_t> tensors(outputs.begin(), outputs.end());
    std::vector<bool> isNeeded(nodes.size(), false);
    for (std::size_t i = nodes.size(); i > 0; --i) {
        const Node& node = nodes[i - 1];
        isNeeded[i - 1] =
                node.hasEffect || std::any_of(node.outputs.begin(), node.outputs.end(),
                                              [&](std::int32_t t) { return tensors.contains(t); });
        if (isNeeded[i - 1]) {
            tensors.insert(node.inputs.begin(), node.inputs.end());
        }
    }
    return isNeeded;
}

class Walk {
  public:
    Walk(Source& source, Scope& scope, Emitter& emitter, Report& report)
        : source_(source), scope_(scope), emitter_(emitter), report_(report) {}

    void visit(const Node& node) {
        ++report_.operators;
        Blockers blockers;
        bool isReady = true;
        const std::size_t firstOperation = emitter_.builder().operationCount();
        std::string reason;
        try {
            isReady = readInputs(node, blockers);
            if (isReady) {
                for (const std::int32_t output : node.outputs) {
                    refuseSecondValue(output);
                }
                emitter_.nameResults(node.outputs.empty() ? node.name
                                                          : source_.nameOf(node.outputs[0]));
                source_.run(node, scope_, emitter_);
            }
        } catch (const Refusal& refusal) {
            reason = refusal.what();
        }
        const std::uint64_t macs = emitter_.builder().macsFrom(firstOperation);
        report_.macs += macs;
        work_.emplace_back(macs, blockers);
        if (!reason.empty()) {
            blockers.insert(report_.unsupported.size());
            report_.unsupported.push_back({node.index, node.name, std::move(reason), 0});
        }
        for (const std::int32_t output : node.outputs) {
            if (!blockers.empty() && output >= 0) {
                blocked_[output].insert(blockers.begin(), blockers.end());
                standIn(output);
            }
        }
    }

    /// Records which unsupported operators the work of a node depends on.
    void finish() {
        for (const auto& [macs, blockers] : work_) {
            report_.runnableMacs += blockers.empty() ? macs : 0;
            for (std::size_t i = 0; i < report_.unsupported.size(); ++i) {
                report_.unsupported[i].macsWithout += blockers.contains(i) ? 0 : macs;
            }
        }
    }

  private:
    /// False where an input has no shape, because an unsupported operator makes it.
    bool readInputs(const Node& node, Blockers& blockers) {
        bool areKnown = true;
        for (const std::int32_t input : node.inputs) {
            if (input < 0) {
                continue;
            }
            if (const auto found = blocked_.find(input); found != blocked_.end()) {
                blockers.insert(found->second.begin(), found->second.end());
                areKnown = areKnown && scope_.contains(input);
                continue;
            }
            valueOf(source_, scope_, input);
        }
        return areKnown;
    }

    void refuseSecondValue(std::int32_t output) {
        if (output >= 0 && (scope_.contains(output) || source_.constant(output))) {
            throw Refusal(fmt::format("writes tensor {} ({}), which already has a value", output,
                                      source_.nameOf(output)));
        }
    }

    /// Puts an operand in place of a result that could not be computed, so that the walk continues.
    void standIn(std::int32_t output) {
        if (scope_.contains(output)) {
            return;
        }
        try {
            std::optional<Value> value = source_.declared(output);
            if (value && value->count() != 0) {
                value->operand = emitter_.builder().addTemporary(
                        {.type = value->form.type,
                         .dimensions = Emitter::modelDims(value->dims),
                         .scale = value->form.scale,
                         .zeroPoint = value->form.zeroPoint});
                scope_[output] = *value;
            }
        } catch (const Refusal&) {
            return;  // of a type that the import does not have
        }
    }

    Source& source_;
    Scope& scope_;
    Emitter& emitter_;
    Report& report_;
    std::map<std::int32_t, Blockers> blocked_;
    std::vector<std::pair<std::uint64_t, Blockers>> work_;
};

/// An operand that can be an output of the model and has the value.
Index outputOperand(Emitter& emitter, const Port& port) {
    emitter.nameResults(port.name);
    if (port.value.operand && emitter.builder().lifetime(*port.value.operand) ==
                                      nn::OperandLifeTime::TEMPORARY_VARIABLE) {
        return *port.value.operand;
    }
    return *emitter.copy(port.value).operand;
}

void describe(TensorDescription& description, const Port& port) {
    description.name = port.name;
    description.dimensions = port.value.dims.empty() ? Dims{1} : port.value.dims;
    description.fileType = port.fileType;
    description.fileScale = port.fileScale;
}

}  // namespace

void walk(Source& source, Scope& scope, Emitter& emitter, std::span<const std::int32_t> outputs,
          Report& report) {
    const std::span<const Node> nodes = source.nodes();
    const std::vector<bool> isNeeded = neededNodes(nodes, outputs);
    Walk walk(source, scope, emitter, report);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (isNeeded[i]) {
            walk.visit(nodes[i]);
        }
    }
    walk.finish();
}

Value valueOf(Source& source, Scope& scope, std::int32_t tensor) {
    if (const auto found = scope.find(tensor); found != scope.end()) {
        return found->second;
    }
    std::optional<Value> constant = source.constant(tensor);
    if (!constant) {
        throw Refusal(fmt::format(
                "reads tensor {} ({}), which is neither constant nor made by an earlier operator",
                tensor, source.nameOf(tensor)));
    }
    scope[tensor] = *constant;
    return *constant;
}

Network finish(Emitter& emitter, const std::vector<Port>& inputs, const std::vector<Port>& outputs,
               bool exposeIntermediates) {
    for (const Port& output : outputs) {
        emitter.builder().markOutput(outputOperand(emitter, output));
    }
    Network network = emitter.builder().build(exposeIntermediates);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        describe(network.inputs[i], inputs[i]);
    }
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        describe(network.outputs[i], outputs[i]);
    }
    return network;
}

}  // namespace vnpu::sim::graph

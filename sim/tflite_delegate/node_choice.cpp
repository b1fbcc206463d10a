// SPDX-License-Identifier: Apache-2.0
#include "sim/tflite_delegate/node_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>
#include <utility>

#include "sim/import/tflite/operators.h"
#include "sim/import/tflite/session.h"
#include "sim/tflite_delegate/int_array.h"

namespace vnpu::sim::tflite_delegate {

namespace {

constexpr std::int32_t kCall = 31, kCustom = 32, kIf = 118, kWhile = 119;  // source: TFLite schema
constexpr std::int32_t kReadVariable = 143;                                // source: TFLite schema

NodeView nodeAt(abi::TfLiteContext& context, int index) {
    abi::TfLiteNode* node = nullptr;
    abi::TfLiteRegistration* registration = nullptr;
    if (context.GetNodeAndRegistration(&context, index, &node, &registration) != abi::kTfLiteOk ||
        node == nullptr || registration == nullptr) {
        throw std::runtime_error(fmt::format("the interpreter has no node {}", index));
    }
    return {index, node, registration};
}

std::string nameOf(const NodeView& view) {
    const std::int32_t code = view.registration->builtin_code;
    const char* custom = view.registration->custom_name;
    return code == kCustom && custom != nullptr ? fmt::format("CUSTOM \"{}\"", custom)
                                                : tflite::operatorName(code);
}

/// Why a node is no candidate, whatever its tensors are; empty if it is one.
std::string whyNever(const NodeView& view) {
    if (view.node->delegate != nullptr) {
        return "belongs to another delegate";
    }
    const std::int32_t code = view.registration->builtin_code;
    switch (code) {
        case kCall:
        case kIf:
        case kWhile:
        case tflite::kCallOnce:
            return "calls graphs, which the interpreter offers to delegates by themselves";
        case tflite::kVarHandle:
        case kReadVariable:
        case tflite::kAssignVariable:
            return "uses a variable that the interpreter keeps";
        default:
            break;
    }
    const tflite::Row* row = tflite::findRow(code);
    if (row == nullptr) {
        return "is an operator that the format did not have when this was written";
    }
    return row->import == nullptr ? std::string(row->how) : "";
}

std::vector<int> executionPlan(abi::TfLiteContext& context) {
    abi::TfLiteIntArray* plan = nullptr;
    if (context.GetExecutionPlan(&context, &plan) != abi::kTfLiteOk || plan == nullptr) {
        throw std::runtime_error("the interpreter gives no execution plan");
    }
    return {plan->begin(), plan->end()};
}

/// Chooses by elimination.
class Elimination {
  public:
    Elimination(abi::TfLiteContext& context, std::shared_ptr<DelegateDevice> device,
                const Options& options)
        : context_(context), device_(std::move(device)), options_(options) {
        for (const int index : executionPlan(context)) {
            const NodeView view = nodeAt(context, index);
            plan_.push_back({index, nameOf(view), whyNever(view)});
            if (plan_.back().reason.empty()) {
                left_.insert(index);
            }
        }
    }

    Choice run() {
        while (examineAll()) {
        }
        Choice choice;
        for (NodeVerdict& node : plan_) {
            if (const auto found = reasons_.find(node.index); found != reasons_.end()) {
                node.reason = found->second;
            }
            if (left_.contains(node.index)) {
                choice.chosen.push_back(node.index);
            }
        }
        choice.nodes = std::move(plan_);
        for (auto& [numbers, subset] : compiled_) {
            if (current_.contains(numbers)) {
                choice.subsets[numbers] = std::move(subset);
            }
        }
        return choice;
    }

  private:
    /// Examines the subsets of the nodes that are left; whether some of them had to leave.
    bool examineAll() {
        const std::size_t before = left_.size();
        current_.clear();
        for (const Subset& subset : preview()) {
            const std::vector<int> numbers = numbersOf(subset);
            current_.insert(numbers);
            if (!compiled_.contains(numbers)) {
                examine(subset);
            }
        }
        return left_.size() != before;
    }

    std::vector<Subset> preview() {
        std::vector<Subset> subsets;
        if (left_.empty()) {
            return subsets;
        }
        const IntArray nodes(std::vector<int>(left_.begin(), left_.end()));
        abi::TfLiteDelegateParams* partitions = nullptr;
        int count = 0;
        if (context_.PreviewDelegatePartitioning(&context_, nodes.get(), &partitions, &count) !=
            abi::kTfLiteOk) {
            throw std::runtime_error("the interpreter does not divide the nodes");
        }
        for (int i = 0; i < count; ++i) {
            subsets.push_back(subsetOf(context_, partitions[i]));
        }
        return subsets;
    }

    void examine(const Subset& subset) {
        ImportOutcome outcome = importSubset(context_, subset, options_);
        if (!outcome.refusals.empty()) {
            refuse(outcome.refusals);
            return;
        }
        if (!outcome.subset) {
            refuseSome(subset, outcome.error);
            return;
        }
        const Refusals unsupported = unsupportedBy(*outcome.subset, subset);
        if (!unsupported.empty()) {
            refuse(unsupported);
            return;
        }
        try {
            compiled_[numbersOf(subset)] =
                    std::make_unique<CompiledSubset>(device_, std::move(*outcome.subset), options_);
        } catch (const std::runtime_error& error) {
            refuseAll(subset, error.what());
        }
    }

    void refuse(const Refusals& refusals) {
        for (const auto& [node, reason] : refusals) {
            left_.erase(node);
            reasons_[node] = reason;
        }
    }

    void refuseAll(const Subset& subset, const std::string& reason) {
        for (const NodeView& view : subset.nodes) {
            refuse({{view.index, reason}});
        }
    }

    /// A mistake that the importer cannot attribute: the nodes that cannot be imported alone leave;
    /// all, if each can.
    void refuseSome(const Subset& subset, const std::string& reason) {
        Refusals refusals;
        for (const NodeView& view : subset.nodes) {
            ImportOutcome alone = importSubset(context_, aloneOf(view), options_);
            if (!alone.subset) {
                refusals[view.index] =
                        alone.refusals.empty() ? alone.error : alone.refusals.begin()->second;
            }
        }
        if (refusals.empty()) {
            refuseAll(subset, reason);
        }
        refuse(refusals);
    }

    static Subset aloneOf(const NodeView& view) {
        Subset subset{{view}, {}, {}};
        std::set<int> inputs(view.node->inputs->begin(), view.node->inputs->end());
        inputs.erase(-1);
        subset.inputs.assign(inputs.begin(), inputs.end());
        subset.outputs.assign(view.node->outputs->begin(), view.node->outputs->end());
        return subset;
    }

    /// The nodes with an operation that the device does not support.
    Refusals unsupportedBy(const ImportedSubset& imported, const Subset& subset) {
        std::map<int, int> maker;  // of a tensor
        for (const NodeView& view : subset.nodes) {
            for (const int output : *view.node->outputs) {
                maker[output] = view.index;
            }
        }
        Refusals refusals;
        const Network& network = imported.network;
        const std::vector<bool> supported = supportedOperations(device_->context(), network.model);
        for (std::size_t i = 0; i < supported.size(); ++i) {
            if (supported[i]) {
                continue;
            }
            const auto node = maker.find(tensorOfName(network.operationNames[i]));
            const std::string reason = fmt::format(
                    "the device does not support its operation {}{}",
                    sim::nameOf(network.model.main.operations[i].type), device_->lastReason());
            if (node == maker.end()) {
                for (const NodeView& view : subset.nodes) {
                    refusals[view.index] = reason;
                }
            } else {
                refusals[node->second] = reason;
            }
        }
        return refusals;
    }

    abi::TfLiteContext& context_;
    const std::shared_ptr<DelegateDevice> device_;
    const Options& options_;
    std::vector<NodeVerdict> plan_;
    std::set<int> left_;
    Refusals reasons_;
    std::set<std::vector<int>> current_;  // the subsets of the last round
    CompiledSubsets compiled_;
};

}  // namespace

std::vector<int> numbersOf(const Subset& subset) {
    std::vector<int> numbers;
    for (const NodeView& view : subset.nodes) {
        numbers.push_back(view.index);
    }
    return numbers;
}

Subset subsetOf(abi::TfLiteContext& context, const abi::TfLiteDelegateParams& params) {
    Subset subset;
    for (const int index : *params.nodes_to_replace) {
        subset.nodes.push_back(nodeAt(context, index));
    }
    subset.inputs.assign(params.input_tensors->begin(), params.input_tensors->end());
    subset.outputs.assign(params.output_tensors->begin(), params.output_tensors->end());
    return subset;
}

Choice chooseNodes(abi::TfLiteContext& context, const std::shared_ptr<DelegateDevice>& device,
                   const Options& options) {
    return Elimination(context, device, options).run();
}

}  // namespace vnpu::sim::tflite_delegate

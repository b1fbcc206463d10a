// SPDX-License-Identifier: Apache-2.0
#include "sim/ndk/compute/plan_run.h"

#include <algorithm>
#include <map>
#include <utility>

#include "driver/validation/operand_types.h"
#include "hw_model/regs/rounding.h"

namespace vnpu::sim::ndk {

namespace {

// chosen: bytes at first for a tensor between steps whose shape is known only once it is computed
constexpr std::uint32_t kFirstRoom = 4096;
constexpr std::uint64_t kAlignment = 64;  // chosen: a cache line

/// One run through several steps. Tensors between steps are in shared memory, so that every device
/// can use them in place.
class StepsRun {
  public:
    StepsRun(const Compilation& compilation, const Call& call,
             const std::vector<std::shared_ptr<BurstLink>>& bursts)
        : compilation_(compilation), call_(call), bursts_(bursts) {
        const nn::V1_3::Subgraph& graph = compilation_.model().hal.main;
        for (std::size_t i = 0; i < call_.inputs.size(); ++i) {
            places_[graph.inputIndexes[i]] = call_.inputs[i];
        }
        for (std::size_t i = 0; i < call_.outputs.size(); ++i) {
            outputs_[graph.outputIndexes[i]] = i;
        }
    }

    CallOutcome run() {
        total_.shapes.resize(call_.outputs.size());
        total_.code = ANEURALNETWORKS_NO_ERROR;
        for (std::size_t i = 0; i < compilation_.steps().size(); ++i) {
            total_.code = runStep(i);
            if (total_.code != ANEURALNETWORKS_NO_ERROR) {
                break;
            }
        }
        return std::move(total_);
    }

  private:
    ResultCode runStep(std::size_t index) {
        const Step& step = compilation_.steps()[index];
        Call call{.inputs = {},
                  .outputs = {},
                  .isMeasured = call_.isMeasured,
                  .deadline = call_.deadline,
                  .loopTimeout = call_.loopTimeout,
                  .durationAfterFences = {}};
        for (const std::uint32_t operand : step.part.inputs) {
            call.inputs.push_back(places_[operand]);
        }
        for (;;) {
            call.outputs.clear();
            for (const std::uint32_t operand : step.part.outputs) {
                const auto place = placeFor(operand);
                if (!place) {
                    logLine(place.error().reason);
                    return place.error().code;
                }
                call.outputs.push_back(*place);
            }
            const auto burst = index < bursts_.size() ? bursts_[index] : nullptr;
            const CallOutcome outcome =
                    burst != nullptr ? burst->compute(call) : step.prepared->compute(call);
            takeShapes(step, call, outcome);
            if (outcome.code != ANEURALNETWORKS_OUTPUT_INSUFFICIENT_SIZE ||
                !growBetween(step, outcome)) {
                return outcome.code;
            }
        }
    }

    bool isCallersOutput(std::uint32_t operand) const {
        const auto output = outputs_.find(operand);
        return output != outputs_.end() && !call_.outputs[output->second].isAbsent;
    }

    /// The caller's place of an output, or a new one.
    Result<Argument> placeFor(std::uint32_t operand) {
        if (isCallersOutput(operand)) {
            return call_.outputs[outputs_[operand]];
        }
        const nn::V1_3::Operand& declared = compilation_.model().hal.main.operands[operand];
        const std::uint32_t room =
                driver::sizeOfData(declared.type, declared.dimensions).value_or(rooms_[operand]);
        Argument place;
        place.length = room == 0 ? kFirstRoom : room;
        VNPU_TRY_ASSIGN(place.memory, compilation_.staging().borrow(place.length));
        return place;
    }

    /// Keeps the shapes of the step's outputs, for later steps and for the caller.
    void takeShapes(const Step& step, const Call& call, const CallOutcome& outcome) {
        for (std::size_t i = 0; i < step.part.outputs.size(); ++i) {
            const std::uint32_t operand = step.part.outputs[i];
            const bool isTold = i < outcome.shapes.size();
            if (isTold && outputs_.contains(operand)) {
                total_.shapes[outputs_[operand]] = outcome.shapes[i];
            }
            const nn::V1_3::Operand& declared = compilation_.model().hal.main.operands[operand];
            Argument place = call.outputs[i];
            place.dimensions =
                    isTold ? outcome.shapes[i].dimensions : Dimensions(declared.dimensions);
            if (!place.isWhole()) {
                place.length =
                        driver::sizeOfData(declared.type, place.dimensions).value_or(place.length);
            }
            places_[operand] = std::move(place);
        }
    }

    /// Gives tensors between steps the room that they need; false if there is none of them that
    /// lacks room.
    bool growBetween(const Step& step, const CallOutcome& outcome) {
        bool hasGrown = false;
        for (std::size_t i = 0; i < step.part.outputs.size() && i < outcome.shapes.size(); ++i) {
            const std::uint32_t operand = step.part.outputs[i];
            const nn::V1_3::Operand& declared = compilation_.model().hal.main.operands[operand];
            const auto bytes = driver::sizeOfData(declared.type, outcome.shapes[i].dimensions);
            if (outcome.shapes[i].isSufficient) {
                continue;
            }
            if (isCallersOutput(operand) || !bytes || *bytes <= rooms_[operand]) {
                return false;
            }
            rooms_[operand] = *bytes;
            hasGrown = true;
        }
        return hasGrown;
    }

    const Compilation& compilation_;
    const Call& call_;
    const std::vector<std::shared_ptr<BurstLink>>& bursts_;
    std::map<std::uint32_t, Argument> places_;      // by operand that has its value
    std::map<std::uint32_t, std::size_t> outputs_;  // by operand, the caller's output
    std::map<std::uint32_t, std::uint32_t> rooms_;  // by operand of open shape, bytes found out
    CallOutcome total_;
};

bool usesDeviceMemory(const Call& call) {
    const auto isDevices = [](const Argument& argument) {
        return argument.memory != nullptr && argument.memory->isDeviceBuffer();
    };
    return std::any_of(call.inputs.begin(), call.inputs.end(), isDevices) ||
           std::any_of(call.outputs.begin(), call.outputs.end(), isDevices);
}

bool isFailureOfDevice(ResultCode code) {
    return code == ANEURALNETWORKS_OP_FAILED || code == ANEURALNETWORKS_UNAVAILABLE_DEVICE ||
           code == ANEURALNETWORKS_DEAD_OBJECT ||
           code == ANEURALNETWORKS_RESOURCE_EXHAUSTED_TRANSIENT ||
           code == ANEURALNETWORKS_RESOURCE_EXHAUSTED_PERSISTENT;
}

}  // namespace

void completeShapes(const Compilation& compilation, const Call& call, CallOutcome& outcome) {
    if (outcome.code != ANEURALNETWORKS_NO_ERROR &&
        outcome.code != ANEURALNETWORKS_OUTPUT_INSUFFICIENT_SIZE) {
        outcome.shapes.clear();
        return;
    }
    outcome.shapes.resize(call.outputs.size());
    for (std::size_t i = 0; i < outcome.shapes.size(); ++i) {
        if (outcome.shapes[i].dimensions.empty()) {
            const auto* declared = compilation.operandOf(false, i);
            outcome.shapes[i].dimensions = call.outputs[i].dimensions.empty()
                                                   ? Dimensions(declared->dimensions)
                                                   : call.outputs[i].dimensions;
        }
    }
}

CallOutcome runPlan(const Compilation& compilation, const Call& call,
                    const std::vector<std::shared_ptr<BurstLink>>& bursts) {
    CallOutcome outcome;
    const std::vector<Step>& steps = compilation.steps();
    if (steps.size() == 1) {
        outcome = !bursts.empty() && bursts.front() != nullptr
                          ? bursts.front()->compute(call)
                          : steps.front().prepared->compute(call);
    } else {
        outcome = StepsRun(compilation, call, bursts).run();
    }
    if (isFailureOfDevice(outcome.code) && !usesDeviceMemory(call)) {
        if (const auto standIn = compilation.standIn()) {
            logLine(fmt::format("execution is repeated on {}, because it failed with {}",
                                compilation.devices().back()->name(), nameOf(outcome.code)));
            outcome = standIn->compute(call);
        }
    }
    completeShapes(compilation, call, outcome);
    return outcome;
}

}  // namespace vnpu::sim::ndk

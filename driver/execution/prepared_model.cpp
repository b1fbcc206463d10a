// SPDX-License-Identifier: Apache-2.0
#include "driver/execution/prepared_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "driver/control/scheduling.h"
#include "driver/execution/hal_status.h"
#include "driver/execution/model_label.h"
#include "driver/qos/clock_level.h"
#include "driver/validation/operand_types.h"
#include "driver/validation/request_validation.h"

namespace vnpu::driver {

namespace nn = android::hardware::neuralnetworks;

namespace {

bool isOpen(const nn::V1_3::Operand& operand) {
    const auto facts = factsOf(operand.type);
    const bool isScalar = facts && facts->isScalar;
    return !isScalar && (operand.dimensions.size() == 0 || operand.dimensions.contains(0));
}

bool leavesInputsOpen(const nn::V1_3::Model& model) {
    return std::any_of(model.main.inputIndexes.begin(), model.main.inputIndexes.end(),
                       [&](std::uint32_t index) { return isOpen(model.main.operands[index]); });
}

Result<std::vector<std::shared_ptr<const PoolMapping>>> mapConstants(const nn::V1_3::Model& model,
                                                                     const Context& context) {
    std::vector<std::shared_ptr<const PoolMapping>> pools;
    for (const auto& memory : model.pools) {
        auto mapping =
                PoolMapping::create(context.poolTarget(), memory, PoolMapping::Use::kConstants);
        if (!mapping) {
            return failAt(fmt::format("model pool {}", pools.size()), mapping.error());
        }
        pools.push_back(std::move(*mapping));
    }
    return pools;
}

/// Whether the tensors that the device sizes have at least these capacities.
bool hasRoom(const CompiledModel& compiled, const std::vector<std::uint64_t>& capacities) {
    for (std::size_t i = 0; i < capacities.size(); ++i) {
        if (i >= compiled.dynamicTensors.size() ||
            compiled.dynamicTensors[i].capacityBytes < capacities[i]) {
            return false;
        }
    }
    return true;
}

/// A copy of everything but the pools' handles: copying a handle duplicates its descriptors and
/// ends the process if the client's are not open. The bytes are reached through mappings.
nn::V1_3::Model copyModel(const nn::V1_3::Model& model) {
    nn::V1_3::Model copy;
    copy.main = model.main;
    copy.referenced = model.referenced;
    copy.operandValues = model.operandValues;
    copy.pools.resize(model.pools.size());
    for (std::size_t i = 0; i < model.pools.size(); ++i) {
        copy.pools[i] = android::hardware::hidl_memory(model.pools[i].name(), nullptr,
                                                       model.pools[i].size());
    }
    copy.relaxComputationFloat32toFloat16 = model.relaxComputationFloat32toFloat16;
    copy.extensionNameToPrefix = model.extensionNameToPrefix;
    return copy;
}

/// An unsupported operation, if there is one, as the reason to refuse the model.
Result<void> checkSupport(const CompilerFunctions& compiler, const nn::V1_3::Model& model) {
    const std::vector<std::string> reasons = compiler.findUnsupported(model);
    for (std::size_t i = 0; i < reasons.size(); ++i) {
        if (!reasons[i].empty()) {
            return fail(ErrorStatus::GENERAL_FAILURE,
                        fmt::format("operation {} is not supported: {}", i, reasons[i]));
        }
    }
    return {};
}

}  // namespace

Result<PreparedModel::Parts> PreparedModel::take(const Options& options,
                                                 const nn::V1_3::Model& model, bool isCompiled) {
    if (!options.deadline.allows(std::chrono::nanoseconds(0))) {
        // The deadline would be missed on an idle device too.
        return fail(ErrorStatus::MISSED_DEADLINE_PERSISTENT,
                    "deadline has passed before the start");
    }
    if (isCompiled && leavesInputsOpen(model)) {
        return fail(ErrorStatus::GENERAL_FAILURE,
                    "model with open input shapes has a compiled form");
    }
    if (!isCompiled) {
        VNPU_TRY(checkSupport(options.compiler, model));
    }
    VNPU_TRY_ASSIGN(auto context, options.runtime->contexts().contextFor(options.uid));
    const auto priority = static_cast<std::uint32_t>(options.terms.priority);
    const auto device = devicePriority(priority, options.runtime->options().scheduling);
    VNPU_TRY_ASSIGN(auto ring, context->ring(priority, device.band));
    VNPU_TRY_ASSIGN(auto pools, mapConstants(model, *context));
    return Parts{options, copyModel(model), std::move(context), std::move(ring), std::move(pools)};
}

PreparedModel::PreparedModel(Parts parts)
    : parts_(std::move(parts)),
      life_(runtime().counters().livePreparedModels),
      id_(++runtime().counters().modelsMade),
      label_(std::make_shared<const std::string>(modelLabel(parts_.model))),
      compileTurn_(runtime().port()) {}

Result<void> PreparedModel::load(std::optional<CompiledModel> compiled) {
    if (compiled) {
        VNPU_TRY(addVariant(plainForm(), std::move(*compiled)));
    } else if (!leavesInputsOpen(parts_.model)) {
        const HostDeadline& deadline = parts_.options.deadline;
        const std::uint64_t expectedNs = runtime().compileNs().of(operationCount());
        if (!deadline.allows(clampedNanoseconds(expectedNs))) {
            return fail(ErrorStatus::MISSED_DEADLINE_PERSISTENT,
                        fmt::format("{} operations take about {} us to compile", operationCount(),
                                    expectedNs / 1000));
        }
        VNPU_TRY(executableFor(plainForm(), {}, [&deadline] {
            return deadline.allows(std::chrono::nanoseconds(0));
        }));
    }
    return {};
}

std::shared_ptr<const CompiledModel> PreparedModel::compiled() const {
    const MutexLock guard(mutex_);
    return variants_.empty() ? nullptr : variants_.front().executable->compiled();
}

std::vector<PoolView> PreparedModel::constants() const {
    std::vector<PoolView> views;
    for (const auto& pool : parts_.pools) {
        views.push_back(pool->bytes());
    }
    return views;
}

Result<BoundRequest> PreparedModel::bind(
        const nn::V1_3::Request& request,
        std::vector<std::shared_ptr<const PoolMapping>> mappings) const {
    VNPU_TRY(validateRequest(request, parts_.model));
    auto bound =
            bindRequest(request, {id_, *parts_.context, runtime().buffers()}, std::move(mappings));
    if (parts_.context->pools().asksForEnd()) {
        const auto posted = runtime().port().post(
                [keeper = parts_.options.runtime, context = parts_.context]() mutable {
                    context->pools().endSurplus();
                    context = nullptr;  // before the device that it belongs to
                });
        if (!posted) {
            parts_.context->pools().endSurplus();
        }
    }
    if (!bound) {
        return bound;
    }
    VNPU_TRY(checkInputsForBuffers(request, parts_.model));
    return bound;
}

ModelForm PreparedModel::plainForm() const {
    ModelForm form;
    form.inputDimensions.resize(parts_.model.main.inputIndexes.size());
    form.omittedInputs.resize(parts_.model.main.inputIndexes.size());
    form.inputImages.resize(parts_.model.main.inputIndexes.size());
    form.omittedOutputs.resize(parts_.model.main.outputIndexes.size());
    form.outputImages.resize(parts_.model.main.outputIndexes.size());
    return form;
}

ModelForm PreparedModel::formOf(const BoundRequest& request) const {
    ModelForm form = plainForm();
    for (std::size_t i = 0; i < request.inputs.size(); ++i) {
        form.omittedInputs[i] = request.inputs[i].hasNoValue;
        form.inputImages[i] = request.inputs[i].rows;
        if (isOpen(parts_.model.main.operands[parts_.model.main.inputIndexes[i]])) {
            form.inputDimensions[i] = request.inputs[i].dimensions;
        }
    }
    for (std::size_t i = 0; i < request.outputs.size(); ++i) {
        form.omittedOutputs[i] = request.outputs[i].hasNoValue;
        form.outputImages[i] = request.outputs[i].rows;
    }
    return form;
}

std::shared_ptr<Executable> PreparedModel::readyExecutable(
        const ModelForm& form, const std::vector<std::uint64_t>& capacities) {
    const MutexLock guard(mutex_);
    const auto found =
            std::find_if(variants_.begin(), variants_.end(), [&](const Variant& variant) {
                return variant.form == form && hasRoom(*variant.executable->compiled(), capacities);
            });
    if (found == variants_.end()) {
        return nullptr;
    }
    variants_.splice(variants_.begin(), variants_, found);
    return variants_.front().executable;
}

Result<std::shared_ptr<Executable>> PreparedModel::executableFor(
        const ModelForm& form, const std::vector<std::uint64_t>& capacities,
        const std::function<bool()>& mayGoOn) {
    if (auto ready = readyExecutable(form, capacities)) {
        return ready;  // even while another form is being compiled
    }
    const HostLockGuard turn(compileTurn_);
    if (auto ready = readyExecutable(form, capacities)) {
        return ready;
    }
    VNPU_TRY_ASSIGN(auto compiled, compileForm(form, capacities, mayGoOn));
    return addVariant(form, std::move(compiled));
}

Result<CompiledModel> PreparedModel::compileForm(const ModelForm& form,
                                                 const std::vector<std::uint64_t>& capacities,
                                                 const std::function<bool()>& mayGoOn) const {
    const auto begin = callersNow(runtime().environment());
    const DeviceInfo& info = runtime().info();
    auto compiled = parts_.options.compiler.compile(
            parts_.model, constants(), atLevel(info, clockLevel()),
            {.inputDimensions = form.inputDimensions,
             .omittedInputs = form.omittedInputs,
             .omittedOutputs = form.omittedOutputs,
             .inputImages = form.inputImages,
             .outputImages = form.outputImages,
             .capacities = capacities,
             .checkpointCycles =
                     toLevelCycles(parts_.options.terms.checkpointCycles, info, clockLevel()),
             .mayGoOn = mayGoOn});
    if (compiled) {
        toDeviceCycles(*compiled, info, clockLevel());
        const auto took = callersNow(runtime().environment()) - begin;
        runtime().compileNs().observe(operationCount(), static_cast<std::uint64_t>(took.count()));
    }
    return compiled;
}

std::size_t PreparedModel::operationCount() const {
    std::size_t count = parts_.model.main.operations.size();
    for (const auto& subgraph : parts_.model.referenced) {
        count += subgraph.operations.size();
    }
    return count;
}

bool PreparedModel::dropOldestVariant() {
    std::list<Variant> ended;  // with no lock held: their end waits for the firmware
    const MutexLock guard(mutex_);
    if (!variants_.empty()) {
        ended.splice(ended.end(), variants_, std::prev(variants_.end()));
    }
    return !ended.empty();
}

Result<std::shared_ptr<Executable>> PreparedModel::addVariant(const ModelForm& form,
                                                              CompiledModel compiled) {
    const auto shared = std::make_shared<const CompiledModel>(std::move(compiled));
    const Executable::ConstantMemory constantMemory{runtime().onChip(), parts_.pools};
    auto executable = Executable::create(parts_.context, shared, constantMemory);
    while (!executable && executable.error().status == ErrorStatus::RESOURCE_EXHAUSTED_TRANSIENT &&
           dropOldestVariant()) {
        executable = Executable::create(parts_.context, shared, constantMemory);
    }
    if (!executable) {
        return tl::unexpected(std::move(executable.error()));
    }
    bool areTooMany = false;
    std::list<Variant> replaced;  // ends with no lock held
    {
        const MutexLock guard(mutex_);
        const auto earlier =
                std::find_if(variants_.begin(), variants_.end(),
                             [&](const Variant& variant) { return variant.form == form; });
        if (earlier != variants_.end()) {
            replaced.splice(replaced.end(), variants_, earlier);
        }
        variants_.push_front({form, *executable});
        areTooMany = variants_.size() > kMaxVariants;
    }
    if (areTooMany) {
        dropOldestVariant();
    }
    return *executable;
}

}  // namespace vnpu::driver

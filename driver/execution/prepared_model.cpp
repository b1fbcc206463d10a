// SPDX-License-Identifier: Apache-2.0
#include "driver/execution/prepared_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "driver/execution/model_copy.h"
#include "driver/qos/clock_level.h"

namespace vnpu::driver {

namespace nn = android::hardware::neuralnetworks;

namespace {

bool isOpen(const nn::V1_3::Operand& operand) {
    using Type = nn::V1_3::OperandType;
    const bool isScalar = operand.type == Type::FLOAT32 || operand.type == Type::INT32 ||
                          operand.type == Type::UINT32 || operand.type == Type::BOOL ||
                          operand.type == Type::FLOAT16;
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
            return fail(mapping.error().status,
                        fmt::format("model pool {}: {}", pools.size(), mapping.error().reason));
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

Result<std::shared_ptr<PreparedModelCore>> PreparedModelCore::create(
        const Options& options, const nn::V1_3::Model& model,
        std::optional<CompiledModel> compiled) {
    const bool isShapeKnown = !leavesInputsOpen(model);
    if (compiled && !isShapeKnown) {
        return fail(ErrorStatus::GENERAL_FAILURE,
                    "model with open input shapes comes with a compiled form");
    }
    if (!compiled) {
        VNPU_TRY(checkSupport(options.compiler, model));
    }
    auto context = options.runtime->contexts().contextFor(options.uid);
    if (!context) {
        return tl::unexpected(std::move(context.error()));
    }
    auto ring = (*context)->ring(
            options.halPriority,
            devicePriority(options.halPriority, options.runtime->options().scheduling).band);
    if (!ring) {
        return tl::unexpected(std::move(ring.error()));
    }
    auto pools = mapConstants(model, **context);
    if (!pools) {
        return tl::unexpected(std::move(pools.error()));
    }
    std::shared_ptr<PreparedModelCore> core(new PreparedModelCore(
            options, copyModel(model), std::move(*context), std::move(*ring), std::move(*pools)));
    if (compiled) {
        VNPU_TRY(core->addVariant(core->plainForm(), std::move(*compiled)));
    } else if (isShapeKnown) {
        const auto expected = options.runtime->compileRate().estimate(core->operationCount());
        if (!options.deadline.allows(expected)) {
            return fail(ErrorStatus::MISSED_DEADLINE_PERSISTENT,
                        fmt::format("{} operations take about {} us to compile",
                                    core->operationCount(), expected.count() / 1000));
        }
        VNPU_TRY(core->executableFor(core->plainForm(), {}, [&options] {
            return options.deadline.allows(std::chrono::nanoseconds(0));
        }));
    }
    return core;
}

PreparedModelCore::PreparedModelCore(const Options& options, nn::V1_3::Model model,
                                     std::shared_ptr<Context> context,
                                     std::shared_ptr<JobRing> ring,
                                     std::vector<std::shared_ptr<const PoolMapping>> pools)
    : options_(options),
      life_(options.runtime->counters().livePreparedModels),
      model_(std::move(model)),
      context_(std::move(context)),
      ring_(std::move(ring)),
      pools_(std::move(pools)),
      compileTurn_(options.runtime->port()) {}

std::shared_ptr<const CompiledModel> PreparedModelCore::compiled() const {
    const std::lock_guard guard(mutex_);
    return variants_.empty() ? nullptr : variants_.front().executable->compiled();
}

std::vector<PoolView> PreparedModelCore::constants() const {
    std::vector<PoolView> views;
    for (const auto& pool : pools_) {
        views.push_back(pool->bytes());
    }
    return views;
}

ModelForm PreparedModelCore::plainForm() const {
    ModelForm form;
    form.inputDimensions.resize(model_.main.inputIndexes.size());
    form.omittedInputs.resize(model_.main.inputIndexes.size());
    form.omittedOutputs.resize(model_.main.outputIndexes.size());
    return form;
}

ModelForm PreparedModelCore::formOf(const BoundRequest& request) const {
    ModelForm form = plainForm();
    for (std::size_t i = 0; i < request.inputs.size(); ++i) {
        form.omittedInputs[i] = request.inputs[i].hasNoValue;
        if (isOpen(model_.main.operands[model_.main.inputIndexes[i]])) {
            form.inputDimensions[i] = request.inputs[i].dimensions;
        }
    }
    for (std::size_t i = 0; i < request.outputs.size(); ++i) {
        form.omittedOutputs[i] = request.outputs[i].hasNoValue;
    }
    return form;
}

Result<std::shared_ptr<Executable>> PreparedModelCore::executableFor(
        const ModelForm& form, const std::vector<std::uint64_t>& capacities,
        const std::function<bool()>& mayGoOn) {
    const HostLockGuard turn(compileTurn_);
    {
        const std::lock_guard guard(mutex_);
        const auto found =
                std::find_if(variants_.begin(), variants_.end(), [&](const Variant& variant) {
                    return variant.form == form &&
                           hasRoom(*variant.executable->compiled(), capacities);
                });
        if (found != variants_.end()) {
            variants_.splice(variants_.begin(), variants_, found);
            return variants_.front().executable;
        }
    }
    auto compiled = compileForm(form, capacities, mayGoOn);
    if (!compiled) {
        return tl::unexpected(std::move(compiled.error()));
    }
    return addVariant(form, std::move(*compiled));
}

Result<CompiledModel> PreparedModelCore::compileForm(const ModelForm& form,
                                                     const std::vector<std::uint64_t>& capacities,
                                                     const std::function<bool()>& mayGoOn) const {
    const auto begin = callersNow(runtime().options(), runtime().port());
    const DeviceInfo& info = runtime().info();
    auto compiled = options_.compiler.compile(
            model_, constants(), atLevel(info, clockLevel()),
            {.inputDimensions = form.inputDimensions,
             .omittedInputs = form.omittedInputs,
             .omittedOutputs = form.omittedOutputs,
             .capacities = capacities,
             .checkpointCycles = toLevelCycles(options_.checkpointCycles, info, clockLevel()),
             .mayGoOn = mayGoOn});
    if (compiled) {
        toDeviceCycles(*compiled, info, clockLevel());
        runtime().compileRate().observe(operationCount(),
                                        callersNow(runtime().options(), runtime().port()) - begin);
    }
    return compiled;
}

std::size_t PreparedModelCore::operationCount() const {
    std::size_t count = model_.main.operations.size();
    for (const auto& subgraph : model_.referenced) {
        count += subgraph.operations.size();
    }
    return count;
}

bool PreparedModelCore::dropOldestVariant() {
    std::list<Variant> ended;  // with no lock held: their end waits for the firmware
    const std::lock_guard guard(mutex_);
    if (!variants_.empty()) {
        ended.splice(ended.end(), variants_, std::prev(variants_.end()));
    }
    return !ended.empty();
}

Result<std::shared_ptr<Executable>> PreparedModelCore::addVariant(const ModelForm& form,
                                                                  CompiledModel compiled) {
    const auto shared = std::make_shared<const CompiledModel>(std::move(compiled));
    auto executable = Executable::create(context_, shared);
    while (!executable && executable.error().status == ErrorStatus::RESOURCE_EXHAUSTED_TRANSIENT &&
           dropOldestVariant()) {
        executable = Executable::create(context_, shared);
    }
    if (!executable) {
        return tl::unexpected(std::move(executable.error()));
    }
    bool areTooMany = false;
    std::list<Variant> replaced;  // ends with no lock held
    {
        const std::lock_guard guard(mutex_);
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

// SPDX-License-Identifier: Apache-2.0
#include "sim/ndk/compute/compilation.h"

#include <algorithm>
#include <span>
#include <utility>

#include "driver/cache/sha256.h"

namespace vnpu::sim::ndk {

using std::chrono::nanoseconds;

namespace {

constexpr std::size_t kNoDevice = SIZE_MAX;

}  // namespace

std::optional<TimePoint> deadlineAfter(nanoseconds duration) {
    if (duration.count() == 0) {
        return std::nullopt;
    }
    const TimePoint now = std::chrono::steady_clock::now();
    return duration > TimePoint::max() - now ? TimePoint::max() : now + duration;
}

nanoseconds nanosecondsOf(std::uint64_t duration) {
    return nanoseconds(std::min<std::uint64_t>(
            duration, static_cast<std::uint64_t>(nanoseconds::max().count())));
}

Compilation::Compilation(std::shared_ptr<const FinishedModel> model, Devices devices,
                         bool areChosen)
    : model_(std::move(model)), devices_(std::move(devices)), areChosen_(areChosen) {}

Result<void> Compilation::checkIsOpen() const {
    if (state_ != State::kOpen) {
        return badState("compilation is finished");
    }
    return {};
}

Result<void> Compilation::checkIsReady() const {
    if (state_ != State::kReady) {
        return badState("compilation {}",
                        state_ == State::kOpen ? "is not finished" : "could not be finished");
    }
    return {};
}

Result<void> Compilation::setPreference(std::int32_t preference) {
    VNPU_TRY(checkIsOpen());
    if (preference < ANEURALNETWORKS_PREFER_LOW_POWER ||
        preference > ANEURALNETWORKS_PREFER_SUSTAINED_SPEED) {
        return badData("preference is {}, expected 0 to 2", preference);
    }
    preference_ = static_cast<Preference>(preference);
    return {};
}

Result<void> Compilation::setPriority(int priority) {
    VNPU_TRY(checkIsOpen());
    switch (priority) {
        case ANEURALNETWORKS_PRIORITY_LOW:
            priority_ = Priority::LOW;
            return {};
        case ANEURALNETWORKS_PRIORITY_MEDIUM:
            priority_ = Priority::MEDIUM;
            return {};
        case ANEURALNETWORKS_PRIORITY_HIGH:
            priority_ = Priority::HIGH;
            return {};
        default:
            return badData("priority is {}, expected 90, 100 or 110", priority);
    }
}

Result<void> Compilation::setTimeout(nanoseconds duration) {
    VNPU_TRY(checkIsOpen());
    if (!isForOneChosenDevice()) {
        return badData("timeout for a compilation that is not for exactly one chosen device");
    }
    timeout_ = duration;
    return {};
}

Result<void> Compilation::setCaching(std::string folder, const CacheToken& token) {
    VNPU_TRY(checkIsOpen());
    cacheFolder_ = std::move(folder);
    cacheToken_ = token;
    return {};
}

Result<std::vector<std::size_t>> Compilation::assignOperations() const {
    const auto& operations = model_->hal.main.operations;
    std::vector<std::size_t> deviceOf(operations.size(), kNoDevice);
    std::size_t open = operations.size();
    for (std::size_t device = 0; device < devices_.size() && open != 0; ++device) {
        const auto supported = devices_[device]->supportedOperations(*model_);
        if (!supported) {
            if (areChosen_) {
                return tl::unexpected(supported.error());
            }
            logLine(supported.error().reason);
            continue;
        }
        for (std::size_t i = 0; i < operations.size(); ++i) {
            if (deviceOf[i] == kNoDevice && (*supported)[i]) {
                deviceOf[i] = device;
                --open;
            }
        }
    }
    const auto missing = std::find(deviceOf.begin(), deviceOf.end(), kNoDevice);
    if (missing != deviceOf.end()) {
        const auto index = static_cast<std::size_t>(missing - deviceOf.begin());
        return badData("no device of the compilation supports operation {} ({})",
                       model_->addedAs[index], toString(operations[index].type));
    }
    return deviceOf;
}

PrepareOptions Compilation::optionsFor(const Device& device, const ModelPart& part,
                                       const PrepareOptions& options) const {
    PrepareOptions complete = options;
    if (cacheFolder_) {
        driver::Sha256 key;
        key.add(std::as_bytes(std::span(cacheToken_)));
        key.add(fmt::format("\n{}\n{}\n{}\n{}\n", device.name(), device.version(),
                            static_cast<int>(preference_), static_cast<int>(priority_)));
        // Parts of one model differ in their operations.
        key.add(std::as_bytes(std::span(part.model->addedAs)));
        complete.cache = CacheEntry{*cacheFolder_, key.finish()};
    }
    return complete;
}

Result<void> Compilation::prepareSteps(const PrepareOptions& options) {
    VNPU_TRY_ASSIGN(const std::vector<std::size_t> deviceOf, assignOperations());
    for (ModelPart& part : partition(model_, deviceOf)) {
        Device& device = *devices_[part.device];
        VNPU_TRY_ASSIGN(auto prepared,
                        device.prepare(part.model, optionsFor(device, part, options)));
        steps_.push_back({std::move(part), std::move(prepared)});
    }
    return {};
}

Result<void> Compilation::compile() {
    const PrepareOptions options{.preference = preference_,
                                 .priority = priority_,
                                 .deadline = deadlineAfter(timeout_),
                                 .cache = std::nullopt};
    auto prepared = prepareSteps(options);
    if (!prepared && !areChosen_) {
        logLine("model is computed on " + devices_.back()->name() + ": " + prepared.error().reason);
        const nn::V1_3::Subgraph& graph = model_->hal.main;
        ModelPart whole{devices_.size() - 1, model_, graph.inputIndexes, graph.outputIndexes};
        VNPU_TRY_ASSIGN(auto model, devices_.back()->prepare(model_, options));
        steps_.clear();
        steps_.push_back({std::move(whole), std::move(model)});
        return {};
    }
    return prepared;
}

Result<void> Compilation::finish() {
    VNPU_TRY(checkIsOpen());
    auto compiled = compile();
    state_ = compiled ? State::kReady : State::kFailed;
    return compiled;
}

const nn::V1_3::Operand* Compilation::operandOf(bool isInput, std::uint64_t index) const {
    const nn::V1_3::Subgraph& graph = model_->hal.main;
    const auto& indexes = isInput ? graph.inputIndexes : graph.outputIndexes;
    return index < indexes.size() ? &graph.operands[indexes[index]] : nullptr;
}

std::shared_ptr<PreparedModel> Compilation::standIn() const {
    if (areChosen_ || (steps_.size() == 1 && steps_.front().part.device == devices_.size() - 1)) {
        return nullptr;
    }
    const std::lock_guard lock(mutex_);
    if (standIn_ == nullptr) {
        standIn_ = devices_.back()->prepare(model_, {}).value_or(nullptr);
    }
    return standIn_;
}

}  // namespace vnpu::sim::ndk

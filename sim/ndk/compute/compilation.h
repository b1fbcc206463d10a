// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "sim/ndk/compute/partition.h"
#include "sim/ndk/device/device.h"
#include "sim/ndk/device/staging.h"

namespace vnpu::sim::ndk {

/// A part of the model on its device.
struct Step {
    ModelPart part;
    std::shared_ptr<PreparedModel> prepared;
};

/// A model for devices; android/NeuralNetworks.h documents the functions. One thread until
/// finish(), any thread then.
class Compilation {
  public:
    using Devices = std::vector<std::shared_ptr<Device>>;
    using CacheToken = std::array<std::uint8_t, ANEURALNETWORKS_BYTE_SIZE_OF_CACHE_TOKEN>;

    /// `areChosen`: the caller named the devices. Otherwise the last of them can compute any model
    /// and stands in for the others when they fail.
    Compilation(std::shared_ptr<const FinishedModel> model, Devices devices, bool areChosen);

    Result<void> setPreference(std::int32_t preference);
    Result<void> setPriority(int priority);
    Result<void> setTimeout(std::chrono::nanoseconds duration);
    Result<void> setCaching(std::string folder, const CacheToken& token);
    Result<void> finish();

    /// BAD_STATE unless finish() has succeeded.
    Result<void> checkIsReady() const;
    bool isForOneChosenDevice() const { return areChosen_ && devices_.size() == 1; }

    // After finish():
    const FinishedModel& model() const { return *model_; }
    const std::vector<Step>& steps() const { return steps_; }
    const Devices& devices() const { return devices_; }
    /// The operand of input or output `index`; null if there is none.
    const nn::V1_3::Operand* operandOf(bool isInput, std::uint64_t index) const;
    /// The whole model on the device that stands in for others; null if there is none, or it
    /// computes the whole model anyway.
    std::shared_ptr<PreparedModel> standIn() const;
    /// Memories for tensors between steps.
    StagingPool& staging() const { return *staging_; }

  private:
    Result<void> checkIsOpen() const;
    Result<std::vector<std::size_t>> assignOperations() const;
    Result<void> prepareSteps(const PrepareOptions& options);
    Result<void> compile();
    PrepareOptions optionsFor(const Device& device, const ModelPart& part,
                              const PrepareOptions& options) const;

    enum class State : std::uint8_t { kOpen, kReady, kFailed };

    const std::shared_ptr<const FinishedModel> model_;
    const Devices devices_;
    const bool areChosen_;
    State state_ = State::kOpen;
    Preference preference_ = Preference::FAST_SINGLE_ANSWER;
    Priority priority_ = Priority::MEDIUM;
    std::chrono::nanoseconds timeout_{0};
    std::optional<std::string> cacheFolder_;
    CacheToken cacheToken_{};
    std::vector<Step> steps_;
    const std::shared_ptr<StagingPool> staging_ = std::make_shared<StagingPool>();
    mutable std::mutex mutex_;  // guards standIn_
    mutable std::shared_ptr<PreparedModel> standIn_;
};

/// The time of a limit that starts now; nothing for 0. Times beyond the clock's end are its end.
std::optional<TimePoint> deadlineAfter(std::chrono::nanoseconds duration);
/// A duration of the interface; values beyond the type's end are its end.
std::chrono::nanoseconds nanosecondsOf(std::uint64_t duration);

}  // namespace vnpu::sim::ndk

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.3/types.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/ndk/base/result.h"
#include "sim/ndk/device/call.h"
#include "sim/ndk/model/finished_model.h"

namespace vnpu::sim::ndk {

using Priority = nn::V1_3::Priority;
using Preference = nn::V1_1::ExecutionPreference;

/// A folder for compilations, and the name of one of them: a digest of everything that it depends
/// on.
struct CacheEntry {
    std::string folder;
    std::array<std::uint8_t, 32> key{};
};

/// How a model is to be prepared.
struct PrepareOptions {
    Preference preference = Preference::FAST_SINGLE_ANSWER;
    Priority priority = Priority::MEDIUM;
    std::optional<TimePoint> deadline;
    std::optional<CacheEntry> cache;
};

/// A series of executions of one prepared model. One execution at a time; any thread.
class BurstLink {
  public:
    virtual ~BurstLink() = default;
    virtual CallOutcome compute(const Call& call) = 0;
};

/// A fenced execution in progress. Any thread.
class FencedLink {
  public:
    virtual ~FencedLink() = default;
    /// The fence of its end, which belongs to this object.
    virtual int fence() const = 0;
    /// To be called once, after the end. Outputs at pointers have their bytes from then on.
    virtual FencedOutcome outcome() = 0;
};

/// A model on a device. Any thread, several calls at once.
class PreparedModel {
  public:
    virtual ~PreparedModel() = default;

    /// Computes and returns at the end.
    virtual CallOutcome compute(const Call& call) = 0;
    /// Null if the device has no bursts.
    virtual std::shared_ptr<BurstLink> beginBurst() { return nullptr; }
    /// Begins to compute after the fences. Null if the device has no fences.
    virtual Result<std::unique_ptr<FencedLink>> computeFenced(Call /*call*/,
                                                              std::span<const int> /*fences*/) {
        return nullptr;
    }
};

/// A use of a memory by a model of one device.
struct DeviceRole {
    std::shared_ptr<PreparedModel> model;
    bool isInput = false;
    std::uint32_t index = 0;
    float frequency = 1.0F;
};

/// A device of the interface. Any thread.
class Device {
  public:
    virtual ~Device() = default;

    virtual const std::string& name() const = 0;
    virtual const std::string& version() const = 0;
    virtual DeviceTypeCode type() const = 0;
    virtual std::int64_t featureLevel() const = 0;
    virtual bool hasExtension(const std::string& name) const = 0;
    /// Waits until the device can be used.
    virtual Result<void> wait() = 0;

    /// By operation of the main graph.
    virtual Result<std::vector<bool>> supportedOperations(const FinishedModel& model) = 0;
    virtual Result<std::shared_ptr<PreparedModel>> prepare(
            const std::shared_ptr<const FinishedModel>& model, const PrepareOptions& options) = 0;
    /// A memory of the device for these roles; OP_FAILED if it has none for them.
    virtual Result<SharedMemory> allocate(std::span<const DeviceRole> roles,
                                          std::unique_ptr<MemoryRoles> use) = 0;
};

}  // namespace vnpu::sim::ndk

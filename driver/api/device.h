// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.3/IDevice.h>

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>

#include "driver/api/driver_counters.h"
#include "driver/api/observer.h"
#include "driver/api/options.h"
#include "driver/compiler/ir/compiled_model.h"
#include "driver/port/device_port.h"
#include "driver/result.h"

// The driver's front door: users of the driver include this header and, for experiments,
// experiments.h.

namespace vnpu::driver {

struct CompilerFunctions;

/// Boots the device behind `port` and returns its NN HAL 1.3 service. `port` must outlive the
/// service and every object obtained from it. Call on a host thread of the port. The last reference
/// to a prepared model or a buffer must also be dropped on such a thread, because its end waits for
/// the firmware.
Result<android::sp<android::hardware::neuralnetworks::V1_3::IDevice>> createDevice(
        DevicePort& port, const DriverOptions& options = {});

/// The same with another compiler (execution/compiler_functions.h), for tests and measurements.
Result<android::sp<android::hardware::neuralnetworks::V1_3::IDevice>> createDevice(
        DevicePort& port, const DriverOptions& options, const CompilerFunctions& compiler);

/// The compiled form behind a prepared model of this driver (the most recent one if input shapes
/// are left open), for reports and disassembly; null for any other prepared model.
std::shared_ptr<const CompiledModel> compiledModelOf(
        const android::sp<android::hardware::neuralnetworks::V1_3::IPreparedModel>& preparedModel);

/// The counters of the driver behind a device; zeroes for a device that is not this driver's.
DriverCounters countersOf(
        const android::sp<android::hardware::neuralnetworks::V1_3::IDevice>& device);

/// The time that the jobs of each UID have had the device, with the saving and restoring of their
/// contexts; empty for a device that is not this driver's.
std::map<std::uint32_t, std::chrono::nanoseconds> deviceTimesOf(
        const android::sp<android::hardware::neuralnetworks::V1_3::IDevice>& device);

}  // namespace vnpu::driver

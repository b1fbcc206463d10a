// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/ndk/device/device.h"

namespace vnpu::sim::ndk {

/// "nnapi-reference": computes every operation of NNAPI 1.3 with the kernels of the device's whole
/// operators, operation by operation, without a device, its time or its compiler. Any thread.
class CpuDevice : public Device {
  public:
    const std::string& name() const override;
    const std::string& version() const override;
    DeviceTypeCode type() const override { return ANEURALNETWORKS_DEVICE_CPU; }
    std::int64_t featureLevel() const override { return 30; }
    bool hasExtension(const std::string& /*name*/) const override { return false; }
    Result<void> wait() override { return {}; }
    Result<std::vector<bool>> supportedOperations(const FinishedModel& model) override;
    Result<std::shared_ptr<PreparedModel>> prepare(
            const std::shared_ptr<const FinishedModel>& model,
            const PrepareOptions& options) override;
    /// Fails: the memory of the host is the CPU's own.
    Result<SharedMemory> allocate(std::span<const DeviceRole> roles,
                                  std::unique_ptr<MemoryRoles> use) override;
};

}  // namespace vnpu::sim::ndk

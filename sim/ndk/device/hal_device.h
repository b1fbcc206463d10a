// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.3/IDevice.h>

#include <functional>
#include <memory>
#include <mutex>
#include <set>

#include "sim/ndk/device/device.h"
#include "sim/ndk/device/hal_prepared_model.h"

namespace vnpu::sim::ndk {

/// A device behind the HAL, of this process or of a service. After the end of its service it
/// connects again. Any thread.
class HalDevice : public Device {
  public:
    using Service = android::sp<nn::V1_3::IDevice>;
    /// Finds the service; null while there is none.
    using Connect = std::function<Service()>;

    /// Null if the service is not there or does not answer.
    static std::shared_ptr<HalDevice> create(std::string name, Connect connect);

    const std::string& name() const override { return name_; }
    const std::string& version() const override { return version_; }
    DeviceTypeCode type() const override { return type_; }
    std::int64_t featureLevel() const override { return 30; }  // HAL 1.3
    bool hasExtension(const std::string& name) const override { return extensions_.contains(name); }
    Result<void> wait() override;
    Result<std::vector<bool>> supportedOperations(const FinishedModel& model) override;
    Result<std::shared_ptr<PreparedModel>> prepare(
            const std::shared_ptr<const FinishedModel>& model,
            const PrepareOptions& options) override;
    Result<SharedMemory> allocate(std::span<const DeviceRole> roles,
                                  std::unique_ptr<MemoryRoles> use) override;

  private:
    HalDevice(std::string name, Connect connect, Service service);

    bool describe();
    /// The service, connected again if it has ended; null if it is away.
    Service present();
    /// What the device answers to a preparation: of the model, or from files.
    template <typename Call>
    Result<android::sp<nn::V1_3::IPreparedModel>> ask(const Service& service, const Call& call);
    Result<android::sp<nn::V1_3::IPreparedModel>> prepareOnce(const Service& service,
                                                              const FinishedModel& model,
                                                              const PrepareOptions& options);

    const std::string name_;
    const Connect connect_;
    std::string version_;
    DeviceTypeCode type_ = ANEURALNETWORKS_DEVICE_UNKNOWN;
    std::set<std::string> extensions_;
    std::uint32_t modelFiles_ = 0;
    std::uint32_t dataFiles_ = 0;
    std::mutex mutex_;  // guards service_
    Service service_;
};

}  // namespace vnpu::sim::ndk

// SPDX-License-Identifier: Apache-2.0
#include "sim/ndk/device/hal_device.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "sim/ndk/device/cache_files.h"
#include "sim/ndk/device/hal_callbacks.h"

namespace vnpu::sim::ndk {

using android::sp;
using android::hardware::hidl_vec;

namespace {

using CacheToken = android::hardware::hidl_array<std::uint8_t, 32>;

// chosen: a service starts, and boots its device, in well under this time
constexpr std::chrono::seconds kLongestWait{10};
constexpr std::chrono::milliseconds kPause{20};
// source: HAL 1.2, Constant::MAX_NUMBER_OF_CACHE_FILES
constexpr std::uint32_t kMostCacheFiles = 32;

CacheToken tokenOf(const std::optional<CacheEntry>& cache) {
    CacheToken token{};
    for (std::size_t i = 0; i < token.size(); ++i) {
        token[i] = cache ? cache->key[i] : std::uint8_t{0};
    }
    return token;
}

tl::unexpected<Error> serviceIsAway(const std::string& name) {
    return failed(ANEURALNETWORKS_DEAD_OBJECT, "service of {} has ended", name);
}

}  // namespace

HalDevice::HalDevice(std::string name, Connect connect, Service service)
    : name_(std::move(name)), connect_(std::move(connect)), service_(std::move(service)) {}

std::shared_ptr<HalDevice> HalDevice::create(std::string name, Connect connect) {
    Service service = connect();
    if (service == nullptr) {
        return nullptr;
    }
    std::shared_ptr<HalDevice> device(
            new HalDevice(std::move(name), std::move(connect), std::move(service)));
    return device->describe() ? device : nullptr;
}

bool HalDevice::describe() {
    const bool hasVersion =
            service_->getVersionString([&](auto, const auto& version) { version_ = version; })
                    .isOk();
    const bool hasType = service_->getType([&](auto, nn::V1_2::DeviceType type) {
                                     type_ = static_cast<DeviceTypeCode>(type);
                                 })
                                 .isOk();
    const bool hasExtensions = service_->getSupportedExtensions([&](auto, const auto& extensions) {
                                           for (const auto& extension : extensions) {
                                               extensions_.insert(extension.name);
                                           }
                                       })
                                       .isOk();
    const bool hasFiles = service_->getNumberOfCacheFilesNeeded([&](auto, std::uint32_t models,
                                                                    std::uint32_t data) {
                                      if (models <= kMostCacheFiles && data <= kMostCacheFiles) {
                                          modelFiles_ = models;
                                          dataFiles_ = data;
                                      }
                                  })
                                  .isOk();
    return hasVersion && hasType && hasExtensions && hasFiles;
}

HalDevice::Service HalDevice::present() {
    const std::lock_guard lock(mutex_);
    if (service_ == nullptr || !service_->ping().isOk()) {
        service_ = connect_();
    }
    return service_;
}

Result<void> HalDevice::wait() {
    const auto end = std::chrono::steady_clock::now() + kLongestWait;
    do {
        const Service service = present();
        if (service != nullptr) {
            const auto status = service->getStatus();
            if (status.isOk()) {
                if (nn::V1_0::DeviceStatus(status) == nn::V1_0::DeviceStatus::OFFLINE) {
                    return failed(ANEURALNETWORKS_UNAVAILABLE_DEVICE, "device {} is offline",
                                  name_);
                }
                return {};
            }
        }
        std::this_thread::sleep_for(kPause);
    } while (std::chrono::steady_clock::now() < end);
    return serviceIsAway(name_);
}

Result<std::vector<bool>> HalDevice::supportedOperations(const FinishedModel& model) {
    const Service service = present();
    if (service == nullptr) {
        return serviceIsAway(name_);
    }
    ResultCode code = ANEURALNETWORKS_OP_FAILED;
    std::vector<bool> supported;
    const auto returned = service->getSupportedOperations_1_3(
            model.hal, [&](nn::V1_3::ErrorStatus status, const hidl_vec<bool>& answer) {
                code = codeOf(status);
                supported.assign(answer.begin(), answer.end());
            });
    if (!returned.isOk()) {
        return serviceIsAway(name_);
    }
    if (code != ANEURALNETWORKS_NO_ERROR || supported.size() != model.hal.main.operations.size()) {
        return failed(ANEURALNETWORKS_OP_FAILED,
                      "device {} answers {} and {} operations of {} to getSupportedOperations",
                      name_, nameOf(code), supported.size(), model.hal.main.operations.size());
    }
    return supported;
}

template <typename Call>
Result<sp<nn::V1_3::IPreparedModel>> HalDevice::ask(const Service& service, const Call& call) {
    const sp<PreparationAnswer> callback(new PreparationAnswer);
    const DeathWatch watch(service, callback);
    const auto returned = call(callback);
    if (!returned.isOk()) {
        return returned.isDeadObject() ? tl::unexpected<Error>(serviceIsAway(name_))
                                       : failed(ANEURALNETWORKS_OP_FAILED, "preparation: {}",
                                                returned.description());
    }
    PreparationAnswer::Answer answer = callback->wait();
    if (answer.code != ANEURALNETWORKS_NO_ERROR) {
        return failed(answer.code, "device {} answers {} to the preparation", name_,
                      nameOf(answer.code));
    }
    return std::move(answer.model);
}

Result<sp<nn::V1_3::IPreparedModel>> HalDevice::prepareOnce(const Service& service,
                                                            const FinishedModel& model,
                                                            const PrepareOptions& options) {
    const bool isCached = options.cache && modelFiles_ + dataFiles_ != 0;
    CacheFiles files(isCached ? *options.cache : CacheEntry{}, isCached ? modelFiles_ : 0,
                     isCached ? dataFiles_ : 0);
    const CacheToken token = tokenOf(options.cache);
    if (isCached) {
        if (const auto present = files.openPresent()) {
            auto prepared = ask(service, [&](const auto& callback) {
                return service->prepareModelFromCache_1_3(halDeadline(options.deadline),
                                                          present->models, present->data, token,
                                                          callback);
            });
            if (prepared || prepared.error().code == ANEURALNETWORKS_DEAD_OBJECT) {
                return prepared;
            }
        }
    }
    auto created = isCached ? files.createNew() : CacheFiles::Open{};
    if (!created) {
        logLine("compilation is not cached: " + created.error().reason);
    }
    const CacheFiles::Open none;
    const CacheFiles::Open& open = created ? *created : none;
    auto prepared = ask(service, [&](const auto& callback) {
        return service->prepareModel_1_3(model.hal, options.preference, options.priority,
                                         halDeadline(options.deadline), open.models, open.data,
                                         token, callback);
    });
    if (prepared && created) {
        files.keepNew();
    }
    return prepared;
}

Result<std::shared_ptr<PreparedModel>> HalDevice::prepare(
        const std::shared_ptr<const FinishedModel>& model, const PrepareOptions& options) {
    const Service service = present();
    if (service == nullptr) {
        return serviceIsAway(name_);
    }
    VNPU_TRY_ASSIGN(auto prepared, prepareOnce(service, *model, options));
    return std::make_shared<HalPreparedModel>(std::move(prepared), model);
}

Result<SharedMemory> HalDevice::allocate(std::span<const DeviceRole> roles,
                                         std::unique_ptr<MemoryRoles> use) {
    std::vector<sp<nn::V1_3::IPreparedModel>> models;
    std::vector<nn::V1_3::BufferRole> inputs;
    std::vector<nn::V1_3::BufferRole> outputs;
    for (const DeviceRole& role : roles) {
        const auto* const model = dynamic_cast<const HalPreparedModel*>(role.model.get());
        if (model == nullptr) {
            return failed(ANEURALNETWORKS_OP_FAILED, "model is not of device {}", name_);
        }
        const auto known = std::find(models.begin(), models.end(), model->service());
        (role.isInput ? inputs : outputs)
                .push_back({static_cast<std::uint32_t>(known - models.begin()), role.index,
                            role.frequency});
        if (known == models.end()) {
            models.push_back(model->service());
        }
    }
    const Service service = present();
    if (service == nullptr) {
        return serviceIsAway(name_);
    }
    ResultCode code = ANEURALNETWORKS_OP_FAILED;
    sp<nn::V1_3::IBuffer> buffer;
    std::uint32_t token = 0;
    const auto returned =
            service->allocate({.dimensions = use->operand().dimensions}, models, inputs, outputs,
                              [&](nn::V1_3::ErrorStatus status,
                                  const sp<nn::V1_3::IBuffer>& allocated, std::uint32_t itsToken) {
                                  code = codeOf(status);
                                  buffer = allocated;
                                  token = itsToken;
                              });
    if (!returned.isOk()) {
        return serviceIsAway(name_);
    }
    if (code != ANEURALNETWORKS_NO_ERROR || buffer == nullptr) {
        return failed(ANEURALNETWORKS_OP_FAILED, "device {} answers {} to an allocation", name_,
                      nameOf(code));
    }
    return Memory::ofDevice(buffer, token, std::move(use));
}

}  // namespace vnpu::sim::ndk

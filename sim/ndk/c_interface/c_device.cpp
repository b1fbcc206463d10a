// SPDX-License-Identifier: Apache-2.0
#include <android/NeuralNetworks.h>
#include <android/NeuralNetworksExtensions.h>

#include "sim/ndk/c_interface/handles.h"
#include "sim/ndk/compute/device_list.h"

using namespace vnpu::sim::ndk;  // NOLINT(google-build-using-namespace): only C functions follow

int ANeuralNetworks_getDeviceCount(uint32_t* numDevices) {
    return answer(__func__, {numDevices}, [&]() -> Result<void> {
        *numDevices = static_cast<std::uint32_t>(devices().size());
        return {};
    });
}

int ANeuralNetworks_getDevice(uint32_t devIndex, ANeuralNetworksDevice** device) {
    return answer(__func__, {device}, [&]() -> Result<void> {
        *device = nullptr;
        if (devIndex >= devices().size()) {
            return badData("no device {}, there are {}", devIndex, devices().size());
        }
        // The handles of devices are constant for programs, although the type says otherwise.
        const auto* const handle =
                reinterpret_cast<const ANeuralNetworksDevice*>(&devices()[devIndex]);
        *device = const_cast<ANeuralNetworksDevice*>(handle);
        return {};
    });
}

int ANeuralNetworksDevice_getName(const ANeuralNetworksDevice* device, const char** name) {
    return answer(__func__, {device, name}, [&]() -> Result<void> {
        *name = objectOf(device)->name().c_str();
        return {};
    });
}

int ANeuralNetworksDevice_getType(const ANeuralNetworksDevice* device, int32_t* type) {
    return answer(__func__, {device, type}, [&]() -> Result<void> {
        *type = objectOf(device)->type();
        return {};
    });
}

int ANeuralNetworksDevice_getVersion(const ANeuralNetworksDevice* device, const char** version) {
    return answer(__func__, {device, version}, [&]() -> Result<void> {
        *version = objectOf(device)->version().c_str();
        return {};
    });
}

int ANeuralNetworksDevice_getFeatureLevel(const ANeuralNetworksDevice* device,
                                          int64_t* featureLevel) {
    return answer(__func__, {device, featureLevel}, [&]() -> Result<void> {
        *featureLevel = objectOf(device)->featureLevel();
        return {};
    });
}

int ANeuralNetworksDevice_wait(const ANeuralNetworksDevice* device) {
    return answer(__func__, {device}, [&] { return objectOf(device)->wait(); });
}

int ANeuralNetworksDevice_getExtensionSupport(const ANeuralNetworksDevice* device,
                                              const char* extensionName,
                                              bool* isExtensionSupported) {
    return answer(__func__, {device, extensionName, isExtensionSupported}, [&]() -> Result<void> {
        *isExtensionSupported = objectOf(device)->hasExtension(extensionName);
        return {};
    });
}

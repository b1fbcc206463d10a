// SPDX-License-Identifier: Apache-2.0
// The shared library that brings a device into the process that loads it, as a passthrough HAL
// does: IDevice::getService("vnpu-edge") boots it. See README.md.
#include <android/hardware/neuralnetworks/1.3/IDevice.h>

#include <string>

#include "sim/service/process_device.h"
#include "vnpu/hal/service_registry.h"

namespace vnpu::sim {

namespace {

namespace nnapi = android::hardware::neuralnetworks;

/// Runs when the library is loaded, before the code of the program.
[[maybe_unused]] const bool kIsOffered = [] {
    const std::string config = processDeviceConfig();
    hal::offerService({nnapi::V1_3::IDevice::descriptor, nnapi::V1_2::IDevice::descriptor,
                       nnapi::V1_1::IDevice::descriptor, nnapi::V1_0::IDevice::descriptor},
                      processDeviceName(config), [config] { return startProcessDevice(config); });
    return true;
}();

}  // namespace

}  // namespace vnpu::sim

// libsystemc's own main refers to sc_main; the program that loads this library has its own main.
extern "C" int sc_main(int /*argc*/, char** /*argv*/) {
    return 0;
}

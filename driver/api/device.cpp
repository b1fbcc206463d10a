// SPDX-License-Identifier: Apache-2.0
#include "driver/api/device.h"

#include <utility>

#include "driver/hal/npu_device.h"

namespace vnpu::driver {

using android::sp;
using android::hardware::neuralnetworks::V1_3::IDevice;

Result<sp<IDevice>> createDevice(DevicePort& port, const DriverOptions& options,
                                 CompilerFunctions compiler) {
    auto runtime = DeviceRuntime::create(port, options);
    if (!runtime) {
        return tl::unexpected(std::move(runtime.error()));
    }
    return sp<IDevice>(new NpuDevice(std::move(*runtime), std::move(compiler)));
}

}  // namespace vnpu::driver

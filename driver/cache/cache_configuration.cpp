// SPDX-License-Identifier: Apache-2.0
#include "driver/cache/cache_configuration.h"

#include <compiler_digest.h>
#include <fmt/format.h>

namespace vnpu::driver {

Digest cacheConfiguration(const DeviceInfo& device, std::string_view driverVersion) {
    Sha256 digest;
    digest.add(fmt::format("driver {} {}\ncompiler {}\n", driverVersion.size(), driverVersion,
                           kCompilerDigest));
    visitDeviceFields(device, [&](const auto& member, const hw::regs::FieldSpec& field,
                                  double /*unit*/, std::uint32_t /*since*/) {
        digest.add(fmt::format("{:#x} {} {}\n", field.offset, field.name, member));
    });
    digest.add(fmt::format("levels {} {}\n", device.clockLevels,
                           fmt::join(device.clockLevelsHz, " ")));
    return digest.finish();
}

}  // namespace vnpu::driver

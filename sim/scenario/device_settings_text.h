// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace vnpu::sim {

/// What is in force on a device, one line each, for people.
struct DeviceSettingsText {
    std::string scheduling;
    std::string memory;
    std::string power;
    std::string faults;
};

}  // namespace vnpu::sim

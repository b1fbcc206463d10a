// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace vnpu::sim {

/// The name of a device's service, such as "vnpu-edge", from the name or file of its configuration.
/// It has one '-' only, as the VTS demands of instance names.
std::string instanceName(const std::string& config);

}  // namespace vnpu::sim

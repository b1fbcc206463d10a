// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace vnpu::sim {

/// Name of a device's service, "vnpu-edge", from its configuration's name or file; one '-' only, as
/// the VTS demands of instance names.
std::string instanceName(const std::string& config);

}  // namespace vnpu::sim

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace android::hardware {

/// The sorted instance names of the services with the interface.
std::vector<std::string> getAllHalInstanceNames(const std::string& descriptor);

}  // namespace android::hardware

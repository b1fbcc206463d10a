// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <tl/expected.hpp>

#include "sim/conform/example_session.h"
#include "sim/ndk_client/ndk_library.h"

namespace vnpu::sim {

/// A device of a library.
struct NdkDevice {
    NdkFunctions ndk;
    const ANeuralNetworksDevice* device = nullptr;  // exists as long as the process
    std::string name;
};

/// The device of that name in a library, or its first one if the name is empty. The error names the
/// library and its devices. Expects all functions of level 30.
tl::expected<NdkDevice, std::string> findNdkDevice(const std::string& library,
                                                   const std::string& name);

/// Sessions of the C interface. A compilation is for this device alone.
OpenSession ndkSessions(NdkDevice device);

}  // namespace vnpu::sim

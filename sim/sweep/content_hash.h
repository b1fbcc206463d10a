// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "driver/cache/sha256.h"
#include "hw_model/timing/npu_config.h"
#include "sim/metrics/isolated.h"
#include "sim/scenario/scenario.h"

namespace vnpu::sim {

/// The hash of everything that a stored result depends on: equal content gives equal names.
class ContentHash {
  public:
    ContentHash& add(std::string_view text);
    /// Adds the bytes of a file; nothing if it cannot be read.
    ContentHash& addFile(const std::string& path);
    /// The hash in hexadecimal. To be called once, at the end.
    std::string finish();

  private:
    driver::Sha256 digest_;
};

/// The hash of the program itself, because another version may give other results.
std::string programHash(const std::string& program);

/// The hash of a client's isolated time on a device.
std::string isolatedHash(const std::string& program, const ClientSpec& client,
                         const hw::NpuConfig& config);

/// The hash of a run: program, scenario text with its seed, device, the files that it names, and
/// the isolated times.
std::string pointHash(const std::string& program, std::string_view scenarioText,
                      const Scenario& scenario, const hw::NpuConfig& config,
                      const IsolatedTimes& isolated);

}  // namespace vnpu::sim

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "driver/cache/sha256.h"
#include "hw_model/timing/npu_config.h"
#include "sim/metrics/isolated.h"
#include "sim/scenario/scenario.h"

namespace vnpu::sim {

/// What a stored result depends on, as one name: equal content, equal name.
class ContentHash {
  public:
    ContentHash& add(std::string_view text);
    /// The bytes of a file; nothing where it can't be read.
    ContentHash& addFile(const std::string& path);
    /// Hexadecimal. Once, at the end.
    std::string finish();

  private:
    driver::Sha256 digest_;
};

/// Of the program itself: another one may come to other results.
std::string programHash(const std::string& program);

/// Of a client's isolated time on a device.
std::string isolatedHash(const std::string& program, const ClientSpec& client,
                         const hw::NpuConfig& config);

/// Of a run: program, scenario as text with its seed, device, the files that it names, and the
/// isolated times that it is measured by.
std::string pointHash(const std::string& program, std::string_view scenarioText,
                      const Scenario& scenario, const hw::NpuConfig& config,
                      const IsolatedTimes& isolated);

}  // namespace vnpu::sim

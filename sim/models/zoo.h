// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "sim/models/layer_builder.h"
#include "sim/models/network.h"

namespace vnpu::sim::zoo {

/// A built-in network.
struct Entry {
    std::string_view name;
    std::string_view description;  // architecture, what differs from the paper
    Layer (*build)(LayerBuilder&);
    bool hasFloat;          // also as NAME-float
    bool hasSteps = false;  // NAME:N runs over N steps, NAME over kDefaultSteps
};

inline constexpr std::uint32_t kDefaultSteps = 30;
inline constexpr std::uint32_t kMaxSteps = 100;  // chosen: every step adds operations

/// In alphabetical order.
std::span<const Entry> entries();

// The architectures; each returns the output.
Layer mobilenetV1(LayerBuilder& net);
Layer mobilenetV1Half(LayerBuilder& net);
Layer mobilenetV1Small(LayerBuilder& net);
Layer mobilenetV2(LayerBuilder& net);
Layer dsCnn(LayerBuilder& net);
Layer autoencoder(LayerBuilder& net);
Layer elman(LayerBuilder& net);
Layer resnet8(LayerBuilder& net);
Layer resnet50(LayerBuilder& net);
Layer alexnet(LayerBuilder& net);
Layer vgg16(LayerBuilder& net);
Layer googlenet(LayerBuilder& net);
Layer sentiment(LayerBuilder& net);
Layer translation(LayerBuilder& net);
Layer speech(LayerBuilder& net);

}  // namespace vnpu::sim::zoo

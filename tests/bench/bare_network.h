// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "hw_model/regs/command_stream.h"
#include "tests/bench/conv_layers.h"

namespace vnpu::bench {

/// The convolutions of a network as bare kernel calls on whole layers: the cost of their arithmetic
/// on this processor, without tiles, data movement, simulation or driver. Called by one thread.
class BareNetwork {
  public:
    BareNetwork(const std::vector<ConvLayer>& layers, Numeric numeric);

    void run() { runLayers(0, commands_.size()); }
    /// Runs layers [first, end).
    void runLayers(std::size_t first, std::size_t end);

    const hw::MacConv& command(std::size_t layer) const { return commands_[layer]; }
    std::size_t layerCount() const { return commands_.size(); }
    std::byte* sram() { return memory_.data(); }

  private:
    void addLayer(const ConvLayer& layer);
    void setOutputStage(hw::MacConv& work, std::uint32_t tables) const;
    void fill();
    void fillFloats();
    void setScales(const hw::MacConv& work);

    hw::ElementType type_;
    std::vector<hw::MacConv> commands_;
    std::vector<std::byte> memory_;
};

/// One int8 inference of MobileNetV1-224 with its pooling and softmax: the baseline of the
/// simulated inference.
class BareMobileNet {
  public:
    BareMobileNet();
    void run();

    /// Multiply-accumulates of the convolutions and the classifier.
    std::uint64_t macs() const { return macs_; }

  private:
    BareNetwork network_;
    std::uint64_t macs_;
};

}  // namespace vnpu::bench

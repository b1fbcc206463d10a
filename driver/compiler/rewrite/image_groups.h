// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "driver/compiler/ir/graph.h"

namespace vnpu::driver {

/// Divides the images of a batch into groups that pass the graph's leading nodes one group after
/// the other, as far as these nodes treat every image alike (worksOnImages). The nodes behind them
/// keep the batch, so that a dense layer loads its weights once.
class ImageGroups {
  public:
    /// Which of the leading nodes are divided.
    enum class Extent : std::uint8_t {
        kAll,
        kLargeImages,  // up to the last one whose images have more bytes than its filter
    };

    /// `graph`, before flattenPointwise, must outlive this.
    ImageGroups(const Graph& graph, Extent extent);

    /// Images of the batch; 1: there is nothing to divide.
    std::uint32_t images() const { return images_; }

    /// The leading nodes for the first `count` images. Tensors that other nodes read have the kind
    /// of a model's output.
    Graph firstGroup(std::uint32_t count) const;

    /// The complete graph, with the nodes of `group` (a firstGroup of `count` images, possibly cut
    /// into stripes) once for each group. `count` must divide the batch.
    Graph repeated(const Graph& group, std::uint32_t count) const;

  private:
    class Repeater;

    void findLocalStorages();

    const Graph& graph_;
    std::uint32_t images_ = 1;
    std::size_t leading_ = 0;    // nodes that work on images
    std::vector<bool> isLocal_;  // by storage: an intermediate tensor of the leading nodes alone
};

}  // namespace vnpu::driver

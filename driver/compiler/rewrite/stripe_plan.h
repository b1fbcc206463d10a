// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "driver/compiler/ir/graph.h"
#include "driver/compiler/ir/window_reach.h"

namespace vnpu::driver {

/// Rows [begin, end) of an image.
struct Rows {
    std::uint32_t begin = 0, end = 0;

    std::uint32_t count() const { return end - begin; }
};

/// The input's rows for some rows of an output.
Rows readRows(const Reach& reach);

/// An image that the region reads or writes.
struct StripedImage {
    std::uint32_t rows = 0;
    std::uint64_t rowBytes = 0;
    std::uint32_t width = 0, channels = 0;
    bool isInternal = false;   // made and read by the region alone
    bool isShared = false;     // read by several of its nodes, made outside
    std::vector<Rows> pieces;  // by stripe, of internal and shared ones
};

enum class StripeEngine : std::uint8_t { kDma, kMac, kVector };

/// A node of the region.
struct StripedNode {
    const Node* node = nullptr;
    std::vector<TensorId> inputs;
    TensorId output = kNoTensor;
    WindowWalk walk;  // along the rows
    StripeEngine engine = StripeEngine::kMac;
    std::uint32_t delay = 0;      // steps behind the first
    std::vector<Rows> newRows{};  // by stripe: rows that it computes

    bool reads(TensorId tensor) const;
};

/// How a region is cut.
struct StripeForm {
    std::uint32_t rows = 0;  // of the narrowest output in a stripe, at least 1
    /// A tensor within the region has one place in SRAM for all its pieces, and its reader
    /// finishes one before the next is made. Otherwise two, for a tensor that another engine reads
    /// than makes, so that both work at the same time.
    bool isSerial = false;
    /// Results of 3 x 3 windows with stride 1 within the region end at an even row, because
    /// Winograd takes pairs of rows.
    bool hasRowPairs = false;
    /// Output channels of a convolution that are made at a time, in stripes of their own, if all
    /// other nodes are pools (channel_parts.h); 0: all of them.
    std::uint32_t channels = 0;
};

/// The rows that each node of a region computes in each stripe. Points into the graph's nodes.
struct StripePlan {
    StripeForm form;
    std::uint32_t stripes = 0;
    std::vector<StripedNode> nodes;
    std::map<TensorId, StripedImage> images;
};

/// Cuts the narrowest output of `region` into stripes; nothing if the region has no output, reads
/// one, or would need rows of an earlier stripe again.
std::optional<StripePlan> planStripes(const Graph& graph, std::span<const std::size_t> region,
                                      const StripeForm& form);

/// Rows of the narrowest output of the region; 0: it has none, or reads one.
std::uint32_t narrowestOutput(const Graph& graph, std::span<const std::size_t> region);

}  // namespace vnpu::driver

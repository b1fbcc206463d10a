// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/rewrite/pixel_reads.h"

#include "driver/compiler/plan/cost_model.h"

namespace vnpu::driver {

void readByPixel(Graph& graph) {
    for (const Node& node : graph.nodes) {
        const auto* conv = std::get_if<ConvNode>(&node.work);
        if (conv == nullptr) {
            continue;
        }
        Storage& storage = graph.storages[graph.tensors[conv->input].storage];
        const std::uint32_t pixelBytes =
                conv->geometry.inputChannels * graph.tensors[conv->input].elementBytes();
        if (storage.kind == StorageKind::kInput && pixelBytes < CostModel::kBurstBytes) {
            storage.pixelBytes = pixelBytes;
        }
    }
}

}  // namespace vnpu::driver

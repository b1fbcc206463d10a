// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace vnpu::sim {

/// Frames that fully connected layers take together. source: the sheet, "FC batch size"
inline constexpr std::uint32_t kNvdlaDenseFrames = 16;

/// A row of the spreadsheet behind NVDLA's performance table: a convolution with the pooling that
/// is fused to it, or a fully connected layer. Images are square.
struct NvdlaLayer {
    std::string name;
    std::uint32_t inputSize = 1;      // rows and columns
    std::uint32_t channels = 1;       // that one kernel reads
    std::uint32_t inputChannels = 0;  // of the input, where groups share it; 0: as channels
    std::uint32_t kernels = 1;
    std::uint32_t kernelSize = 1;
    std::uint32_t stride = 1;
    std::uint32_t outputSize = 1;  // of the convolution
    std::uint32_t pooledSize = 1;  // of the written tensor
    bool isFullyConnected = false;
    bool addsElementwise = false;  // adds another tensor to its result
    bool isWinograd = false;       // 16 products instead of 36
    bool hasWideFilters = false;   // transformed in memory: 16 values instead of 9
    bool sharesInput = false;      // a parallel layer has read the same tensor
    bool poolsInput = false;       // pooling before the convolution moves its tensor separately
};

struct NvdlaNetwork {
    std::string name;  // as in the zoo
    std::vector<NvdlaLayer> layers;
    std::array<double, 7> framesPerSecond{};  // by column of the table, recomputed from the sheet
};

/// ResNet-50, AlexNet and GoogLeNet in the form of the sheet.
std::vector<NvdlaNetwork> nvdlaNetworks();

}  // namespace vnpu::sim

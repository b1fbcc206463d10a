// SPDX-License-Identifier: Apache-2.0
// Replaces onednn_peer.cpp if oneDNN is not installed.
#include "tests/bench/onednn_peer.h"

namespace vnpu::bench {

std::string oneDnnVersion() {
    return "";
}

void setOneDnnThreads(int /*threads*/) {}

std::function<void()> makeOneDnnNetwork(const std::vector<ConvLayer>& /*layers*/,
                                        Numeric /*numeric*/) {
    return nullptr;
}

std::function<void()> makeOneDnnGemm(int /*size*/, Numeric /*numeric*/) {
    return nullptr;
}

}  // namespace vnpu::bench

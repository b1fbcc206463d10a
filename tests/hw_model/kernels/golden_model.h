// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

namespace vnpu::test {

/// One tensor of a golden model.
struct GoldenTensor {
    std::string type;
    std::vector<std::uint32_t> shape;
    std::vector<float> scales;
    std::vector<std::int64_t> zeroPoints;
    std::span<const std::byte> constant;  // empty unless it is one

    float scale() const { return scales.at(0); }
    std::int32_t zeroPoint() const { return static_cast<std::int32_t>(zeroPoints.at(0)); }
};

/// A published model with the recorded output of every operator: graph.json lists its operators,
/// the .tflite file holds constants and quantization, golden/layers the recorded values.
class GoldenModel {
  public:
    /// The folder of models beside the sources, or the one that VNPU_SHARED names; empty when there
    /// is none.
    static std::filesystem::path findModels();

    explicit GoldenModel(const std::filesystem::path& folder);

    const nlohmann::json& operators() const { return graph_.at("operators"); }
    const GoldenTensor& tensor(std::size_t index) const { return tensors_.at(index); }
    /// Whether the tensor is a constant or its values are recorded.
    bool hasValues(std::size_t index) const {
        return !tensors_.at(index).constant.empty() || !activationFiles_.at(index).empty();
    }
    /// Recorded bytes of an activation, or the constant.
    std::vector<std::byte> values(std::size_t index) const;

  private:
    void readTensors();
    void findActivations();

    std::filesystem::path folder_;
    nlohmann::json graph_;
    std::vector<std::byte> file_;
    std::vector<GoldenTensor> tensors_;
    std::vector<std::string> activationFiles_;  // by tensor, empty where nothing is recorded
};

}  // namespace vnpu::test

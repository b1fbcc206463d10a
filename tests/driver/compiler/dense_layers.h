// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tests/driver/compiler/model_check.h"

namespace vnpu::driver::test {

/// Dense layers of float vectors, each of which a model may use at several steps. All numbers are
/// small integers, so that sums are exact in any order.
class DenseLayers {
  public:
    static constexpr std::uint32_t kUnits = 64;
    static constexpr std::uint64_t kFilterBytes = std::uint64_t{4} * kUnits * kUnits;

    DenseLayers(ModelBuilder& builder, std::uint32_t seed, int layers)
        : builder_(builder),
          dice_(seed),
          bias_(builder.constant({kFloat, {kUnits}}, Bytes(std::size_t{kUnits} * 4))) {
        for (int layer = 0; layer < layers; ++layer) {
            weights_.push_back(integers(std::size_t{kUnits} * kUnits, 1));
            filters_.push_back(builder.pooled({kFloat, {kUnits, kUnits}}, weights_.back()));
        }
    }

    static TensorSpec vector() { return {kFloat, {1, kUnits}}; }
    Bytes randomVector() { return integers(kUnits, 3); }

    /// Adds a layer to the model, from and to a vector.
    void add(std::size_t layer, std::uint32_t from, std::uint32_t to) {
        builder_.operation(OperationType::FULLY_CONNECTED,
                           {from, filters_[layer], bias_, builder_.int32(0)}, to);
    }

    /// What the layer computes.
    Values resultOf(std::size_t layer, const Values& from) const {
        return vnpu::test::convolve({1, 1, kUnits}, from, {}, centered(weights_[layer], kFloat, 0),
                                    {1, 1, kUnits});
    }

  private:
    Bytes integers(std::size_t count, int reach) {
        std::vector<float> values(count);
        for (float& value : values) {
            value = static_cast<float>(dice_.pick(-reach, reach));
        }
        return bytesOf(values);
    }

    ModelBuilder& builder_;
    Dice dice_;
    std::uint32_t bias_;
    std::vector<Bytes> weights_;
    std::vector<std::uint32_t> filters_;
};

/// Dense layers one after the other, all with the same weights.
struct Recurrence {
    Recurrence(std::uint32_t seed, int steps) {
        DenseLayers layers(builder, seed, 1);
        input = layers.randomVector();
        std::uint32_t state = builder.input(DenseLayers::vector());
        Values values = centered(input, kFloat, 0);
        for (int step = 0; step < steps; ++step) {
            const bool isLast = step + 1 == steps;
            const std::uint32_t next = isLast ? builder.output(DenseLayers::vector())
                                              : builder.temporary(DenseLayers::vector());
            layers.add(0, state, next);
            state = next;
            values = layers.resultOf(0, values);
        }
        expected = store(values, {kFloat}, 1.0);
    }

    /// Bytes of memory that the steps move on a device with this SRAM.
    std::uint64_t bytesWith(std::uint64_t sramBytes) const {
        DeviceInfo device = edgeDevice();
        device.sramBytes = sramBytes;
        return movedBytes(builder, device);
    }

    ModelBuilder builder;
    Bytes input, expected;
};

}  // namespace vnpu::driver::test

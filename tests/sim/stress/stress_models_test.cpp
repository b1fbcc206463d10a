// SPDX-License-Identifier: Apache-2.0
#include "sim/models/stress_models.h"

#include <doctest/doctest.h>

#include <cstring>

namespace {

using namespace vnpu::sim;

std::vector<std::byte> bytesOf(const std::vector<float>& values) {
    std::vector<std::byte> bytes(values.size() * sizeof(float));
    std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
}

const StressModel& named(const std::vector<StressModel>& models, const std::string& name) {
    for (const StressModel& model : models) {
        if (model.network.name == name) {
            return model;
        }
    }
    FAIL("no model ", name);
    return models.front();
}

}  // namespace

TEST_SUITE_BEGIN("sim/stress/stress_models");

TEST_CASE("the expected outputs follow the operations' definitions [E-2]") {
    const auto models = makeStressModels();
    const auto a = bytesOf({-1.0F, 0.0F, 2.0F});
    const auto b = bytesOf({5.0F, -7.0F, 2.5F});
    CHECK(named(models, "relu").expected(a, a) == bytesOf({0.0F, 0.0F, 2.0F}));
    CHECK(named(models, "add").expected(a, b) == bytesOf({4.0F, -7.0F, 4.5F}));
    const std::vector<std::byte> quant{std::byte{0}, std::byte{127}, std::byte{128},
                                       std::byte{255}};
    CHECK(named(models, "quant_relu").expected(quant, quant) ==
          std::vector<std::byte>{std::byte{128}, std::byte{128}, std::byte{128}, std::byte{255}});
}

TEST_CASE("inputs differ by seed and fill the tensor [E-2]") {
    for (const StressModel& model : makeStressModels()) {
        CAPTURE(model.network.name);
        CHECK(stressInput(model, 1).size() == model.network.inputs[0].sizeBytes);
        CHECK(stressInput(model, 1) == stressInput(model, 1));
        CHECK(stressInput(model, 1) != stressInput(model, 2));
    }
}

TEST_SUITE_END();

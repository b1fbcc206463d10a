// SPDX-License-Identifier: Apache-2.0
#include "tests/integration/supported_examples.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "sim/config/load_config.h"
#include "sim/conform/conformance.h"
#include "sim/conform/hal_session.h"
#include "sim/conform/vector_model.h"
#include "tests/support/sim_case.h"
#include "tests/support/source_folder.h"

namespace vnpu::test {

namespace {

constexpr std::size_t kExamples = 6747;  // all that are not expected to fail

bool isSupported(sim::ClientContext& context, const sim::nn::Model& model) {
    const auto answer = sim::openHalSession(context, driver::HalVersion::k13)->askSupport(model);
    return answer.status == sim::nn::ErrorStatus::NONE &&
           std::find(answer.operations.begin(), answer.operations.end(), false) ==
                   answer.operations.end();
}

}  // namespace

void onDevice(const hw::NpuConfig& config, const std::function<void(sim::ClientContext&)>& body) {
    simCase([&] {
        sim::Platform platform({.config = config});
        platform.addClient("test", 10001, body);
        platform.run();
    });
}

void onEdge(const std::function<void(sim::ClientContext&)>& body) {
    onDevice(sim::loadConfig("edge"), body);
}

void onSupportedExamples(
        const std::function<void(sim::ClientContext& context, const sim::Example& example,
                                 const sim::nn::Model& model)>& body) {
    const auto folder = sharedFolder() / "nnapi_vectors";
    if (!std::filesystem::exists(folder)) {
        MESSAGE("skipped: no vectors in ", folder.string(), " (VNPU_SHARED)");
        return;
    }
    onEdge([&](sim::ClientContext& context) {
        std::size_t examples = 0;
        for (const std::string& path : sim::findVectorFiles(folder.string())) {
            for (const sim::Example& example : sim::readVectorFile(path).examples) {
                const sim::nn::Model model = sim::makeModel(example);
                if (!example.expectsFailure && isSupported(context, model)) {
                    CAPTURE(example.name);
                    body(context, example, model);
                    ++examples;
                }
            }
        }
        CHECK(examples == kExamples);
    });
}

}  // namespace vnpu::test

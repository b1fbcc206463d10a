// SPDX-License-Identifier: Apache-2.0
#include <android/NeuralNetworks.h>

#include <algorithm>
#include <span>

#include "sim/ndk/c_interface/handles.h"
#include "sim/ndk/c_interface/lists.h"
#include "sim/ndk/compute/device_list.h"

using namespace vnpu::sim::ndk;  // NOLINT(google-build-using-namespace): only C functions follow

namespace {

Result<std::shared_ptr<Compilation>> compilationOf(const Model& model, Compilation::Devices chosen,
                                                   bool areChosen) {
    if (model.finished() == nullptr) {
        return badState("model is not finished");
    }
    return std::make_shared<Compilation>(model.finished(), std::move(chosen), areChosen);
}

}  // namespace

int ANeuralNetworksCompilation_create(ANeuralNetworksModel* model,
                                      ANeuralNetworksCompilation** compilation) {
    return answerCreation(__func__, {model}, compilation,
                          [&] { return compilationOf(*objectOf(model), devices(), false); });
}

int ANeuralNetworksCompilation_createForDevices(ANeuralNetworksModel* model,
                                                const ANeuralNetworksDevice* const* devices,
                                                uint32_t numDevices,
                                                ANeuralNetworksCompilation** compilation) {
    return answerCreation(__func__, {model, devices}, compilation,
                          [&]() -> Result<std::shared_ptr<Compilation>> {
                              VNPU_TRY_ASSIGN(auto chosen, devicesFrom(devices, numDevices));
                              return compilationOf(*objectOf(model), std::move(chosen), true);
                          });
}

void ANeuralNetworksCompilation_free(ANeuralNetworksCompilation* compilation) {
    freeHandle(compilation);
}

int ANeuralNetworksCompilation_setPreference(ANeuralNetworksCompilation* compilation,
                                             int32_t preference) {
    return answer(__func__, {compilation},
                  [&] { return objectOf(compilation)->setPreference(preference); });
}

int ANeuralNetworksCompilation_setCaching(ANeuralNetworksCompilation* compilation,
                                          const char* cacheDir, const uint8_t* token) {
    return answer(__func__, {compilation, cacheDir, token}, [&] {
        Compilation::CacheToken copy{};
        std::copy_n(token, copy.size(), copy.begin());
        return objectOf(compilation)->setCaching(cacheDir, copy);
    });
}

int ANeuralNetworksCompilation_setPriority(ANeuralNetworksCompilation* compilation, int priority) {
    return answer(__func__, {compilation},
                  [&] { return objectOf(compilation)->setPriority(priority); });
}

int ANeuralNetworksCompilation_setTimeout(ANeuralNetworksCompilation* compilation,
                                          uint64_t duration) {
    return answer(__func__, {compilation},
                  [&] { return objectOf(compilation)->setTimeout(nanosecondsOf(duration)); });
}

int ANeuralNetworksCompilation_finish(ANeuralNetworksCompilation* compilation) {
    return answer(__func__, {compilation}, [&] { return objectOf(compilation)->finish(); });
}

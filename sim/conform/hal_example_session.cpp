// SPDX-License-Identifier: Apache-2.0
#include <android/hardware/neuralnetworks/1.3/IBuffer.h>
#include <fmt/format.h>

#include <map>
#include <utility>

#include "sim/client/device_calls.h"
#include "sim/conform/cache_files.h"
#include "sim/conform/example_session.h"

namespace vnpu::sim {

namespace {

using android::sp;
using android::hardware::hidl_memory;
using android::hardware::hidl_vec;

constexpr nn::ErrorStatus kNoCopy = nn::ErrorStatus::GENERAL_FAILURE;

/// Buffers of IDevice::allocate, without a description.
class HalBuffers : public RoleBuffers {
  public:
    HalBuffers(ClientContext& context, sp<nn::IPreparedModel> preparedModel)
        : context_(context), preparedModel_(std::move(preparedModel)) {}

    tl::expected<std::uint32_t, std::string> allocate(ArgumentRole role,
                                                      std::uint32_t index) override {
        const hidl_vec<nn::BufferRole> own{
                nn::BufferRole{.modelIndex = 0, .ioIndex = index, .frequency = 1.0F}};
        const hidl_vec<nn::BufferRole> none;
        const bool isInput = role == ArgumentRole::kInput;
        const AllocateResult answer = allocateBuffer(context_, {preparedModel_},
                                                     isInput ? own : none, isInput ? none : own);
        if (answer.status != nn::ErrorStatus::NONE || answer.buffer == nullptr ||
            answer.token == 0) {
            return tl::unexpected(fmt::format("{}, token {}, expected NONE and a buffer",
                                              nameOf(answer.status), answer.token));
        }
        buffers_[answer.token] = answer.buffer;
        return answer.token;
    }
    nn::ErrorStatus copyFrom(const hidl_memory& memory, std::uint32_t token) override {
        return buffers_.at(token)->copyFrom(memory, {}).withDefault(kNoCopy);
    }
    nn::ErrorStatus copyTo(const hidl_memory& memory, std::uint32_t token) override {
        return buffers_.at(token)->copyTo(memory).withDefault(kNoCopy);
    }

  private:
    ClientContext& context_;
    const sp<nn::IPreparedModel> preparedModel_;
    std::map<std::uint32_t, sp<nn::IBuffer>> buffers_;
};

class HalExampleSession : public ExampleSession {
  public:
    HalExampleSession(ClientContext& context, const Flavor& flavor)
        : context_(context),
          isCached_(flavor.isCached),
          session_(openHalSession(context, flavor.hal)) {}

    SupportAnswer askSupport(const nn::Model& model) override {
        return session_->askSupport(model);
    }
    std::string prepare(const nn::Model& model) override {
        const CacheHandles files = isCached_ ? createCacheFiles(context_) : CacheHandles{};
        nn::ErrorStatus status = session_->prepare(model, files);
        if (status != nn::ErrorStatus::NONE) {
            return fmt::format("preparation: {}, expected NONE", nameOf(status));
        }
        if (isCached_ && files.model.size() + files.data.size() == 0) {
            return "device asks for no cache files, expected some";
        }
        if (isCached_) {
            status = session_->prepareFromCache(files);
        }
        return status == nn::ErrorStatus::NONE
                       ? ""
                       : fmt::format("preparation from the cache: {}, expected NONE",
                                     nameOf(status));
    }
    CallResult execute(const nn::Request& request, const ExecutionOptions& options) override {
        return session_->execute(request, options);
    }
    std::unique_ptr<RoleBuffers> createBuffers() override {
        return std::make_unique<HalBuffers>(context_, session_->preparedModel());
    }

  private:
    ClientContext& context_;
    const bool isCached_;
    const std::unique_ptr<HalSession> session_;
};

}  // namespace

OpenSession halSessions(ClientContext& context) {
    return [&context](const Flavor& flavor) {
        return std::make_unique<HalExampleSession>(context, flavor);
    };
}

}  // namespace vnpu::sim

// SPDX-License-Identifier: Apache-2.0
#include "sim/conform/ndk_model.h"

#include <utility>

#include "driver/result.h"

namespace vnpu::sim {

namespace {

using Done = tl::expected<void, NdkFailure>;

tl::unexpected<NdkFailure> badData(const char* what) {
    return tl::unexpected(NdkFailure{what, ANEURALNETWORKS_BAD_DATA});
}

}  // namespace

/// Builds one model after the other, those that are referred to first.
struct NdkModel::Builder {
    const NdkFunctions& ndk;
    const nn::Model& source;
    const bool usesPointers;
    NdkModel& result;
    std::vector<ANeuralNetworksModel*> referenced{};  // null: not built yet
    std::size_t depth = 0;                            // of models being built

    Done addPools() {
        for (const auto& pool : source.pools) {
            auto memory = createNdkMemory(ndk, pool);
            if (!memory) {
                return tl::unexpected(memory.error());
            }
            result.pools_.push_back(std::move(*memory));
            auto mapped = hal::MappedPool::create(pool);
            if (!mapped) {
                return badData("pool of constants");
            }
            result.mapped_.push_back(std::move(*mapped));
        }
        return {};
    }

    tl::expected<ANeuralNetworksModel*, NdkFailure> build(const nn::Subgraph& graph) {
        if (++depth > source.referenced.size() + 1) {
            return badData("subgraphs in a cycle");
        }
        ANeuralNetworksModel* model = nullptr;
        VNPU_TRY(succeed("Model_create", ndk.modelCreate(&model)));
        NdkHandle<ANeuralNetworksModel> owned(model, ndk.modelFree);
        for (std::size_t i = 0; i < graph.operands.size(); ++i) {
            VNPU_TRY(addOperand(model, static_cast<std::int32_t>(i), graph.operands[i]));
        }
        for (const nn::Operation& operation : graph.operations) {
            VNPU_TRY(succeed(
                    "Model_addOperation",
                    ndk.modelAddOperation(model,
                                          static_cast<ANeuralNetworksOperationType>(operation.type),
                                          static_cast<std::uint32_t>(operation.inputs.size()),
                                          operation.inputs.data(),
                                          static_cast<std::uint32_t>(operation.outputs.size()),
                                          operation.outputs.data())));
        }
        VNPU_TRY(finish(model, graph));
        result.models_.push_back(std::move(owned));
        --depth;
        return model;
    }

    Done finish(ANeuralNetworksModel* model, const nn::Subgraph& graph) const {
        VNPU_TRY(succeed("Model_identifyInputsAndOutputs",
                         ndk.modelIdentifyInputsAndOutputs(
                                 model, static_cast<std::uint32_t>(graph.inputIndexes.size()),
                                 graph.inputIndexes.data(),
                                 static_cast<std::uint32_t>(graph.outputIndexes.size()),
                                 graph.outputIndexes.data())));
        VNPU_TRY(succeed("Model_relaxComputationFloat32toFloat16",
                         ndk.modelRelaxComputationFloat32toFloat16(
                                 model, source.relaxComputationFloat32toFloat16)));
        return succeed("Model_finish", ndk.modelFinish(model));
    }

    Done addOperand(ANeuralNetworksModel* model, std::int32_t index, const nn::Operand& operand) {
        const ANeuralNetworksOperandType type = {
                static_cast<std::int32_t>(operand.type),
                static_cast<std::uint32_t>(operand.dimensions.size()), operand.dimensions.data(),
                operand.scale, operand.zeroPoint};
        VNPU_TRY(succeed("Model_addOperand", ndk.modelAddOperand(model, &type)));
        using Extra = nn12::Operand::ExtraParams::hidl_discriminator;
        if (operand.extraParams.getDiscriminator() == Extra::channelQuant) {
            const auto& quant = operand.extraParams.channelQuant();
            const ANeuralNetworksSymmPerChannelQuantParams parameters = {
                    quant.channelDim, static_cast<std::uint32_t>(quant.scales.size()),
                    quant.scales.data()};
            VNPU_TRY(succeed(
                    "Model_setOperandSymmPerChannelQuantParams",
                    ndk.modelSetOperandSymmPerChannelQuantParams(model, index, &parameters)));
        }
        return setValue(model, index, operand);
    }

    Done setValue(ANeuralNetworksModel* model, std::int32_t index, const nn::Operand& operand) {
        const auto& at = operand.location;
        switch (operand.lifetime) {
            case nn::OperandLifeTime::CONSTANT_COPY:
                return setBytes(model, index, source.operandValues.data() + at.offset, at.length);
            case nn::OperandLifeTime::CONSTANT_REFERENCE:
                if (usesPointers) {
                    return setBytes(model, index, result.mapped_[at.poolIndex].data() + at.offset,
                                    at.length);
                }
                return succeed("Model_setOperandValueFromMemory",
                               ndk.modelSetOperandValueFromMemory(model, index,
                                                                  result.pools_[at.poolIndex].get(),
                                                                  at.offset, at.length));
            case nn::OperandLifeTime::NO_VALUE:
                return setBytes(model, index, nullptr, 0);
            case nn::OperandLifeTime::SUBGRAPH:
                return refer(model, index, at.offset);
            default:
                return {};
        }
    }

    Done setBytes(ANeuralNetworksModel* model, std::int32_t index, const void* bytes,
                  std::size_t length) const {
        return succeed("Model_setOperandValue",
                       ndk.modelSetOperandValue(model, index, bytes, length));
    }

    Done refer(ANeuralNetworksModel* model, std::int32_t index, std::uint32_t subgraph) {
        if (subgraph >= referenced.size()) {
            return badData("subgraph");
        }
        if (referenced[subgraph] == nullptr) {
            VNPU_TRY_ASSIGN(referenced[subgraph], build(source.referenced[subgraph]));
        }
        return succeed("Model_setOperandValueFromModel",
                       ndk.modelSetOperandValueFromModel(model, index, referenced[subgraph]));
    }
};

NdkModel::~NdkModel() {
    // A model ends before those that it refers to, which were built earlier.
    while (!models_.empty()) {
        models_.pop_back();
    }
}

tl::expected<std::unique_ptr<NdkModel>, NdkFailure> NdkModel::build(const NdkFunctions& ndk,
                                                                    const nn::Model& model,
                                                                    bool usesPointers) {
    std::unique_ptr<NdkModel> result(new NdkModel);
    Builder builder{ndk, model, usesPointers, *result};
    builder.referenced.resize(model.referenced.size());
    VNPU_TRY(builder.addPools());
    VNPU_TRY_ASSIGN(result->main_, builder.build(model.main));
    return result;
}

}  // namespace vnpu::sim

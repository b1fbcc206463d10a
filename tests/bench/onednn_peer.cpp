// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/onednn_peer.h"

#include <cstddef>
#include <cstring>
#include <memory>
#include <oneapi/dnnl/dnnl.hpp>
#include <unordered_map>

#include "tests/bench/pattern.h"

// From libgomp, which Debian's oneDNN uses.
extern "C" void omp_set_num_threads(int);  // NOLINT(readability-identifier-naming)

namespace vnpu::bench {
namespace {

using Type = dnnl::memory::data_type;
using Tag = dnnl::memory::format_tag;

dnnl::memory::desc anyLayout(const dnnl::memory::dims& dims, Type type) {
    return {dims, type, Tag::any};
}

dnnl::memory filled(const dnnl::memory::desc& desc, const dnnl::engine& engine,
                    float reach = 1.0F) {
    dnnl::memory memory(desc, engine);
    auto* bytes = static_cast<std::byte*>(memory.get_data_handle());
    const bool isFloat = desc.data_type() == Type::f32;
    Pattern pattern;
    for (std::size_t i = 0; i < desc.get_size(); i += isFloat ? sizeof(float) : 1) {
        if (isFloat) {
            const float value = pattern.nextFloat() * reach;
            std::memcpy(bytes + i, &value, sizeof(value));
        } else {
            bytes[i] = pattern.nextByte();
        }
    }
    return memory;
}

class Network {
  public:
    Network(const std::vector<ConvLayer>& layers, Numeric numeric)
        : engine_(dnnl::engine::kind::cpu, 0), stream_(engine_), numeric_(numeric) {
        for (const ConvLayer& layer : layers) {
            add(layer);
        }
    }

    void run() {
        for (auto& [primitive, arguments] : steps_) {
            primitive.execute(stream_, arguments);
        }
        stream_.wait();
    }

  private:
    struct Step {
        dnnl::convolution_forward primitive;
        std::unordered_map<int, dnnl::memory> arguments;
    };

    dnnl::primitive_attr attributes(std::uint32_t channels) const {
        dnnl::primitive_attr attributes;
        if (numeric_ == Numeric::kInt8) {
            // Results below zero saturate at zero, which gives the ReLU at no cost.
            attributes.set_output_scales(1 << 1, std::vector<float>(channels, 0x1p-9F));
        } else {
            dnnl::post_ops relu;
            relu.append_eltwise(1.0F, dnnl::algorithm::eltwise_relu, 0.0F, 0.0F);
            attributes.set_post_ops(relu);
        }
        return attributes;
    }

    dnnl::convolution_forward::primitive_desc describe(const ConvLayer& l) const {
        const bool isInt8 = numeric_ == Numeric::kInt8;
        const Type activation = isInt8 ? Type::u8 : Type::f32;
        const dnnl::memory::dim in = l.inputChannels;
        const dnnl::memory::dim out = l.outputChannels;
        const dnnl::memory::dim k = l.filter;
        const dnnl::memory::dims weights = l.isDepthwise ? dnnl::memory::dims{out, 1, 1, k, k}
                                                         : dnnl::memory::dims{out, in, k, k};
        const dnnl::memory::dim before = l.padding;
        const dnnl::memory::dim after =
                dnnl::memory::dim{l.outputSize - 1} * l.stride + k - l.inputSize - before;
        const dnnl::convolution_forward::desc desc(
                dnnl::prop_kind::forward_inference, dnnl::algorithm::convolution_direct,
                anyLayout({1, in, l.inputSize, l.inputSize}, activation),
                anyLayout(weights, isInt8 ? Type::s8 : Type::f32),
                anyLayout({out}, isInt8 ? Type::s32 : Type::f32),
                anyLayout({1, out, l.outputSize, l.outputSize}, activation), {l.stride, l.stride},
                {before, before}, {after, after});
        return {desc, attributes(l.outputChannels), engine_};
    }

    // A layer reads the output of its predecessor if shape and layout match.
    void add(const ConvLayer& layer) {
        const auto desc = describe(layer);
        const bool follows = !steps_.empty() &&
                             steps_.back().arguments.at(DNNL_ARG_DST).get_desc() == desc.src_desc();
        const dnnl::memory source = follows ? steps_.back().arguments.at(DNNL_ARG_DST)
                                            : filled(desc.src_desc(), engine_);
        const float reach = reachOfWeights(layer.taps());
        steps_.push_back({dnnl::convolution_forward(desc),
                          {{DNNL_ARG_SRC, source},
                           {DNNL_ARG_WEIGHTS, filled(desc.weights_desc(), engine_, reach)},
                           {DNNL_ARG_BIAS, filled(desc.bias_desc(), engine_)},
                           {DNNL_ARG_DST, filled(desc.dst_desc(), engine_)}}});
    }

    dnnl::engine engine_;
    dnnl::stream stream_;
    Numeric numeric_;
    std::vector<Step> steps_;
};

}  // namespace

std::string oneDnnVersion() {
    const dnnl_version_t* version = dnnl_version();
    return std::to_string(version->major) + "." + std::to_string(version->minor) + "." +
           std::to_string(version->patch);
}

void setOneDnnThreads(int threads) {
    omp_set_num_threads(threads);
}

std::function<void()> makeOneDnnNetwork(const std::vector<ConvLayer>& layers, Numeric numeric) {
    return [network = std::make_shared<Network>(layers, numeric)] { network->run(); };
}

std::function<void()> makeOneDnnGemm(int size, Numeric numeric) {
    const auto count = static_cast<std::size_t>(size) * static_cast<std::size_t>(size);
    if (numeric == Numeric::kFloat32) {
        return [size, left = std::vector<float>(count, 1.0F),
                right = std::vector<float>(count, 1.0F),
                result = std::vector<float>(count)]() mutable {
            dnnl_sgemm('N', 'N', size, size, size, 1.0F, left.data(), size, right.data(), size,
                       0.0F, result.data(), size);
        };
    }
    return [size, left = std::vector<std::uint8_t>(count, 1),
            right = std::vector<std::int8_t>(count, 1),
            result = std::vector<std::int32_t>(count)]() mutable {
        const std::int32_t offset = 0;
        dnnl_gemm_u8s8s32('N', 'N', 'F', size, size, size, 1.0F, left.data(), size, 0, right.data(),
                          size, 0, 0.0F, result.data(), size, &offset);
    };
}

}  // namespace vnpu::bench

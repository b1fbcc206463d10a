// SPDX-License-Identifier: Apache-2.0
#include "sim/client/request_pool.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "hw_model/regs/rounding.h"

namespace vnpu::sim {

RequestPool RequestPool::create(std::span<const std::uint64_t> sizes, std::uint32_t alignment,
                                PoolKind kind) {
    std::vector<nn10::DataLocation> locations;
    std::uint64_t end = 0;
    for (const std::uint64_t size : sizes) {
        const std::uint64_t offset = hw::roundUp(end, alignment);
        constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
        if (size > kMost || offset + size > kMost) {
            throw std::runtime_error(fmt::format(
                    "arguments of {} bytes and more, an NNAPI pool holds less than 2^32", size));
        }
        locations.push_back(
                {0, static_cast<std::uint32_t>(offset), static_cast<std::uint32_t>(size)});
        end = offset + size;
    }
    auto memory = createPoolMemory(kind, std::max<std::uint64_t>(end, 1));
    auto pool = hal::MappedPool::create(memory);
    if (!pool) {
        throw std::runtime_error(fmt::format("request pool: {}", pool.error()));
    }
    return {std::move(memory), std::move(*pool), std::move(locations)};
}

nn10::RequestArgument RequestPool::requestArgument(std::size_t index,
                                                   std::uint32_t poolIndex) const {
    nn10::RequestArgument argument;
    argument.location = locations_[index];
    argument.location.poolIndex = poolIndex;
    return argument;
}

namespace {

nn::Request::MemoryPool& lastPool(nn::Request& request) {
    return request.pools[request.pools.size() - 1];
}

}  // namespace

std::uint32_t appendPool(nn::Request& request, const android::hardware::hidl_memory& memory) {
    request.pools.resize(request.pools.size() + 1);
    lastPool(request).hidlMemory(memory);
    return static_cast<std::uint32_t>(request.pools.size() - 1);
}

std::uint32_t appendPool(nn::Request& request, std::uint32_t token) {
    request.pools.resize(request.pools.size() + 1);
    lastPool(request).token(token);
    return static_cast<std::uint32_t>(request.pools.size() - 1);
}

nn::Request makeRequest(const RequestPool& inputs, std::size_t inputCount,
                        const RequestPool& outputs, std::size_t outputCount) {
    nn::Request request;
    request.inputs.resize(inputCount);
    for (std::size_t i = 0; i < inputCount; ++i) {
        request.inputs[i] = inputs.requestArgument(i, 0);
    }
    request.outputs.resize(outputCount);
    for (std::size_t i = 0; i < outputCount; ++i) {
        request.outputs[i] = outputs.requestArgument(i, 1);
    }
    appendPool(request, inputs.memory());
    appendPool(request, outputs.memory());
    return request;
}

}  // namespace vnpu::sim

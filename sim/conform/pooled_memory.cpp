// SPDX-License-Identifier: Apache-2.0
#include "sim/conform/example_memory.h"

namespace vnpu::sim {

namespace {

class PooledMemory : public ExampleMemory {
  public:
    PooledMemory(const Example& example, PoolKind kind, OutputRoom room)
        : request_(example, kind, room) {}

    const nn::Request& request() const override { return request_.request(); }
    tl::expected<std::vector<std::byte>, std::string> output(std::size_t index) const override {
        const auto bytes = request_.output(index);
        return std::vector<std::byte>(bytes.begin(), bytes.end());
    }
    std::string findDamage() const override { return request_.findStrayByte(); }

  private:
    ExampleRequest request_;
};

}  // namespace

std::unique_ptr<ExampleMemory> placeInPools(const Example& example, PoolKind kind,
                                            OutputRoom room) {
    return std::make_unique<PooledMemory>(example, kind, room);
}

}  // namespace vnpu::sim

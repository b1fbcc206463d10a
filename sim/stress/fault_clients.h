// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sim/base/random.h"
#include "sim/client/model_runner.h"
#include "sim/models/network.h"
#include "sim/platform/platform.h"

namespace vnpu::sim {

/// State that the clients of a fault run share. Simulation thread.
struct FaultWork {
    std::vector<Network> networks;
    bool isOver = false;      // the last fault has been judged
    std::uint32_t ready = 0;  // clients that know their correct outputs
    std::uint64_t executions = 0;
    std::uint64_t failures = 0;      // GENERAL_FAILURE
    std::uint64_t afterwards = 0;    // correct executions after the last fault
    std::vector<std::string> wrong;  // outputs that changed, unexpected answers
};

/// One app. Executes every network undisturbed to get its correct outputs, then random networks
/// until the last fault is judged, then each network once more. Compares the outputs of all
/// successful executions.
class FaultClient {
  public:
    FaultClient(FaultWork& work, std::uint64_t seed) : work_(work), random_(seed) {}

    void run(ClientContext& context);

    static constexpr std::uint32_t kInputs = 3;  // of each network

  private:
    struct Model {
        std::unique_ptr<ModelRunner> runner;
        std::vector<std::uint64_t> hashes;  // of the outputs, by input
    };

    std::uint64_t below(std::uint64_t limit) { return random_.next() % limit; }
    void prepare(ClientContext& context, std::size_t network);
    /// The hash of the outputs, or nothing if the call failed, which is allowed.
    bool execute(ClientContext& context, std::size_t network, std::uint32_t input,
                 std::uint64_t& hash);
    void check(ClientContext& context, std::size_t network, std::uint32_t input);
    void fault(ClientContext& context, const std::string& what);

    FaultWork& work_;
    Random random_;
    std::vector<Model> models_;
};

}  // namespace vnpu::sim

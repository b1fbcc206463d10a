// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.3/IBuffer.h>
#include <android/hardware/neuralnetworks/1.3/IDevice.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sim/base/random.h"
#include "sim/client/device_calls.h"
#include "sim/models/stress_models.h"
#include "sim/stress/object_table.h"

namespace vnpu::sim {

struct StressPrepared {
    android::sp<nn::IPreparedModel> model;
    const StressModel* kind = nullptr;
};

/// A buffer for input 0 and output 0 of `owner`.
struct StressBuffer {
    android::sp<nn::IBuffer> buffer;
    std::uint32_t token = 0;
    StressPrepared owner;
};

/// Objects that several clients use at the same time.
struct StressObjects {
    static constexpr std::size_t kPlaces = 4;

    ObjectTable<StressPrepared, kPlaces> models;
    ObjectTable<StressBuffer, kPlaces> buffers;
};

/// The answers to all calls.
struct StressTally {
    std::map<std::string, std::map<std::string, std::uint64_t>> calls;  // kind, then status
    std::vector<std::string> errors;  // the first few unexpected answers
    std::uint64_t errorCount = 0;

    void add(const StressTally& other);
};

/// One thread's share of the stress: calls of every kind on its own and on shared objects, selected
/// by a seed, with a check of each answer. Own thread.
class StressClient {
  public:
    StressClient(ClientContext& context, const std::vector<StressModel>& models,
                 StressObjects& shared, std::uint64_t seed);

    /// Makes one call, or a few related ones.
    void step();
    const StressTally& tally() const { return tally_; }

  private:
    using Allowed = std::initializer_list<nn::ErrorStatus>;

    std::uint64_t below(std::uint64_t limit) { return random_.next() % limit; }
    StressObjects& anyObjects() { return below(2) == 0 ? own_ : shared_; }
    std::size_t anyPlace() { return below(StressObjects::kPlaces); }
    StressPrepared pickModel();
    StressBuffer pickBuffer();
    ExecutionPath pickPath();
    /// Counts an answer, and records an error if it is not among `allowed`.
    void note(const std::string& call, nn::ErrorStatus status, Allowed allowed);
    void fault(const std::string& what);

    void prepare();
    void execute();
    void executeTooLate();
    void executeThroughBuffer();
    void allocate();
    void copy();
    void drop();
    void ask();
    void badPreparation();
    void badExecution();
    void badAllocation();
    void badCopy();

    nn::ErrorStatus runWith(const StressPrepared& prepared, const nn::Request& request,
                            const ExecutionOptions& options);

    ClientContext& context_;
    const std::vector<StressModel>& models_;
    StressObjects& shared_;
    StressObjects own_;
    Random random_;
    StressTally tally_;
};

}  // namespace vnpu::sim

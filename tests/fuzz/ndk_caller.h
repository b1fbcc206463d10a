// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "sim/base/scratch_folder.h"
#include "sim/ndk_client/ndk_library.h"
#include "tests/fuzz/byte_source.h"
#include "tests/fuzz/target.h"

namespace vnpu::fuzz {

inline constexpr std::size_t kMostNdkObjects = 8;           // of a kind
inline constexpr std::size_t kNdkFileBytes = 4096;          // of the file behind memories
inline constexpr std::uint64_t kLoopTimeoutNs = 2'000'000;  // chosen: short, as many do not end

/// The functions of the library under test.
const sim::NdkFunctions& ndkUnderTest();

/// Objects of one kind, freed at the end.
template <typename T>
class Objects {
  public:
    explicit Objects(void (*free)(T*)) : free_(free) {}
    ~Objects() { clear(); }
    Objects(const Objects&) = delete;
    Objects& operator=(const Objects&) = delete;

    bool isFull() const { return objects_.size() >= kMostNdkObjects; }
    void add(T* object) {
        if (object != nullptr) {
            objects_.push_back(object);
        }
    }
    /// The one that was made last; null if there is none.
    T* newest() const { return objects_.empty() ? nullptr : objects_.back(); }
    /// A random object; sometimes null, always if there are no objects.
    T* choose(ByteSource& source) const {
        const std::size_t chosen = source.below(16);
        return chosen == 15 || objects_.empty() ? nullptr : objects_[chosen % objects_.size()];
    }
    /// Lets an object exist until all others are freed, because others refer to it in place.
    void keep(T* object) { kept_.insert(object); }
    void freeOne(ByteSource& source) {
        if (objects_.empty()) {
            return;
        }
        const auto at =
                objects_.begin() + static_cast<std::ptrdiff_t>(source.below(objects_.size()));
        if (kept_.count(*at) == 0) {
            free_(*at);
            objects_.erase(at);
        }
    }
    const std::vector<T*>& all() const { return objects_; }
    void clear() {
        for (T* object : objects_) {
            free_(object);
        }
        objects_.clear();
    }

  private:
    void (*const free_)(T*);
    std::vector<T*> objects_;
    std::set<T*> kept_;
};

/// A caller of NNAPI's C interface that does what the bytes say: functions, objects that exist,
/// null and values are theirs. Only what the interface demands of its callers is kept: objects
/// exist while they are used, and buffers are as long as said.
class NdkCaller {
  public:
    explicit NdkCaller(std::span<const std::uint8_t> input) : in_(input) {}
    NdkCaller(const NdkCaller&) = delete;
    NdkCaller& operator=(const NdkCaller&) = delete;

    /// Makes a limited number of calls, then requires that a valid model still gives its values.
    /// Frees all objects at the end of this one's lifetime.
    void run();

  private:
    using Step = void (NdkCaller::*)();

    static int known(int code) {
        require(code >= 0 && code <= ANEURALNETWORKS_DEAD_OBJECT, "a result that is no ResultCode");
        return code;
    }
    /// Calls `create` with a place for an object and keeps what it makes.
    template <typename T, typename Create>
    void make(Objects<T>& objects, Create create) {
        if (objects.isFull()) {
            return;
        }
        if (in_.below(32) == 0) {
            require(known(create(static_cast<T**>(nullptr))) != ANEURALNETWORKS_NO_ERROR,
                    "success without a place for the object");
            return;
        }
        T* const before = reinterpret_cast<T*>(this);  // no object: a failure must overwrite it
        T* made = before;
        const int code = known(create(&made));
        require(made != before, "the place of the object is left as it was");
        require((code == ANEURALNETWORKS_NO_ERROR) == (made != nullptr),
                "an object without success, or success without an object");
        objects.add(made);
    }

    ANeuralNetworksDevice* device() {
        ANeuralNetworksDevice* found = nullptr;
        std::uint32_t count = 0;
        ndk_.getDeviceCount(&count);
        ndk_.getDevice(static_cast<std::uint32_t>(in_.below(count + 1U)), &found);
        return found;
    }
    /// A small number, sometimes negative or huge.
    std::int32_t number(std::size_t limit = 8) {
        switch (in_.below(24)) {
            case 0:
                return -1;
            case 1:
                return in_.number<std::int32_t>();
            default:
                return static_cast<std::int32_t>(in_.below(limit));
        }
    }
    std::vector<std::uint32_t> indexes() {
        std::vector<std::uint32_t> list(in_.below(5));
        for (std::uint32_t& index : list) {
            index = static_cast<std::uint32_t>(number());
        }
        return list;
    }
    /// Memory of the caller that exists until the end: new, or now and then that of an earlier
    /// call, exactly `length` bytes long. Null for length 0.
    std::uint8_t* bytes(std::size_t length);
    /// What a call is given as buffer.
    struct Buffer {
        std::uint8_t* data = nullptr;  // sometimes null although `length` is not 0
        std::size_t length = 0;
    };
    Buffer buffer() {
        constexpr std::array<std::size_t, 8> kLengths = {0, 1, 4, 8, 16, 24, 64, 256};
        const std::size_t length = kLengths[in_.below(kLengths.size())];
        return {in_.below(16) == 0 ? nullptr : bytes(length), length};
    }
    /// An operand type whose dimensions are in dimensions_.
    ANeuralNetworksOperandType operandType();

    void makeModel() {
        make(models_, [&](auto** out) { return ndk_.modelCreate(out); });
    }
    void addOperand();
    void setValue();
    void setValueFromMemory();
    void setValueFromModel();
    void setChannels();
    void addOperation();
    void identify();
    void finishModel() { known(ndk_.modelFinish(models_.choose(in_))); }
    void relax() {
        known(ndk_.modelRelaxComputationFloat32toFloat16(models_.choose(in_), in_.flip()));
    }
    void askSupport();
    void askExtension();
    void makeSum();
    void makeChoice();
    void makeLoop();
    void askDevice();
    void makeCompilation();
    void changeCompilation();
    void setCaching();
    void damageCache();
    void finishCompilation() { known(ndk_.compilationFinish(compilations_.choose(in_))); }
    void makeExecution() {
        ANeuralNetworksCompilation* const of = compilations_.choose(in_);
        make(executions_, [&](auto** out) { return ndk_.executionCreate(of, out); });
    }
    void makeBurst() {
        ANeuralNetworksCompilation* const of = compilations_.choose(in_);
        make(bursts_, [&](auto** out) { return ndk_.burstCreate(of, out); });
    }
    void setInput();
    void setOutput();
    void giveSum() { giveSumTo(executions_.choose(in_)); }
    void giveSumTo(ANeuralNetworksExecution* execution);
    void makeComputation();
    void makeRoleMemory();
    void checkValues();
    void changeExecution();
    void compute() { known(ndk_.executionCompute(executions_.choose(in_))); }
    void burstCompute() {
        known(ndk_.executionBurstCompute(executions_.choose(in_), bursts_.choose(in_)));
    }
    void startCompute() {
        ANeuralNetworksExecution* const of = executions_.choose(in_);
        make(events_, [&](auto** out) { return ndk_.executionStartCompute(of, out); });
    }
    void startFenced();
    void askExecution();
    void waitForEvent() { known(ndk_.eventWait(events_.choose(in_))); }
    void useFence();
    void makeMemory();
    void makeBufferMemory();
    void makeDesc() {
        make(descs_, [&](auto** out) { return ndk_.memoryDescCreate(out); });
    }
    void changeDesc();
    void makeMemoryFromDesc() {
        ANeuralNetworksMemoryDesc* const of = descs_.choose(in_);
        make(memories_, [&](auto** out) { return ndk_.memoryCreateFromDesc(of, out); });
    }
    void copy() { known(ndk_.memoryCopy(memories_.choose(in_), memories_.choose(in_))); }
    void freeSomething();

    static std::span<const Step> steps();
    Step nextStep();

    ByteSource in_;
    const sim::NdkFunctions& ndk_ = ndkUnderTest();
    std::vector<std::vector<std::uint8_t>> buffers_;
    std::array<std::uint32_t, 5> dimensions_{};
    std::optional<sim::ScratchFolder> cache_;
    bool hasLooped_ = false;
    // In the reverse of the order in which they are freed at the end.
    Objects<ANeuralNetworksMemory> memories_{ndk_.memoryFree};
    Objects<ANeuralNetworksMemoryDesc> descs_{ndk_.memoryDescFree};
    Objects<ANeuralNetworksModel> models_{ndk_.modelFree};
    Objects<ANeuralNetworksCompilation> compilations_{ndk_.compilationFree};
    Objects<ANeuralNetworksBurst> bursts_{ndk_.burstFree};
    Objects<ANeuralNetworksExecution> executions_{ndk_.executionFree};
    Objects<ANeuralNetworksEvent> events_{ndk_.eventFree};
};

}  // namespace vnpu::fuzz

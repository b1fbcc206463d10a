// SPDX-License-Identifier: Apache-2.0
// Fuzzes the service's end of a burst: request packets, answers to getMemories and queue counters
// come from the fuzzer, in any order. Also fuzzes the parsers of packets at both ends.
#include <fmq/MessageQueue.h>
#include <vnpu/hal/burst_session.h>
#include <vnpu/hal/shared_memory.h>

#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "tests/fuzz/byte_source.h"
#include "tests/fuzz/target.h"

namespace vnpu::fuzz {

namespace {

using namespace hal;
namespace nn = android::hardware::neuralnetworks;
using android::sp;
using android::hardware::hidl_memory;
using android::hardware::hidl_vec;
using android::hardware::kSynchronizedReadWrite;
using android::hardware::MessageQueue;
using android::hardware::Return;
using android::hardware::Status;
using nn::V1_0::ErrorStatus;
using nn::V1_0::RequestArgument;
using nn::V1_2::FmqRequestDatum;
using nn::V1_2::FmqResultDatum;
using nn::V1_2::MeasureTiming;

constexpr size_t kChannelLength = 64;

template <typename Datum>
std::vector<Datum> anyPacket(ByteSource& source) {
    std::vector<Datum> packet(source.below(kChannelLength + 2));
    source.fill(static_cast<void*>(packet.data()), packet.size() * sizeof(Datum));
    return packet;
}

/// A valid packet with some bytes changed.
template <typename Datum>
std::vector<Datum> disturbed(std::vector<Datum> packet, ByteSource& source) {
    source.disturb(std::as_writable_bytes(std::span(packet)));
    if (source.below(8) == 0) {
        packet.resize(source.below(kChannelLength + 2));
    }
    return packet;
}

hidl_vec<uint32_t> anyDimensions(ByteSource& source) {
    hidl_vec<uint32_t> dimensions(source.below(5));
    for (uint32_t& dimension : dimensions) {
        dimension = source.number<uint32_t>();
    }
    return dimensions;
}

hidl_vec<RequestArgument> anyArguments(ByteSource& source) {
    hidl_vec<RequestArgument> arguments(source.below(4));
    for (RequestArgument& argument : arguments) {
        argument.hasNoValue = source.flip();
        argument.location = {source.number<uint32_t>(), source.number<uint32_t>(),
                             source.number<uint32_t>()};
        argument.dimensions = anyDimensions(source);
    }
    return arguments;
}

RequestPacket anyRequest(ByteSource& source) {
    const nn::V1_0::Request request{anyArguments(source), anyArguments(source), {}};
    std::vector<int32_t> slots(source.below(5));
    for (int32_t& slot : slots) {
        slot = static_cast<int32_t>(source.below(8)) - 1;
    }
    const auto measure = source.flip() ? MeasureTiming::YES : MeasureTiming::NO;
    const RequestPacket packet = serialize(request, measure, slots);
    const auto read = deserialize(packet);
    require(read.has_value() && read->request.inputs == request.inputs &&
                    read->request.outputs == request.outputs && read->slots == slots &&
                    read->measure == measure,
            "a request is another one after its way through a packet");
    return packet;
}

BurstResult anyResult(ByteSource& source) {
    BurstResult result;
    result.status = static_cast<ErrorStatus>(source.below(5));
    if (result.status == ErrorStatus::NONE ||
        result.status == ErrorStatus::OUTPUT_INSUFFICIENT_SIZE) {
        result.outputShapes.resize(source.below(4));
    }
    for (nn::V1_2::OutputShape& shape : result.outputShapes) {
        shape = {anyDimensions(source), source.flip()};
    }
    result.timing = {source.number<uint64_t>(), source.number<uint64_t>()};
    return result;
}

void readResults(ByteSource& source) {
    const BurstResult result = anyResult(source);
    const ResultPacket packet = serialize(result);
    const auto read = deserialize(packet);
    require(read.has_value() && read->status == result.status &&
                    read->outputShapes == result.outputShapes && read->timing == result.timing,
            "a result is another one after its way through a packet");
    static_cast<void>(deserialize(disturbed(packet, source)));
    static_cast<void>(deserialize(anyPacket<FmqResultDatum>(source)));
}

class Executor : public IBurstExecutorWithCache {
  public:
    explicit Executor(ByteSource& source) : source_(source) {}

    bool isCacheEntryPresent(int32_t slot) const override { return slots_.contains(slot); }
    void addCacheEntry(const hidl_memory& memory, int32_t slot) override {
        const auto pool = MappedPool::create(memory);
        if (pool.has_value()) {
            readEnds(*pool);
            slots_.insert(slot);
        }
    }
    void removeCacheEntry(int32_t slot) override { slots_.erase(slot); }
    BurstResult execute(const nn::V1_0::Request& request, const std::vector<int32_t>& slots,
                        MeasureTiming /*measure*/) override {
        require(request.pools.size() == 0, "a burst's request brings pools of its own");
        for (const int32_t slot : slots) {
            static_cast<void>(isCacheEntryPresent(slot));
        }
        return anyResult(source_);
    }

  private:
    /// The pool really holds the bytes that it announces.
    static void readEnds(const MappedPool& pool) {
        const auto* const bytes = static_cast<const volatile std::byte*>(pool.data());
        if (pool.size() > 0) {
            static_cast<void>(bytes[0]);
            static_cast<void>(bytes[pool.size() - 1]);
        }
    }

    ByteSource& source_;
    std::set<int32_t> slots_;
};

/// Answers getMemories as the fuzzer decides.
class Callback : public nn::V1_2::IBurstCallback {
  public:
    explicit Callback(ByteSource& source) : source_(source) {}

    Return<void> getMemories(const hidl_vec<int32_t>& slots, getMemories_cb answer) override {
        if (source_.below(16) == 0) {
            return Status::fromStatusT(android::DEAD_OBJECT);
        }
        hidl_vec<hidl_memory> memories(source_.below(8) == 0 ? source_.below(4) : slots.size());
        for (hidl_memory& memory : memories) {
            memory = anyMemory();
        }
        const size_t kind = source_.below(32);
        if (kind != 0) {  // otherwise it never answers
            answer(kind == 1 ? static_cast<ErrorStatus>(source_.number<int32_t>())
                             : ErrorStatus::NONE,
                   memories);
        }
        return android::hardware::Void();
    }

  private:
    hidl_memory anyMemory() {
        constexpr const char* kNames[] = {"ashmem",          "mmap_fd", "hardware_buffer_blob",
                                          "hardware_buffer", "",        "nothing"};
        if (source_.below(8) == 0) {
            return {};
        }
        auto memory = createSharedMemory(64);
        require(memory.has_value(), "no shared memory");
        if (source_.below(4) != 0) {
            return std::move(*memory);
        }
        android::hardware::hidl_handle handle;
        native_handle_t* const raw = native_handle_create(static_cast<int>(source_.below(3)),
                                                          static_cast<int>(source_.below(16)));
        for (int i = 0; i < raw->numFds; ++i) {
            raw->data[i] = dup((*memory).handle()->data[0]);
        }
        source_.fill(&raw->data[raw->numFds], sizeof(int) * static_cast<size_t>(raw->numInts));
        handle.setTo(raw, true);
        return {kNames[source_.below(std::size(kNames))], std::move(handle),
                source_.flip() ? 64 : source_.number<uint64_t>()};
    }

    ByteSource& source_;
};

/// A queue of the client with access to its counters.
template <typename Datum>
struct Channel {
    MessageQueue<Datum, kSynchronizedReadWrite> queue{kChannelLength, true};

    void setCounter(ByteSource& source) {
        const bool isWriter = source.flip();
        const uint64_t value = source.flip() ? source.below(4 * kChannelLength) * sizeof(Datum)
                                             : source.number<uint64_t>();
        // libfmq's layout: both counters precede the ring
        auto* const ring = reinterpret_cast<std::atomic<uint64_t>*>(queue.getRingBufferPtr());
        (ring - (isWriter ? 1 : 2))->store(value);
    }
};

class Client {
  public:
    explicit Client(ByteSource& source) : source_(source) {
        auto session = BurstSession::create(
                {callback_, *requests_.queue.getDesc(), *results_.queue.getDesc()},
                std::make_shared<Executor>(source));
        require(session.has_value(), "a good burst is refused");
        session_ = std::move(*session);
    }

    void step() {
        switch (source_.below(8)) {
            case 0:
                write(anyPacket<FmqRequestDatum>(source_));
                break;
            case 1:
            case 2:
                write(disturbed(anyRequest(source_), source_));
                break;
            case 3:
                session_->freeMemory(static_cast<int32_t>(source_.below(8)) - 1);
                break;
            case 4:
                isFoul_ = true;
                requests_.setCounter(source_);
                break;
            case 5:
                isFoul_ = true;
                results_.setCounter(source_);
                break;
            default:
                break;
        }
        if (const auto packet = session_->tryReceive()) {
            session_->answer(*packet);
        }
        readAnswer();
    }

  private:
    void write(const RequestPacket& packet) { requests_.queue.write(packet.data(), packet.size()); }
    void readAnswer() {
        ResultPacket packet(results_.queue.availableToRead());
        if (packet.empty() || !results_.queue.read(packet.data(), packet.size())) {
            return;
        }
        const bool isGood = deserialize(packet).has_value();
        require(isGood || isFoul_, "an answer that cannot be read");
    }

    ByteSource& source_;
    Channel<FmqRequestDatum> requests_;
    Channel<FmqResultDatum> results_;
    sp<nn::V1_2::IBurstCallback> callback_ = new Callback(source_);
    std::unique_ptr<BurstSession> session_;
    bool isFoul_ = false;  // whether the client has corrupted the counters
};

void runBurst(std::span<const uint8_t> input) {
    ByteSource source(input);
    static_cast<void>(deserialize(disturbed(anyRequest(source), source)));
    readResults(source);
    Client client(source);
    for (int steps = 0; steps < 32 && !source.isEmpty(); ++steps) {
        client.step();
    }
}

}  // namespace

const Target kBurst{"burst", runBurst};

}  // namespace vnpu::fuzz

// SPDX-License-Identifier: Apache-2.0
// Fast message queues compared with their foundations: a ring buffer without checks in one thread;
// a bare futex and a spinning cache line between two processes on different processors. All run
// interleaved, because the distance between two processors changes with the machine's load.
#include <benchmark/benchmark.h>
#include <fmq/MessageQueue.h>
#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <string>

#include "tests/bench/collecting_reporter.h"
#include "tests/bench/peer_process.h"
#include "tests/bench/queue_links.h"

namespace {

using android::hardware::kSynchronizedReadWrite;
using android::hardware::MessageQueue;
using namespace vnpu::bench;

constexpr std::size_t kRingBytes = 8192;
constexpr std::size_t kSizes[] = {1, 8, 64, 512, 4096};  // of a transfer, in messages
constexpr std::uint64_t kStop = UINT64_MAX;

using ByteQueue = MessageQueue<std::uint8_t, kSynchronizedReadWrite>;

// ---- one thread

// The cost of a copy depends on the positions of source and destination within lines and pages, so
// both kinds of ring have the same position and copy between the same places.
constexpr std::size_t kPageBytes = 4096;

/// Two counters followed by the ring, at the start of a page, as in a queue's memory.
struct alignas(kPageBytes) RingMemory {
    std::atomic<std::uint64_t> begin{0}, end{0};
    std::uint8_t bytes[kRingBytes] = {};
};

/// The minimum of a queue: two counters and a copy, in memory that another process may share.
class BareRing {
  public:
    bool write(const std::uint8_t* data, std::size_t bytes) {
        RingMemory& ring = memory();
        const std::uint64_t end = ring.end.load(std::memory_order_relaxed);
        if (bytes > kRingBytes - (end - ring.begin.load(std::memory_order_acquire))) {
            return false;
        }
        const std::size_t at = end % kRingBytes;
        const std::size_t first = std::min(bytes, kRingBytes - at);
        std::memcpy(ring.bytes + at, data, first);
        if (first != bytes) {
            std::memcpy(ring.bytes, data + first, bytes - first);
        }
        ring.end.store(end + bytes, std::memory_order_release);
        return true;
    }
    bool read(std::uint8_t* data, std::size_t bytes) {
        RingMemory& ring = memory();
        const std::uint64_t begin = ring.begin.load(std::memory_order_relaxed);
        if (ring.end.load(std::memory_order_acquire) - begin < bytes) {
            return false;
        }
        const std::size_t at = begin % kRingBytes;
        const std::size_t first = std::min(bytes, kRingBytes - at);
        std::memcpy(data, ring.bytes + at, first);
        if (first != bytes) {
            std::memcpy(data + first, ring.bytes, bytes - first);
        }
        ring.begin.store(begin + bytes, std::memory_order_release);
        return true;
    }

  private:
    RingMemory& memory() { return *shared_.operator->(); }

    SharedObject<RingMemory> shared_;
};

/// Must not be inlined where the ring is created: users of a ring have a reference to it and do not
/// keep the address of its memory in a register. (When the compiler did so for the bare ring, 64
/// bytes took a quarter less time.)
template <typename Ring>
[[gnu::noinline]] void writeAndRead(benchmark::State& state, Ring& ring, std::size_t bytes) {
    struct alignas(kPageBytes) Ends {
        std::uint8_t from[kRingBytes] = {};
        std::uint8_t to[kRingBytes] = {};
    };
    const auto ends = std::make_unique<Ends>();
    for (auto step : state) {
        static_cast<void>(step);
        if (!ring.write(ends->from, bytes) || !ring.read(ends->to, bytes)) {
            state.SkipWithError("the ring is out of step");
            break;
        }
        benchmark::DoNotOptimize(ends->to);
        benchmark::ClobberMemory();
    }
}

// ---- two processes, one way

template <typename Transfer>
void stream(benchmark::State& state, std::size_t messages) {
    QueueLink<Transfer> link(messages);
    const PeerProcess peer([&] {
        while (link.firstMessage() != kStop) {
            link.awaitQuestion();
        }
    });
    for (auto step : state) {
        static_cast<void>(step);
        link.ask();
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(messages));
    link.firstMessage() = kStop;
    link.ask();
}

// ---- the list

template <typename Body>
void add(const std::string& name, Body body) {
    benchmark::RegisterBenchmark(name.c_str(), body)
            ->UseRealTime()
            ->Repetitions(5)
            ->ReportAggregatesOnly(true);
}

void addAll() {
    for (const std::size_t bytes : kSizes) {
        add(fmt::format("ring/{}", bytes), [bytes](benchmark::State& state) {
            BareRing ring;
            writeAndRead(state, ring, bytes);
        });
        add(fmt::format("queue/{}", bytes), [bytes](benchmark::State& state) {
            ByteQueue queue(kRingBytes);
            writeAndRead(state, queue, bytes);
        });
    }
    add("spin", [](benchmark::State& state) {
        WordLink<SpinWire> link;
        bounce(state, link);
    });
    add("futex", [](benchmark::State& state) {
        WordLink<FutexWire> link;
        bounce(state, link);
    });
    for (const std::size_t messages : kSizes) {
        add(fmt::format("polling/{}", messages), [messages](benchmark::State& state) {
            QueueLink<PollingTransfer> link(messages);
            bounce(state, link);
        });
        add(fmt::format("blocking/{}", messages), [messages](benchmark::State& state) {
            QueueLink<BlockingTransfer> link(messages);
            bounce(state, link);
        });
        add(fmt::format("polling_stream/{}", messages),
            [messages](benchmark::State& state) { stream<PollingTransfer>(state, messages); });
        add(fmt::format("blocking_stream/{}", messages),
            [messages](benchmark::State& state) { stream<BlockingTransfer>(state, messages); });
    }
}

void printRow(std::map<std::string, double>& seconds, std::size_t size) {
    const auto of = [&](const char* name) { return seconds[fmt::format("{}/{}", name, size)]; };
    const double futex = seconds["futex"];
    const double spin = seconds["spin"];
    const auto perMessage = [&](const char* name) {
        return of(name) * 1e9 / static_cast<double>(size);
    };
    fmt::print("{:>5} {:>10.2f} {:>16.2f} {:>14.2f} {:>17.1f} {:>18.1f}\n", size,
               of("queue") / of("ring"), of("blocking") / futex, of("polling") / spin,
               perMessage("blocking_stream"), perMessage("polling_stream"));
}

}  // namespace

int main(int argc, char** argv) {
    // Interleaved, so that a slow phase of the machine slows all subjects equally.
    setenv("BENCHMARK_ENABLE_RANDOM_INTERLEAVING", "true", 0);
    benchmark::Initialize(&argc, argv);
    addAll();
    CollectingReporter reporter;
    benchmark::RunSpecifiedBenchmarks(&reporter);
    auto& seconds = reporter.medianSeconds;
    fmt::print("\nthere and back: spinning cache line {:.0f} ns, futex {:.0f} ns\n",
               seconds["spin"] * 1e9, seconds["futex"] * 1e9);
    fmt::print(" size queue/ring blocking/futex polling/spin blocking ns/item polling ns/item\n");
    for (const std::size_t size : kSizes) {
        printRow(seconds, size);
    }
    return 0;
}

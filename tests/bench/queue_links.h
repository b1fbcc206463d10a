// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <benchmark/benchmark.h>
#include <fmq/MessageQueue.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tests/bench/peer_process.h"

// Round trips between two processes on different processors: over a queue in each direction, or
// over the foundations of queues.

namespace vnpu::bench {

using WordQueue =
        android::hardware::MessageQueue<std::uint64_t, android::hardware::kSynchronizedReadWrite>;

struct alignas(128) Word {
    std::atomic<std::uint32_t> value{0};
};

struct Wires {
    Word there, back;
};

struct SpinWire {
    static void send(Word& word, std::uint32_t value) {
        word.value.store(value, std::memory_order_release);
    }
    static void await(Word& word, std::uint32_t value) {
        while (word.value.load(std::memory_order_acquire) != value) {
        }
    }
};

struct FutexWire {
    static void send(Word& word, std::uint32_t value) {
        word.value.store(value);
        syscall(SYS_futex, &word.value, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
    }
    static void await(Word& word, std::uint32_t value) {
        for (std::uint32_t now = word.value.load(); now != value; now = word.value.load()) {
            syscall(SYS_futex, &word.value, FUTEX_WAIT, now, nullptr, nullptr, 0);
        }
    }
};

/// A word in each direction. Each process has its own counts.
template <typename Wire>
class WordLink {
  public:
    void ask() { Wire::send(wires_->there, ++asked_); }
    void awaitQuestion() { Wire::await(wires_->there, ++asked_); }
    void answer() { Wire::send(wires_->back, ++answered_); }
    void awaitAnswer() { Wire::await(wires_->back, ++answered_); }

  private:
    SharedObject<Wires> wires_;
    std::uint32_t asked_ = 0, answered_ = 0;
};

struct PollingTransfer {
    static void send(WordQueue& queue, const std::vector<std::uint64_t>& data) {
        while (!queue.write(data.data(), data.size())) {
        }
    }
    static void receive(WordQueue& queue, std::vector<std::uint64_t>& data) {
        while (!queue.read(data.data(), data.size())) {
        }
    }
};

struct BlockingTransfer {
    static void send(WordQueue& queue, const std::vector<std::uint64_t>& data) {
        queue.writeBlocking(data.data(), data.size());
    }
    static void receive(WordQueue& queue, std::vector<std::uint64_t>& data) {
        queue.readBlocking(data.data(), data.size());
    }
};

/// A queue in each direction.
template <typename Transfer>
class QueueLink {
  public:
    explicit QueueLink(std::size_t messages)
        : there_(kQueueMessages, true), back_(kQueueMessages, true), data_(messages) {}

    void ask() { Transfer::send(there_, data_); }
    void awaitQuestion() { Transfer::receive(there_, data_); }
    void answer() { Transfer::send(back_, data_); }
    void awaitAnswer() { Transfer::receive(back_, data_); }

    std::uint64_t& firstMessage() { return data_[0]; }

  private:
    static constexpr std::size_t kQueueMessages = 8192;

    WordQueue there_, back_;
    std::vector<std::uint64_t> data_;
};

template <typename Link>
void bounce(benchmark::State& state, Link& link) {
    const SharedObject<std::atomic<bool>> isOver;
    const PeerProcess peer([&] {
        for (bool isLast = false; !isLast;) {
            link.awaitQuestion();
            isLast = isOver->load();
            link.answer();
        }
    });
    for (auto step : state) {
        static_cast<void>(step);
        link.ask();
        link.awaitAnswer();
    }
    isOver->store(true);
    link.ask();
    link.awaitAnswer();
}

}  // namespace vnpu::bench

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>
#include <tbb/task_arena.h>

#include <cstddef>
#include <cstdint>

namespace vnpu::hw::kernels {

/// Multiply-accumulates (or operations of that cost) below which waking other threads costs more
/// than it saves.
inline constexpr std::uint64_t kParallelOperations =
        2'000'000;  // chosen: some 20 microseconds of one core

/// Calls function(task) for every task below `count`, on oneTBB workers when `operations` are worth
/// it. Tasks must not depend on each other. The caller takes part but, while it waits, no task of
/// anybody else: its thread's scratch memory stays its own.
template <typename Function>
void forEachTask(std::size_t count, std::uint64_t operations, const Function& function) {
    if (count <= 1 || operations < kParallelOperations) {
        for (std::size_t task = 0; task < count; ++task) {
            function(task);
        }
        return;
    }
    tbb::this_task_arena::isolate([&] {
        tbb::parallel_for(
                tbb::blocked_range<std::size_t>(0, count, 1),
                [&](const tbb::blocked_range<std::size_t>& range) {
                    for (std::size_t task = range.begin(); task != range.end(); ++task) {
                        function(task);
                    }
                },
                tbb::simple_partitioner());
    });
}

}  // namespace vnpu::hw::kernels

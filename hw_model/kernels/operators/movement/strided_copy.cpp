// SPDX-License-Identifier: Apache-2.0
#include "hw_model/kernels/operators/movement/strided_copy.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "hw_model/kernels/support/element_access.h"
#include "hw_model/kernels/support/parallel_tasks.h"

namespace vnpu::hw::kernels {
namespace {

/// Rows and columns of a transposition that fit the L1 cache together.
constexpr std::uint64_t kBlock = 32;  // chosen: 2 x 32 cache lines of 64 bytes

constexpr std::uint64_t kMostTasks = 64;         // chosen: several per processor core
constexpr std::uint64_t kBytesPerOperation = 8;  // chosen: bytes that a copy moves per step

/// The loops that remain after simplification. Strides in bytes.
struct Loops {
    std::array<CopyAxis, CopyAxes::kCapacity> axes{};
    std::size_t size = 0;
    std::uint64_t runBytes = 0;  // contiguous on both sides
    bool isTransposed = false;   // the last two axes are contiguous on one side each
};

/// Drops axes of extent 1 and merges axes that continue each other.
Loops simplify(std::span<const CopyAxis> axes, std::uint32_t elementBytes) {
    Loops loops;
    for (const CopyAxis& axis : axes) {
        if (axis.count == 1) {
            continue;
        }
        const CopyAxis next = {axis.count, axis.fromStride * elementBytes,
                               axis.toStride * elementBytes};
        const auto count = static_cast<std::int64_t>(next.count);
        if (loops.size != 0) {
            CopyAxis& last = loops.axes[loops.size - 1];
            if (last.fromStride == next.fromStride * count &&
                last.toStride == next.toStride * count) {
                last = {last.count * next.count, next.fromStride, next.toStride};
                continue;
            }
        }
        loops.axes[loops.size++] = next;
    }
    return loops;
}

/// Splits off the bytes that are contiguous on both sides, or sets up a transposition.
void findInnermost(Loops& loops, std::uint32_t elementBytes) {
    loops.runBytes = elementBytes;
    if (loops.size == 0) {
        return;
    }
    const CopyAxis& last = loops.axes[loops.size - 1];
    if (last.toStride != elementBytes) {
        return;
    }
    if (last.fromStride == elementBytes) {
        loops.runBytes = last.count * elementBytes;
        --loops.size;
        return;
    }
    for (std::size_t i = 0; i + 1 < loops.size; ++i) {
        if (loops.axes[i].fromStride == elementBytes) {
            std::rotate(&loops.axes[i], &loops.axes[i + 1], &loops.axes[loops.size - 1]);
            loops.isTransposed = true;
            return;
        }
    }
}

template <typename T>
void copyElements(const CopyAxis& axis, const std::byte* from, std::byte* to) {
    if (axis.fromStride == 0 && axis.toStride == sizeof(T)) {
        const T value = loadElement<T>(from, 0);
        for (std::uint64_t i = 0; i < axis.count; ++i) {
            storeElement(to, i, value);
        }
        return;
    }
    for (std::uint64_t i = 0; i < axis.count; ++i) {
        storeElement(to, 0, loadElement<T>(from, 0));
        from += axis.fromStride;
        to += axis.toStride;
    }
}

void copyLine(const CopyAxis& axis, const std::byte* from, std::byte* to, std::uint64_t runBytes) {
    switch (runBytes) {
        case 1:
            return copyElements<std::uint8_t>(axis, from, to);
        case 2:
            return copyElements<std::uint16_t>(axis, from, to);
        case 4:
            return copyElements<std::uint32_t>(axis, from, to);
        default:
            for (std::uint64_t i = 0; i < axis.count; ++i) {
                std::memcpy(to, from, runBytes);
                from += axis.fromStride;
                to += axis.toStride;
            }
    }
}

/// Transposes two axes block by block, so that both sides stay in the cache.
void copyBlocks(const CopyAxis& rows, const CopyAxis& columns, const std::byte* from, std::byte* to,
                std::uint64_t runBytes) {
    for (std::uint64_t c = 0; c < columns.count; c += kBlock) {
        const CopyAxis line = {std::min(kBlock, columns.count - c), columns.fromStride,
                               columns.toStride};
        const auto column = static_cast<std::int64_t>(c);
        for (std::uint64_t r = 0; r < rows.count; ++r) {
            const auto row = static_cast<std::int64_t>(r);
            copyLine(line, from + row * rows.fromStride + column * columns.fromStride,
                     to + row * rows.toStride + column * columns.toStride, runBytes);
        }
    }
}

/// Runs the last `inner` axes for every combination of the others.
void runLoops(const Loops& loops, const std::byte* from, std::byte* to) {
    const std::size_t inner = loops.isTransposed ? 2 : std::min<std::size_t>(loops.size, 1);
    const std::size_t outer = loops.size - inner;
    std::array<std::uint64_t, CopyAxes::kCapacity> index{};
    while (true) {
        if (inner == 2) {
            copyBlocks(loops.axes[outer], loops.axes[outer + 1], from, to, loops.runBytes);
        } else if (inner == 1) {
            copyLine(loops.axes[outer], from, to, loops.runBytes);
        } else {
            std::memcpy(to, from, loops.runBytes);
        }
        std::size_t axis = outer;
        while (true) {
            if (axis == 0) {
                return;
            }
            const CopyAxis& loop = loops.axes[--axis];
            if (++index[axis] < loop.count) {
                from += loop.fromStride;
                to += loop.toStride;
                break;
            }
            const auto steps = static_cast<std::int64_t>(loop.count - 1);
            from -= steps * loop.fromStride;
            to -= steps * loop.toStride;
            index[axis] = 0;
        }
    }
}

std::uint64_t bytesOf(const Loops& loops) {
    std::uint64_t bytes = loops.runBytes;
    for (std::size_t i = 0; i < loops.size; ++i) {
        bytes *= loops.axes[i].count;
    }
    return bytes;
}

}  // namespace

void copyStrided(const CopyAxes& axes, const std::byte* from, std::byte* to,
                 std::uint32_t elementBytes) {
    const auto span = axes.span();
    if (std::any_of(span.begin(), span.end(), [](const auto& axis) { return axis.count == 0; })) {
        return;
    }
    Loops loops = simplify(span, elementBytes);
    findInnermost(loops, elementBytes);
    const std::uint64_t tasks = loops.size == 0 ? 1 : std::min(loops.axes[0].count, kMostTasks);
    forEachTask(tasks, bytesOf(loops) / kBytesPerOperation, [&](std::size_t task) {
        Loops part = loops;
        std::int64_t begin = 0;
        if (loops.size != 0) {
            const std::uint64_t count = loops.axes[0].count;
            begin = static_cast<std::int64_t>(count * task / tasks);
            part.axes[0].count = count * (task + 1) / tasks - static_cast<std::uint64_t>(begin);
        }
        runLoops(part, from + begin * part.axes[0].fromStride, to + begin * part.axes[0].toStride);
    });
}

JobStatus copyInto(OperatorCall& call, const Dimensions& dimensions, const CopyAxes& axes,
                   std::int64_t offset) {
    VNPU_TRY(call.settle(0, dimensions));
    const Tensor& input = call.input(0);
    if (input.elements() != 0 && dimensions.elements() != 0) {
        const std::uint32_t size = elementBytes(input.type);
        copyStrided(axes, input.data + offset * size, call.write<std::byte>(0), size);
    }
    return JobStatus::kOk;
}

Strides denseStrides(const Dimensions& dimensions) {
    Strides strides{};
    if (dimensions.elements() == 0) {
        return strides;  // the products of the other extents may have no value
    }
    std::uint64_t stride = 1;
    for (std::size_t axis = dimensions.rank(); axis-- > 0;) {
        strides[axis] = static_cast<std::int64_t>(stride);
        stride *= dimensions[axis];
    }
    return strides;
}

void fillElements(const std::byte* value, std::byte* to, std::uint64_t count,
                  std::uint32_t elementBytes) {
    CopyAxes axes;
    axes.add(count, 0, 1);
    copyStrided(axes, value, to, elementBytes);
}

}  // namespace vnpu::hw::kernels

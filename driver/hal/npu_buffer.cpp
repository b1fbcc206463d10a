// SPDX-License-Identifier: Apache-2.0
#include "driver/hal/npu_buffer.h"

#include <fmt/format.h>
#include <vnpu/hal/shared_memory.h>

#include <algorithm>
#include <cstring>

#include "driver/execution/call_scope.h"
#include "driver/validation/operand_types.h"

namespace vnpu::driver {

using android::hardware::hidl_memory;
using android::hardware::Return;

namespace {

/// A client's memory as seen by copies: the bytes of its rows without the gaps between them.
class CopyMemory {
  public:
    static Result<CopyMemory> create(const hidl_memory& memory) {
        auto pool = hal::MappedPool::create(memory);
        if (!pool) {
            return invalidArgument(fmt::format("memory cannot be mapped: {}", pool.error()));
        }
        return CopyMemory(std::move(*pool));
    }

    std::uint64_t sizeBytes() const {
        return pool_.image() ? pool_.image()->packedBytes() : pool_.size();
    }
    Result<void> requireSize(std::uint64_t expected) const {
        if (sizeBytes() != expected) {
            return invalidArgument(
                    fmt::format("memory has {} bytes, the contents {}", sizeBytes(), expected));
        }
        return {};
    }
    bool isWritable() const { return pool_.writable(); }

    void copyTo(std::byte* to) const { copy(to, pool_.data(), true); }
    void copyFrom(const std::byte* from) const {
        copy(pool_.data(), from, false);
        pool_.flush();
    }

  private:
    explicit CopyMemory(hal::MappedPool pool) : pool_(std::move(pool)) {}

    void copy(std::byte* to, const std::byte* from, bool isFromPool) const {
        if (!pool_.image()) {
            std::memcpy(to, from, pool_.size());
            return;
        }
        const hal::HardwareBufferLayout& layout = *pool_.image();
        hal::copyRows(layout, to, isFromPool ? layout.rowBytes : layout.strideBytes, from,
                      isFromPool ? layout.strideBytes : layout.rowBytes);
    }

    hal::MappedPool pool_;
};

/// The shape of the new contents of a buffer.
Result<Dimensions> shapeOf(const BufferPlan& plan, const Dimensions& told) {
    if (told.empty()) {
        if (!plan.isShapeKnown()) {
            return invalidArgument("no dimensions are given for a buffer of unknown shape");
        }
        return plan.dimensions;
    }
    if (plan.isScalar) {
        return invalidArgument(fmt::format("{} dimensions are given for a scalar", told.size()));
    }
    if (std::find(told.begin(), told.end(), 0U) != told.end()) {
        return invalidArgument(
                fmt::format("dimensions {} are not all known", fmt::join(told, "x")));
    }
    return combineDimensions(plan.dimensions, told);
}

}  // namespace

Result<android::sp<NpuBuffer>> NpuBuffer::create(std::shared_ptr<DeviceRuntime> runtime,
                                                 std::shared_ptr<DeviceBuffer> buffer) {
    VNPU_TRY_ASSIGN(const auto token, runtime->buffers().add(buffer));
    return android::sp<NpuBuffer>(new NpuBuffer(std::move(runtime), std::move(buffer), token));
}

NpuBuffer::~NpuBuffer() {
    runtime_->buffers().remove(token_);
}

Return<ErrorStatus> NpuBuffer::copyTo(const hidl_memory& destination) {
    CallScope call(runtime_->environment(), "copyTo");
    return call.finish(write(destination));
}

Return<ErrorStatus> NpuBuffer::copyFrom(
        const hidl_memory& source, const android::hardware::hidl_vec<std::uint32_t>& dimensions) {
    CallScope call(runtime_->environment(), "copyFrom");
    const Result<void> outcome = read(source, dimensions);
    if (!outcome) {
        buffer_->invalidate();
    }
    return call.finish(outcome);
}

Result<void> NpuBuffer::write(const hidl_memory& destination) {
    VNPU_TRY(runtime_->requireDevice());
    auto memory = CopyMemory::create(destination);
    VNPU_TRY_ASSIGN(const auto contents, buffer_->beginRead());
    Result<void> outcome;
    if (contents.sizeBytes == 0) {
        // Nothing to copy; memory of this size does not exist.
    } else if (!memory) {
        outcome = tl::unexpected(std::move(memory.error()));
    } else if (!memory->isWritable()) {
        outcome = invalidArgument("memory is read-only");
    } else if (outcome = memory->requireSize(contents.sizeBytes); outcome) {
        memory->copyFrom(contents.memory->bytes().data());
        runtime_->environment().countHostCopy(contents.sizeBytes);
    }
    buffer_->endRead();
    return outcome;
}

Result<void> NpuBuffer::read(const hidl_memory& source, const Dimensions& told) {
    VNPU_TRY(runtime_->requireDevice());
    VNPU_TRY_ASSIGN(const auto shape, shapeOf(buffer_->plan(), told));
    const auto expected = sizeOfData(buffer_->plan().type, shape);
    if (!expected) {
        return invalidArgument(
                fmt::format("contents of {} are 4 GiB and more", fmt::join(shape, "x")));
    }
    VNPU_TRY_ASSIGN(auto memory, CopyMemory::create(source));
    VNPU_TRY(memory.requireSize(*expected));
    const auto contents = buffer_->beginWrite(shape);
    if (!contents) {  // the HAL has no status for exhaustion here
        return fail(ErrorStatus::GENERAL_FAILURE, contents.error().reason);
    }
    memory.copyTo(contents->memory->bytes().data());
    runtime_->environment().countHostCopy(contents->sizeBytes);
    buffer_->endWrite(true);
    return {};
}

}  // namespace vnpu::driver

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.3/IBuffer.h>

#include <cstdint>
#include <memory>
#include <utility>

#include "driver/execution/device_buffer.h"
#include "driver/execution/device_runtime.h"
#include "driver/result.h"

namespace vnpu::driver {

/// The HAL object for a buffer of a memory domain; its token ends with it. Any thread of the
/// client. The last reference must be dropped on a host thread of the port, because freeing device
/// memory waits for the firmware.
class NpuBuffer : public android::hardware::neuralnetworks::V1_3::IBuffer {
    template <typename T>
    using Return = android::hardware::Return<T>;

  public:
    /// Gives the buffer a token.
    static Result<android::sp<NpuBuffer>> create(std::shared_ptr<DeviceRuntime> runtime,
                                                 std::shared_ptr<DeviceBuffer> buffer);
    ~NpuBuffer() override;

    std::uint32_t token() const { return token_; }

    /// Copies the contents to memory of exactly their size. GENERAL_FAILURE if there are none,
    /// INVALID_ARGUMENT for memory of another size or that cannot be mapped or written.
    Return<ErrorStatus> copyTo(const android::hardware::hidl_memory& destination) override;
    /// Copies memory of exactly the shape's size into the buffer. INVALID_ARGUMENT for memory of
    /// another size or that cannot be mapped, and for a shape that is not known in full or that the
    /// buffer was not allocated for; GENERAL_FAILURE if the buffer is in use or cannot grow. After
    /// any failure there are no contents.
    Return<ErrorStatus> copyFrom(
            const android::hardware::hidl_memory& source,
            const android::hardware::hidl_vec<std::uint32_t>& dimensions) override;

  private:
    NpuBuffer(std::shared_ptr<DeviceRuntime> runtime, std::shared_ptr<DeviceBuffer> buffer,
              std::uint32_t token)
        : runtime_(std::move(runtime)), buffer_(std::move(buffer)), token_(token) {}
    Result<void> write(const android::hardware::hidl_memory& destination);
    Result<void> read(const android::hardware::hidl_memory& source, const Dimensions& told);

    const std::shared_ptr<DeviceRuntime> runtime_;
    const std::shared_ptr<DeviceBuffer> buffer_;
    const std::uint32_t token_;
};

}  // namespace vnpu::driver

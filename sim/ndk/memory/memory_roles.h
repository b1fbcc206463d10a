// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.3/types.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "driver/validation/dimensions.h"
#include "sim/ndk/base/result.h"

namespace vnpu::sim::ndk {

using driver::Dimensions;

/// A use of a memory: an input or an output of a compilation's executions.
struct MemoryRole {
    std::shared_ptr<const void> compilation;  // kept alive, so that no other has its address
    bool isInput = false;
    std::uint32_t index = 0;

    bool operator==(const MemoryRole&) const = default;
};

/// What a memory from a description may be used for, and what it contains. Any thread.
class MemoryRoles {
  public:
    using Operand = android::hardware::neuralnetworks::V1_3::Operand;

    /// `operand` has the type, the quantization and the shape, of which sizes may be unknown.
    MemoryRoles(Operand operand, std::vector<MemoryRole> roles);

    bool includes(const MemoryRole& role) const;

    /// Type and quantization; the shape is that of the description.
    const Operand& operand() const { return operand_; }
    /// The shape of the contents as far as it is known.
    Dimensions dimensions() const;
    /// Bytes of the contents; nothing while their shape is not fully known.
    std::optional<std::uint32_t> contentBytes() const;

    /// Whether a computation or copy that has ended left contents.
    bool hasContents() const;
    /// The latest computation that writes the memory and whose end nobody need wait for. `noteEnd`
    /// calls setContents() or invalidate() once the computation has ended, and does nothing before.
    void setWriter(std::function<void()> noteEnd);
    /// Takes notice of the end of that computation, if it has ended.
    void noteWriterEnd() const;
    /// Something has been written, with this shape if it is not empty.
    void setContents(const Dimensions& dimensions);
    /// A failed execution or copy has left undefined bytes.
    void invalidate();

  private:
    const Operand operand_;
    const std::vector<MemoryRole> roles_;
    mutable std::mutex mutex_;  // guards the rest
    Dimensions dimensions_;
    bool hasContents_ = false;
    std::function<void()> noteWriterEnd_;
};

}  // namespace vnpu::sim::ndk

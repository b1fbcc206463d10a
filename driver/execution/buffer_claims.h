// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "driver/compiler/ir/compiled_model.h"
#include "driver/execution/execution_request.h"
#include "driver/result.h"
#include "driver/validation/dimensions.h"

namespace vnpu::driver {

/// The buffers of memory domains that one execution reads and writes, from its start to its end.
/// One thread.
class BufferClaims {
  public:
    BufferClaims() = default;
    ~BufferClaims();
    BufferClaims(const BufferClaims&) = delete;
    BufferClaims& operator=(const BufferClaims&) = delete;

    /// Claims the input buffers and gives their arguments the contents' memory, length and shape.
    /// GENERAL_FAILURE for a buffer without contents, INVALID_ARGUMENT if the contents' shape
    /// contradicts the request.
    Result<void> claimInputs(BoundRequest& request);

    /// Claims the output buffers, makes room for the results, and gives their arguments the memory.
    /// Outputs of unknown shape are left out. GENERAL_FAILURE for one that is in use or cannot hold
    /// the shape, RESOURCE_EXHAUSTED_* for one that cannot grow to it.
    Result<void> claimOutputs(BoundRequest& request, const CompiledModel& compiled);
    /// Claims one output whose shape has become known.
    Result<void> claimOutput(BoundRequest& request, std::size_t index,
                             const Dimensions& dimensions);

    /// Notes that the outputs are written. Without it they end without contents.
    void confirm();

  private:
    std::vector<std::shared_ptr<DeviceBuffer>> read_;
    std::vector<std::shared_ptr<DeviceBuffer>> written_;
};

/// Makes the output buffers' contents unusable after a failed execution.
void invalidateOutputs(const BoundRequest& request);

}  // namespace vnpu::driver

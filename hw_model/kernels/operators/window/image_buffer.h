// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "hw_model/kernels/operators/window/window_arguments.h"
#include "hw_model/regs/command_stream.h"

namespace vnpu::hw::kernels {

/// The type in which elements are computed: float32 for float16; 8-bit types stay the same.
ElementType workingType(TensorType type);

/// Elements of float32, float16 or an 8-bit type as elements of their working type; copied only if
/// the types differ. Otherwise borrows the tensor's memory.
class WorkingElements {
  public:
    explicit WorkingElements(const Tensor& tensor);

    const std::byte* data() const { return copy_.empty() ? source_ : copy_.data(); }

  private:
    const std::byte* source_;
    std::vector<std::byte> copy_;
};

/// An input image as NHWC of its working type; copied only if layout or type differ.
class WorkingImage {
  public:
    WorkingImage(const Tensor& tensor, const ImageShape& shape, bool isNchw);

    const std::byte* data() const { return copy_.empty() ? elements_.data() : copy_.data(); }

  private:
    WorkingElements elements_;
    std::vector<std::byte> copy_;
};

/// An output image computed as NHWC of its working type: in place if the output has that layout and
/// type; otherwise finish() converts it.
class ResultImage {
  public:
    /// `destination` is the output's memory.
    ResultImage(TensorType type, const ImageShape& shape, bool isNchw, std::byte* destination);

    std::byte* data() { return copy_.empty() ? destination_ : copy_.data(); }
    void finish();

  private:
    TensorType type_;
    ImageShape shape_;
    bool isNchw_;
    std::byte* destination_;
    std::vector<std::byte> copy_;
};

/// Transposes `count` matrices of [rows][columns] elements of 1, 2 or 4 bytes.
void transposeMatrices(const std::byte* source, std::size_t count, std::size_t rows,
                       std::size_t columns, std::size_t elementBytes, std::byte* destination);

}  // namespace vnpu::hw::kernels

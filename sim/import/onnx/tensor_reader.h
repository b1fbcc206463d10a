// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <onnx/onnx_pb.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/import/onnx/model.h"

namespace vnpu::sim::onnx {

/// Reads the tensors of one file. Mistakes throw InputError with file and place.
class TensorReader {
  public:
    /// `path` is for messages and names the folder of other files with weights.
    explicit TensorReader(const std::string& path) : path_(path) {}

    /// `place` is where in the file the tensor is, for messages.
    Tensor tensor(const ::onnx::TensorProto& proto, const std::string& place) const;

    [[noreturn]] void fail(const std::string& place, const std::string& what) const;

  private:
    std::vector<std::byte> externalData(const ::onnx::TensorProto& proto, std::uint64_t expected,
                                        const std::string& place) const;

    const std::string& path_;
};

/// A name of the file in one line of text.
std::string printable(std::string text);

}  // namespace vnpu::sim::onnx

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vnpu::sim::tflite {

namespace schema {
struct Model;
struct SubGraph;
}  // namespace schema

/// A named tensor of a signature.
struct NamedTensor {
    std::string name;
    std::int32_t tensor = 0;
};

struct Signature {
    std::string key;
    std::size_t graph = 0;
    std::vector<NamedTensor> inputs, outputs;
};

/// A verified .tflite file in memory. All returned values have been checked; a mistake throws
/// InputError with file and place. The options tables of the operators are verified as tables; the
/// caller checks their values.
class File {
  public:
    /// Reads and verifies; `path` is used in messages.
    static File load(const std::string& path);
    File(std::string path, std::vector<std::byte> bytes);

    [[noreturn]] void fail(std::string_view place, std::string_view what) const;

    const std::string& path() const { return path_; }
    std::size_t graphCount() const;
    /// Fails where there is no such graph.
    const schema::SubGraph& subgraph(std::size_t index) const;
    std::vector<Signature> signatures() const;
    /// The bytes of a buffer; empty where it has none.
    std::span<const std::byte> buffer(std::uint32_t index, const std::string& place) const;
    const schema::Model& model() const { return *model_; }

  private:
    std::string path_;
    std::vector<std::byte> bytes_;
    const schema::Model* model_ = nullptr;
};

}  // namespace vnpu::sim::tflite

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <flatbuffers/flatbuffers.h>

#include <cstddef>
#include <cstdint>

#include "sim/tflite_delegate/tflite_abi.h"

namespace vnpu::sim::tflite {
namespace schema {
enum class BuiltinOptions : std::uint8_t;
enum class BuiltinOptions2 : std::uint8_t;
}  // namespace schema
}  // namespace vnpu::sim::tflite

namespace vnpu::sim::tflite_delegate {

namespace abi = vnpu::sim::tflite_abi;

/// The parameters of one node.
struct NodeParameters {
    std::int32_t code = 0;       // builtin operator
    int version = 1;             // of the operator
    const void* data = nullptr;  // builtin_params.h; null where the interpreter has none
    std::size_t rank = 0;        // of the first input
};

/// The options table of an operator of a file, of one of the two unions, or none.
struct WrittenOptions {
    tflite::schema::BuiltinOptions type{};
    flatbuffers::Offset<void> table;
    tflite::schema::BuiltinOptions2 type2{};
    flatbuffers::Offset<void> table2;
};

/// Writes the parameters of a node as the file format's options. Without parameters, or for an
/// operator without options, it writes nothing. Values are handed on unchecked, since the importer
/// checks those of every file.
WrittenOptions writeOptions(flatbuffers::FlatBufferBuilder& builder, const NodeParameters& node);

}  // namespace vnpu::sim::tflite_delegate

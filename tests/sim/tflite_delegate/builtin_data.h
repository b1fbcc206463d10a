// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tflite_generated.h>

#include <cstdint>
#include <memory>

namespace vnpu::sim::test {

/// The parameters that an interpreter makes of an operator's options, and the version of the
/// operator that has them all. Null for an operator without parameters.
struct BuiltinData {
    std::shared_ptr<void> data;
    int version = 1;
};

/// `code` is the builtin operator. The block has no byte more than the version's parameters, so
/// that a sanitizer sees reads of later fields.
BuiltinData builtinDataOf(std::int32_t code, const tflite::schema::Operator& op);

}  // namespace vnpu::sim::test

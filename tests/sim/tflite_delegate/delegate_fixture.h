// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sim/tflite_delegate/options.h"
#include "sim/tflite_delegate/tflite_abi.h"

extern "C" {
vnpu::sim::tflite_abi::TfLiteDelegate* tflite_plugin_create_delegate(
        const char* const* keys, const char* const* values, std::size_t count,
        void (*reportError)(const char*));
void tflite_plugin_destroy_delegate(vnpu::sim::tflite_abi::TfLiteDelegate* delegate);
}

namespace vnpu::sim::test {

struct DelegateEnd {
    void operator()(tflite_abi::TfLiteDelegate* delegate) const {
        tflite_plugin_destroy_delegate(delegate);
    }
};
using DelegateHandle = std::unique_ptr<tflite_abi::TfLiteDelegate, DelegateEnd>;

/// A delegate made by the plugin's function; null after a mistake, which is then in `mistake`.
DelegateHandle createDelegate(const std::vector<tflite_delegate::KeyValue>& options,
                              std::string& mistake);
/// The same for options that must be right.
DelegateHandle createDelegate(const std::vector<tflite_delegate::KeyValue>& options = {});

/// Whether the delegate leaves the operator to the interpreter, although the importer has it.
bool staysWithInterpreter(std::int32_t code);

}  // namespace vnpu::sim::test

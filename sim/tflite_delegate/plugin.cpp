// SPDX-License-Identifier: Apache-2.0
// The functions of libvnpu_tflite_delegate.so, by which interpreters make and end a delegate.
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "sim/base/error.h"
#include "sim/tflite_delegate/delegate.h"
#include "sim/tflite_delegate/kernel.h"

using vnpu::sim::tflite_abi::TfLiteDelegate;
using vnpu::sim::tflite_delegate::Delegate;
using vnpu::sim::tflite_delegate::kernelRegistration;
using vnpu::sim::tflite_delegate::KeyValue;
using vnpu::sim::tflite_delegate::parseOptions;

extern "C" {

// NOLINTBEGIN(readability-identifier-naming): the names of the interface

/// A delegate with the given options; null after a mistake, of which `reportError`, which may be
/// null, gets the text.
TfLiteDelegate* tflite_plugin_create_delegate(const char* const* keys, const char* const* values,
                                              std::size_t count, void (*reportError)(const char*)) {
    try {
        std::vector<KeyValue> given;
        for (std::size_t i = 0; i < count; ++i) {
            if (keys == nullptr || values == nullptr || keys[i] == nullptr ||
                values[i] == nullptr) {
                throw vnpu::sim::InputError("an option has no key or no value");
            }
            given.emplace_back(keys[i], values[i]);
        }
        return Delegate::create(parseOptions(given), kernelRegistration()).release()->handle();
    } catch (const std::exception& error) {
        if (reportError != nullptr) {
            reportError((std::string("vnpu: ") + error.what()).c_str());
        }
    }
    return nullptr;
}

/// Ends a delegate whose interpreters have ended. Null is allowed.
void tflite_plugin_destroy_delegate(TfLiteDelegate* delegate) {
    if (delegate != nullptr) {
        const std::unique_ptr<Delegate> end(&Delegate::of(*delegate));
    }
}

// NOLINTEND(readability-identifier-naming)

}  // extern "C"

// SPDX-License-Identifier: Apache-2.0
// The functions of libvnpu_tflite_delegate.so, by which interpreters make and end a delegate.
#include <exception>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/error.h"
#include "sim/tflite_delegate/delegate.h"
#include "sim/tflite_delegate/kernel.h"

using vnpu::sim::tflite_abi::TfLiteDelegate;
using vnpu::sim::tflite_delegate::Delegate;
using vnpu::sim::tflite_delegate::kernelRegistration;
using vnpu::sim::tflite_delegate::KeyValue;
using vnpu::sim::tflite_delegate::parseOptions;

namespace {

namespace abi = vnpu::sim::tflite_abi;
using vnpu::sim::tflite_delegate::Options;

Options readOptions(const char* const* keys, const char* const* values, std::size_t count) {
    std::vector<KeyValue> given;
    for (std::size_t i = 0; i < count; ++i) {
        if (keys == nullptr || values == nullptr || keys[i] == nullptr || values[i] == nullptr) {
            throw vnpu::sim::InputError("an option has no key or no value");
        }
        given.emplace_back(keys[i], values[i]);
    }
    return parseOptions(given);
}

/// In place of a delegate that could not be made: refuses every graph, with the reason.
struct RefusingDelegate {
    std::string reason;
    TfLiteDelegate handle{};
};

abi::TfLiteStatus refuse(abi::TfLiteContext* context, TfLiteDelegate* delegate) {
    context->ReportError(context, "%s",
                         static_cast<RefusingDelegate*>(delegate->data_)->reason.c_str());
    return abi::kTfLiteError;
}

TfLiteDelegate* refusing(std::string reason) {
    auto delegate = std::make_unique<RefusingDelegate>();
    delegate->reason = std::move(reason);
    delegate->handle.data_ = delegate.get();
    delegate->handle.Prepare = refuse;
    return &delegate.release()->handle;
}

}  // namespace

extern "C" {

// NOLINTBEGIN(readability-identifier-naming): the names of the interface

/// A delegate with the given options; null after a mistake, of which `reportError` gets the text.
/// Without `reportError` the result is a delegate that refuses every graph with the text, because
/// the C interface of TensorFlow Lite passes none and its version 2.9 uses a null delegate.
TfLiteDelegate* tflite_plugin_create_delegate(const char* const* keys, const char* const* values,
                                              std::size_t count, void (*reportError)(const char*)) {
    std::string mistake = "vnpu: ";
    try {
        return Delegate::create(readOptions(keys, values, count), kernelRegistration())
                .release()
                ->handle();
    } catch (const std::exception& error) {
        mistake += error.what();
    }
    if (reportError == nullptr) {
        return refusing(std::move(mistake));
    }
    reportError(mistake.c_str());
    return nullptr;
}

/// Ends a delegate whose interpreters have ended. Null is allowed.
void tflite_plugin_destroy_delegate(TfLiteDelegate* delegate) {
    if (delegate == nullptr) {
        return;
    }
    if (delegate->Prepare == refuse) {
        const std::unique_ptr<RefusingDelegate> end(
                static_cast<RefusingDelegate*>(delegate->data_));
    } else {
        const std::unique_ptr<Delegate> end(&Delegate::of(*delegate));
    }
}

// NOLINTEND(readability-identifier-naming)

}  // extern "C"

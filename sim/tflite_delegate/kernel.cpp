// SPDX-License-Identifier: Apache-2.0
#include "sim/tflite_delegate/kernel.h"

#include <memory>
#include <stdexcept>

#include "sim/tflite_delegate/delegate.h"

namespace vnpu::sim::tflite_delegate {

namespace {

/// A kernel. On the interpreter's thread.
struct Kernel {
    Delegate& delegate;
    std::unique_ptr<CompiledSubset> subset;  // null where the preparation failed
};

/// A failure is reported here and returned by prepare(): older interpreters do not look at the
/// result of init().
void* init(abi::TfLiteContext* context, const char* buffer, std::size_t /*length*/) {
    const auto& params = *reinterpret_cast<const abi::TfLiteDelegateParams*>(buffer);
    Delegate& delegate = Delegate::of(*params.delegate);
    auto kernel = std::make_unique<Kernel>(Kernel{delegate, nullptr});
    guarded(*context, delegate.log(),
            [&] { kernel->subset = delegate.takeSubset(*context, params); });
    return kernel.release();
}

void release(abi::TfLiteContext* /*context*/, void* buffer) {
    const std::unique_ptr<Kernel> kernel(static_cast<Kernel*>(buffer));
}

Kernel& kernelOf(const abi::TfLiteNode& node) {
    return *static_cast<Kernel*>(node.user_data);
}

/// The shapes of the inputs may be others than before where the delegate takes dynamic tensors;
/// otherwise the interpreter prepares the delegate anew.
abi::TfLiteStatus prepare(abi::TfLiteContext* context, abi::TfLiteNode* node) {
    Kernel& kernel = kernelOf(*node);
    return guarded(*context, kernel.delegate.log(), [&] {
        if (kernel.subset == nullptr) {
            throw std::runtime_error("the kernel's nodes are not compiled");
        }
        if (!kernel.delegate.options().takesDynamic) {
            return;
        }
        if (!kernel.subset->fits(*context)) {
            kernel.subset = kernel.subset->again(*context, kernel.delegate.options());
        }
        resizeOutputs(*context, kernel.subset->subset());
    });
}

abi::TfLiteStatus invoke(abi::TfLiteContext* context, abi::TfLiteNode* node) {
    Kernel& kernel = kernelOf(*node);
    return guarded(*context, kernel.delegate.log(), [&] {
        if (kernel.subset == nullptr) {
            throw std::runtime_error("the kernel's nodes are not compiled");
        }
        kernel.subset->execute(*context, kernel.delegate.options());
    });
}

const char* describe(const abi::TfLiteContext* /*context*/, const abi::TfLiteNode* /*node*/) {
    return "vnpu";
}

}  // namespace

abi::TfLiteRegistration kernelRegistration() {
    constexpr std::int32_t kDelegateCode = 51;  // source: TensorFlow Lite schema, DELEGATE
    abi::TfLiteRegistration registration{};
    registration.init = init;
    registration.free = release;
    registration.prepare = prepare;
    registration.invoke = invoke;
    registration.profiling_string = describe;
    registration.builtin_code = kDelegateCode;
    registration.custom_name = "VnpuDelegate";
    registration.version = 1;
    return registration;
}

}  // namespace vnpu::sim::tflite_delegate

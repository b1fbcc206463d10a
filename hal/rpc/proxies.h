// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.3/IDevice.h>

#include <memory>
#include <tuple>
#include <utility>

#include "hal/rpc/method_lists.h"

// Proxies: each method of an interface calls its counterpart in another process.

namespace vnpu::hal::rpc {

/// The common base of all proxies.
class ProxyBase {
  public:
    explicit ProxyBase(std::unique_ptr<RemoteReference> remote) : remote_(std::move(remote)) {}
    virtual ~ProxyBase() = default;
    ProxyBase(const ProxyBase&) = delete;
    ProxyBase& operator=(const ProxyBase&) = delete;

    RemoteReference& remote() const { return *remote_; }

  private:
    const std::unique_ptr<RemoteReference> remote_;
};

/// A proxy of interface I, still without the methods that are called remotely.
template <typename I>
class RemoteObject : public I, public ProxyBase {
    using Recipient = android::sp<android::hardware::hidl_death_recipient>;

  public:
    using ProxyBase::ProxyBase;

    bool isRemote() const override { return true; }
    android::hardware::Return<bool> linkToDeath(const Recipient& recipient,
                                                uint64_t cookie) override {
        return recipient != nullptr &&
               remote().linkToDeath(recipient, cookie, android::wp<base::IBase>(this));
    }
    android::hardware::Return<bool> unlinkToDeath(const Recipient& recipient) override {
        return recipient != nullptr && remote().unlinkToDeath(recipient);
    }
};

/// Adds one method, as a remote call, to the class of a proxy. Only a macro can declare the
/// override, because it needs the method's name; the parameters follow from the method's
/// declaration.
template <typename M, typename Base, typename Pointer = typename M::Pointer>
class Override;

#define VNPU_METHOD(INTERFACE, NAME, WAIT)                                              \
    template <typename Base, typename R, typename... Ts>                                \
    class Override<Method<&INTERFACE::NAME, Wait::WAIT>, Base, R (INTERFACE::*)(Ts...)> \
        : public Base {                                                                 \
      public:                                                                           \
        using Base::Base;                                                               \
        R NAME(Ts... arguments) override {                                              \
            return Method<&INTERFACE::NAME, Wait::WAIT>::call(                          \
                    this->remote(), idOf<&INTERFACE::NAME>(), arguments...);            \
        }                                                                               \
    };
#include "hal/rpc/methods.def"

template <typename Base, typename Methods>
struct WithMethods;
template <typename Base>
struct WithMethods<Base, std::tuple<>> {
    using Type = Base;
};
template <typename Base, typename M, typename... Ms>
struct WithMethods<Base, std::tuple<M, Ms...>> : WithMethods<Override<M, Base>, std::tuple<Ms...>> {
};

template <typename I>
using Proxy = typename WithMethods<RemoteObject<I>, MethodsWithParents<I>>::Type;

}  // namespace vnpu::hal::rpc

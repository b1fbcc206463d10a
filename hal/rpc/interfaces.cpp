// SPDX-License-Identifier: Apache-2.0
#include "hal/rpc/interfaces.h"

#include <array>
#include <memory>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include "hal/rpc/proxies.h"

namespace vnpu::hal::rpc {

using android::sp;
using android::hardware::Status;
using base::IBase;

namespace {

using Serve = Reply (*)(IBase& object, Parcel arguments);

struct MethodEntry {
    Serve serve = nullptr;
    bool carriesObjects = false;
};

struct InterfaceEntry {
    sp<IBase> (*makeProxy)(std::unique_ptr<RemoteReference> remote) = nullptr;
    std::span<const MethodEntry> methods;
};

template <typename I, typename M>
Reply serveAs(IBase& object, Parcel arguments) {
    auto* const target = dynamic_cast<I*>(&object);
    if (target == nullptr) {
        return {failed(Status::EX_UNSUPPORTED_OPERATION,
                       std::string("the object is no ") + I::descriptor),
                {}};
    }
    return M::serve(*target, std::move(arguments));
}

template <typename I, typename... Ms>
InterfaceEntry entryOf(std::tuple<Ms...> /*methods*/) {
    static constexpr MethodEntry kMethods[] = {{&serveAs<I, Ms>, Ms::kCarriesObjects}...};
    return {[](std::unique_ptr<RemoteReference> remote) {
                return sp<IBase>(new Proxy<I>(std::move(remote)));
            },
            kMethods};
}

/// Created on first use, possibly before main().
const std::array<InterfaceEntry, kInterfaceCount>& interfaces() {
    static const auto table = []<typename... Is>(std::type_identity<std::tuple<Is...>>) {
        return std::array{entryOf<Is>(MethodsOf<Is>())...};
    }(std::type_identity<Interfaces>());
    return table;
}

const MethodEntry* find(MethodId id) {
    if (id.interface >= kInterfaceCount || id.method >= interfaces()[id.interface].methods.size()) {
        return nullptr;
    }
    return &interfaces()[id.interface].methods[id.method];
}

}  // namespace

sp<IBase> makeProxy(uint16_t interface, std::unique_ptr<RemoteReference> remote) {
    return interface < kInterfaceCount ? interfaces()[interface].makeProxy(std::move(remote))
                                       : nullptr;
}

RemoteReference* remoteOf(IBase& object) {
    auto* const proxy = dynamic_cast<ProxyBase*>(&object);
    return proxy == nullptr ? nullptr : &proxy->remote();
}

bool carriesObjects(MethodId method) {
    const MethodEntry* const entry = find(method);
    return entry == nullptr || entry->carriesObjects;
}

Reply dispatch(IBase& object, MethodId method, Parcel arguments) {
    const MethodEntry* const entry = find(method);
    if (entry == nullptr) {
        return {failed(Status::EX_UNSUPPORTED_OPERATION,
                       "there is no method " + std::to_string(method.method) + " of interface " +
                               std::to_string(method.interface)),
                {}};
    }
    return entry->serve(object, std::move(arguments));
}

}  // namespace vnpu::hal::rpc

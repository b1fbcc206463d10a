// SPDX-License-Identifier: Apache-2.0
#include "hal/rpc/interfaces.h"

#include <array>
#include <string>
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
    const MethodEntry* methods = nullptr;
    size_t methodCount = 0;
};

template <typename I, typename M>
Reply serveAs(IBase& object, Parcel arguments) {
    auto* const target = dynamic_cast<I*>(&object);
    if (target == nullptr) {
        return {details::failed(Status::EX_UNSUPPORTED_OPERATION,
                                std::string("the object is no ") + I::descriptor),
                {}};
    }
    return M::serve(*target, std::move(arguments));
}

template <typename I, typename List>
struct MethodTable;
template <typename I, typename... Methods>
struct MethodTable<I, MethodList<Methods...>> {
    static constexpr std::array<MethodEntry, sizeof...(Methods)> kEntries = {
            MethodEntry{&serveAs<I, Methods>, Methods::kCarriesObjects}...};
};

template <typename I>
sp<IBase> makeProxyOf(std::unique_ptr<RemoteReference> remote) {
    return sp<IBase>(new Proxy<I>(std::move(remote)));
}

template <typename I>
InterfaceEntry entryOf() {
    const auto& methods = MethodTable<I, MethodsOf<I>>::kEntries;
    return {&makeProxyOf<I>, methods.data(), methods.size()};
}

template <typename List>
struct InterfaceTable;
template <typename... Is>
struct InterfaceTable<std::tuple<Is...>> {
    static std::array<InterfaceEntry, sizeof...(Is)> entries() { return {entryOf<Is>()...}; }
};

/// Created on first use, possibly before main().
const std::array<InterfaceEntry, kInterfaceCount>& interfaces() {
    static const auto table = InterfaceTable<Interfaces>::entries();
    return table;
}

const MethodEntry* find(MethodId id) {
    if (id.interface >= kInterfaceCount || id.method >= interfaces()[id.interface].methodCount) {
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
        return {details::failed(Status::EX_UNSUPPORTED_OPERATION,
                                "there is no method " + std::to_string(method.method) +
                                        " of interface " + std::to_string(method.interface)),
                {}};
    }
    return entry->serve(object, std::move(arguments));
}

}  // namespace vnpu::hal::rpc

// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <sys/socket.h>

#include <cstdint>
#include <cstring>
#include <future>
#include <memory>
#include <random>
#include <utility>
#include <vector>

#include "hal/rpc/interfaces.h"
#include "tests/hal/rpc/raw_socket.h"
#include "tests/hal/rpc/sample.h"
#include "tests/hal/rpc/service_fixture.h"
#include "tests/hal/test_support.h"

namespace {

using namespace vnpu::hal::rpc;
using namespace vnpu::hal::rpc::test;
using android::sp;
using vnpu::hal::RpcClient;

constexpr unsigned kSeed = 1;

/// Cuts, repeats and changes bytes at random places.
std::vector<std::byte> mutate(std::vector<std::byte> bytes, std::mt19937& random) {
    const auto below = [&](size_t limit) { return static_cast<std::ptrdiff_t>(random() % limit); };
    for (auto count = 1 + random() % 4; count > 0 && !bytes.empty(); --count) {
        const auto position = bytes.begin() + below(bytes.size());
        switch (random() % 4) {
            case 0:
                *position = static_cast<std::byte>(random());
                break;
            case 1:
                bytes.erase(position,
                            position + below(static_cast<size_t>(bytes.end() - position)));
                break;
            case 2:
                bytes.insert(position, 1 + random() % 8, static_cast<std::byte>(random()));
                break;
            default:
                *position ^= static_cast<std::byte>(1U << (random() % 8));
        }
    }
    return bytes;
}

/// A peer that any call reaches and that never answers.
class NoAnswer : public RemoteReference {
  public:
    Reply call(MethodId, Parcel) override {
        return {failed(android::hardware::Status::EX_TRANSACTION_FAILED, "no answer"), {}};
    }
    android::hardware::Status send(MethodId, Parcel) override { return {}; }
    bool linkToDeath(const sp<android::hardware::hidl_death_recipient>&, uint64_t,
                     const android::wp<android::hidl::base::V1_0::IBase>&) override {
        return false;
    }
    bool unlinkToDeath(const sp<android::hardware::hidl_death_recipient>&) override {
        return false;
    }
};

/// The first message of a client.
Bytes recordQuestion() {
    const SocketFolder folder;
    const RawSocket listening(folder.socket());
    REQUIRE(bind(listening.fd.get(), listening.generic(), sizeof(listening.address)) == 0);
    REQUIRE(listen(listening.fd.get(), 1) == 0);
    auto client = RpcClient::connect(folder.socket());
    REQUIRE(client.has_value());
    auto question = std::async(std::launch::async, [&] {
        return (*client)->find(v13::IDevice::descriptor, "vnpu-test").has_value();
    });
    android::base::unique_fd accepted(accept(listening.fd.get(), nullptr, nullptr));
    REQUIRE(accepted.ok());
    Bytes all;
    // the request for the registry, and the first call on it
    for (int message = 0; message < 2; ++message) {
        uint32_t header[2];  // one segment, and its size in words
        REQUIRE(recv(accepted.get(), header, sizeof(header), MSG_WAITALL) == sizeof(header));
        REQUIRE(header[0] == 0);
        Bytes body(sizeof(header) + header[1] * sizeof(uint64_t));
        std::memcpy(body.data(), header, sizeof(header));
        const size_t rest = body.size() - sizeof(header);
        REQUIRE(recv(accepted.get(), body.data() + sizeof(header), rest, MSG_WAITALL) ==
                static_cast<ssize_t>(rest));
        all.insert(all.end(), body.begin(), body.end());
    }
    accepted.reset();
    CHECK_FALSE(question.get());
    return all;
}

}  // namespace

TEST_SUITE_BEGIN("hal/rpc/fuzz");

TEST_CASE("any arguments of any method get an answer, and leave no descriptor [E-5]") {
    const size_t descriptors = vnpu::hal::test::settledFdCount();
    {
        std::mt19937 random(kSeed);
        Sampler sampler;
        forEachMethod([&]<typename M>(M*) {
            using I = typename M::Interface;
            const sp<Proxy<I>> object(new Proxy<I>(std::make_unique<NoAnswer>()));
            const Parcel good = encode(sampler.make<typename M::Arguments>());
            const MethodId id = idOf<M::kPointer>();
            for (int i = 0; i < 200; ++i) {
                Parcel parcel = withBytes(good, mutate(good.bytes, random));
                if (random() % 4 == 0 && !parcel.descriptors.empty()) {
                    parcel.descriptors.pop_back();
                }
                dispatch(*object, id, std::move(parcel));
            }
        });
    }
    CHECK(vnpu::hal::test::openFdCount() == descriptors);
}

TEST_CASE("numbers of no interface and no method are refused [E-5]") {
    const sp<Proxy<v13::IBuffer>> object(new Proxy<v13::IBuffer>(std::make_unique<NoAnswer>()));
    for (const MethodId id :
         {MethodId{kInterfaceCount, 0}, MethodId{UINT16_MAX, UINT16_MAX},
          MethodId{numberOf<v13::IBuffer>(), 2}, MethodId{numberOf<v13::IDevice>(), 0}}) {
        CHECK(dispatch(*object, id, {}).status.exceptionCode() ==
              android::hardware::Status::EX_UNSUPPORTED_OPERATION);
    }
    CHECK(makeProxy(kInterfaceCount, std::make_unique<NoAnswer>()) == nullptr);
}

TEST_CASE("a client's message with any byte changed affects no other client [E-5]") {
    const Bytes question = recordQuestion();
    const Service service;
    for (size_t i = 0; i < question.size(); ++i) {
        for (const unsigned change : {0x01U, 0x80U, 0xffU}) {
            Bytes changed = question;
            changed[i] = static_cast<unsigned char>(changed[i] ^ change);
            sayAndLeave(service.folder.socket(), changed);
        }
    }
    CHECK(service.find()->getStatus().isOk());
}

TEST_CASE("a client that breaks off anywhere leaves nothing [E-5]") {
    const Bytes question = recordQuestion();
    const Service service;
    for (size_t size = 0; size < question.size(); ++size) {
        sayAndLeave(service.folder.socket(),
                    Bytes(question.begin(), question.begin() + static_cast<std::ptrdiff_t>(size)));
    }
    const auto device = service.find();
    CHECK(device->getStatus().isOk());
    REQUIRE(service.server->usage().size() == 1);
    CHECK(service.server->usage()[0].connections == 1);
}

TEST_SUITE_END();

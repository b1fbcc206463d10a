// SPDX-License-Identifier: Apache-2.0
#include <android/hidl/base/1.0/IBase.h>
#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <vector>

#include "tests/hal/fake_interfaces.h"

namespace {

using android::sp;
using android::hardware::hidl_array;
using android::hardware::hidl_death_recipient;
using android::hardware::hidl_string;
using android::hardware::hidl_vec;
using android::hidl::base::V1_0::DebugInfo;
using android::hidl::base::V1_0::IBase;
using vnpu::hal::test::Callback10;

struct Recipient : hidl_death_recipient {
    void serviceDied(uint64_t, const android::wp<IBase>&) override {}
};

TEST_SUITE_BEGIN("hal/ibase");

TEST_CASE("is local and answers a ping") {
    const sp<IBase> object = new Callback10;
    CHECK_FALSE(object->isRemote());
    CHECK(object->ping().isOk());
    CHECK(object->debug({}, {}).isOk());
    CHECK(object->setHALInstrumentation().isOk());
    CHECK(object->notifySyspropsChanged().isOk());
}

TEST_CASE("accepts every death recipient but null") {
    const sp<IBase> object = new Callback10;
    CHECK(object->linkToDeath(new Recipient, 1).withDefault(false));
    CHECK(object->unlinkToDeath(new Recipient).withDefault(false));
    CHECK_FALSE(object->linkToDeath(nullptr, 1).withDefault(true));
    CHECK_FALSE(object->unlinkToDeath(nullptr).withDefault(true));
}

TEST_CASE("returns its own descriptor") {
    std::string descriptor;
    const sp<IBase> object = new Callback10;
    CHECK(object->interfaceDescriptor([&](const hidl_string& own) { descriptor = own; }).isOk());
    CHECK(descriptor == "android.hardware.neuralnetworks@1.0::IPreparedModelCallback");
}

TEST_CASE("has a hash for each interface of its chain") {
    std::vector<hidl_array<uint8_t, 32>> hashes;
    const sp<IBase> object = new Callback10;
    CHECK(object->getHashChain([&](const hidl_vec<hidl_array<uint8_t, 32>>& told) {
                    hashes = told;
                }).isOk());
    REQUIRE(hashes.size() == 2);
    CHECK(hashes[0] != hashes[1]);
    // printf android.hidl.base@1.0::IBase | sha256sum
    const std::array<uint8_t, 4> start{0x98, 0x41, 0xC0, 0xE5};
    CHECK(std::equal(start.begin(), start.end(), hashes[1].data()));
}

TEST_CASE("returns process and architecture") {
    DebugInfo info;
    const sp<IBase> object = new Callback10;
    CHECK(object->getDebugInfo([&](const DebugInfo& told) { info = told; }).isOk());
    CHECK(info.pid == getpid());
    CHECK(info.ptr != 0);
    CHECK(info.arch == DebugInfo::Architecture::IS_64BIT);
}

TEST_SUITE_END();

}  // namespace

// SPDX-License-Identifier: Apache-2.0
#include <android/hardware/neuralnetworks/1.3/IDevice.h>
#include <doctest/doctest.h>

#include "tests/hal/fake_interfaces.h"

namespace {

using android::sp;
using android::hardware::hidl_string;
using android::hardware::hidl_vec;
using android::hardware::Return;
using android::hardware::Status;
using android::hidl::base::V1_0::IBase;
using vnpu::hal::test::Callback10;
using vnpu::hal::test::Callback13;
namespace V1_0 = android::hardware::neuralnetworks::V1_0;
namespace V1_2 = android::hardware::neuralnetworks::V1_2;
namespace V1_3 = android::hardware::neuralnetworks::V1_3;

/// Claims interfaces that it does not implement.
struct Pretender : Callback10 {
    Return<void> interfaceChain(interfaceChain_cb callback) override {
        callback(V1_3::IPreparedModelCallback::descriptorChain());
        return android::hardware::Void();
    }
};

/// Represents an object of a process that has ended.
struct Dead : Callback13 {
    Return<void> interfaceChain(interfaceChain_cb) override {
        return Status::fromStatusT(android::DEAD_OBJECT);
    }
};

TEST_SUITE_BEGIN("hal/interface");

TEST_CASE("casts to a later version that the object has") {
    const sp<V1_0::IPreparedModelCallback> callback = new Callback13;
    const sp<V1_2::IPreparedModelCallback> as12 = V1_2::IPreparedModelCallback::castFrom(callback);
    const sp<V1_3::IPreparedModelCallback> as13 = V1_3::IPreparedModelCallback::castFrom(callback);
    CHECK(as12.get() == callback.get());
    CHECK(as13.get() == callback.get());
}

TEST_CASE("casts to null where the object is of an earlier version") {
    const sp<V1_0::IPreparedModelCallback> callback = new Callback10;
    const Return<sp<V1_2::IPreparedModelCallback>> cast =
            V1_2::IPreparedModelCallback::castFrom(callback, true);
    REQUIRE(cast.isOk());
    CHECK(sp<V1_2::IPreparedModelCallback>(cast) == nullptr);
}

TEST_CASE("casts null to null") {
    CHECK(V1_3::IPreparedModelCallback::castFrom(sp<V1_0::IPreparedModelCallback>())
                  .withDefault(new Callback13) == nullptr);
    CHECK(V1_3::IPreparedModel::castFrom(sp<V1_0::IPreparedModel>()).withDefault(nullptr) ==
          nullptr);
}

TEST_CASE("casts from the root and to an ancestor") {
    const sp<IBase> base = new Callback13;
    CHECK(V1_0::IPreparedModelCallback::castFrom(base).withDefault(nullptr) != nullptr);
    CHECK(V1_3::IExecutionCallback::castFrom(base).withDefault(nullptr) == nullptr);
    const sp<Callback13> callback = new Callback13;
    CHECK(V1_0::IPreparedModelCallback::castFrom(callback).withDefault(nullptr) != nullptr);
}

TEST_CASE("does not cast an object that claims a version it does not have") {
    const sp<V1_0::IPreparedModelCallback> callback = new Pretender;
    CHECK(V1_3::IPreparedModelCallback::castFrom(callback).withDefault(nullptr) == nullptr);
}

TEST_CASE("casts a dead object to null") {
    const sp<V1_0::IPreparedModelCallback> callback = new Dead;
    CHECK(V1_3::IPreparedModelCallback::castFrom(callback).withDefault(nullptr) == nullptr);
}

TEST_CASE("the chain goes from the object's own version to the root") {
    std::vector<std::string> chain;
    const sp<IBase> object = new Callback13;
    CHECK(object->interfaceChain([&](const hidl_vec<hidl_string>& descriptors) {
                    chain.assign(descriptors.begin(), descriptors.end());
                }).isOk());
    const std::vector<std::string> expected{
            "android.hardware.neuralnetworks@1.3::IPreparedModelCallback",
            "android.hardware.neuralnetworks@1.2::IPreparedModelCallback",
            "android.hardware.neuralnetworks@1.0::IPreparedModelCallback",
            "android.hidl.base@1.0::IBase"};
    CHECK(chain == expected);
    CHECK(V1_3::IDevice::descriptorChain().size() == 5);
}

TEST_SUITE_END();

}  // namespace

// SPDX-License-Identifier: Apache-2.0
#include <android/hidl/allocator/1.0/IAllocator.h>
#include <android/hidl/manager/1.0/IServiceNotification.h>
#include <doctest/doctest.h>
#include <hidl/ServiceManagement.h>
#include <vnpu/hal/service_registry.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/hal/fake_interfaces.h"

namespace {

using android::sp;
using android::hardware::getAllHalInstanceNames;
using android::hardware::hidl_string;
using android::hardware::Return;
using android::hidl::allocator::V1_0::IAllocator;
using android::hidl::manager::V1_0::IServiceNotification;
using vnpu::hal::unregisterService;
using vnpu::hal::test::Callback10;
using vnpu::hal::test::Callback13;
namespace V1_0 = android::hardware::neuralnetworks::V1_0;
namespace V1_3 = android::hardware::neuralnetworks::V1_3;

/// Registers a service for its own lifetime.
template <typename T>
class Registered {
  public:
    explicit Registered(const std::string& name) : service_(new T) {
        REQUIRE(service_->registerAsService(name) == android::OK);
    }
    Registered(const Registered&) = delete;
    Registered& operator=(const Registered&) = delete;
    ~Registered() { unregisterService(service_); }
    T* get() const { return service_.get(); }

  private:
    sp<T> service_;
};

struct Listener : IServiceNotification {
    std::vector<std::string> heard;

    Return<void> onRegistration(const hidl_string& fqName, const hidl_string& name,
                                bool preexisting) override {
        heard.push_back(std::string(fqName) + "/" + std::string(name) +
                        (preexisting ? " was there" : " came"));
        return android::hardware::Void();
    }
};

// Both run before main(), as in the VTS.
const std::vector<std::string> kAllocatorsBeforeMain =
        getAllHalInstanceNames(IAllocator::descriptor);
const sp<IAllocator> kAllocatorBeforeMain = IAllocator::getService("ashmem");

TEST_SUITE_BEGIN("hal/service_registry");

TEST_CASE("answers before main") {
    CHECK(kAllocatorsBeforeMain == std::vector<std::string>{"ashmem"});
    CHECK(kAllocatorBeforeMain != nullptr);
}

TEST_CASE("finds a service under every interface it has") {
    const Registered<Callback13> service("npu-one");
    CHECK(V1_0::IPreparedModelCallback::getService("npu-one").get() == service.get());
    CHECK(V1_3::IPreparedModelCallback::getService(hidl_string("npu-one")).get() == service.get());
    CHECK(V1_3::IPreparedModelCallback::tryGetService("npu-one").get() == service.get());
}

TEST_CASE("does not find a service of an earlier version under a later one") {
    const Registered<Callback10> service("npu-one");
    CHECK(V1_0::IPreparedModelCallback::getService("npu-one") != nullptr);
    CHECK(V1_3::IPreparedModelCallback::getService("npu-one") == nullptr);
}

TEST_CASE("returns null at once for an unknown name") {
    CHECK(V1_3::IPreparedModelCallback::getService("nobody") == nullptr);
    CHECK(V1_3::IPreparedModelCallback::getService() == nullptr);
    CHECK(V1_3::IPreparedModelCallback::getService(false) == nullptr);
}

TEST_CASE("uses the name default where none is given") {
    const sp<Callback10> service = new Callback10;
    REQUIRE(service->registerAsService() == android::OK);
    CHECK(V1_0::IPreparedModelCallback::getService().get() == service.get());
    CHECK(unregisterService(service));
}

TEST_CASE("lists instance names in order") {
    const Registered<Callback13> b("npu-b");
    const Registered<Callback10> a("npu-a");
    CHECK(getAllHalInstanceNames(V1_0::IPreparedModelCallback::descriptor) ==
          std::vector<std::string>{"npu-a", "npu-b"});
    CHECK(getAllHalInstanceNames(V1_3::IPreparedModelCallback::descriptor) ==
          std::vector<std::string>{"npu-b"});
    CHECK(getAllHalInstanceNames("no.such@1.0::IThing").empty());
}

TEST_CASE("replaces a service of the same name altogether") {
    const Registered<Callback13> earlier("npu-one");
    const Registered<Callback10> later("npu-one");
    CHECK(V1_0::IPreparedModelCallback::getService("npu-one").get() == later.get());
    CHECK(V1_3::IPreparedModelCallback::getService("npu-one") == nullptr);
}

TEST_CASE("forgets a service that is taken out and lets it die") {
    android::wp<Callback13> weak;
    {
        const Registered<Callback13> service("npu-one");
        weak = service.get();
    }
    CHECK(V1_0::IPreparedModelCallback::getService("npu-one") == nullptr);
    CHECK(weak.promote() == nullptr);
    CHECK_FALSE(unregisterService(new Callback10));
}

TEST_CASE("refuses a service without a name") {
    const sp<Callback10> service = new Callback10;
    CHECK(service->registerAsService("") == android::BAD_VALUE);
}

TEST_CASE("notifies of present and of later services") {
    const Registered<Callback10> present("npu-one");
    const sp<Listener> listener = new Listener;
    REQUIRE(V1_0::IPreparedModelCallback::registerForNotifications("npu-one", listener));
    const Registered<Callback10> other("npu-two");
    const Registered<Callback13> again("npu-one");
    const std::string descriptor = V1_0::IPreparedModelCallback::descriptor;
    const std::vector<std::string> expected{descriptor + "/npu-one was there",
                                            descriptor + "/npu-one came"};
    CHECK(listener->heard == expected);
    CHECK_FALSE(V1_0::IPreparedModelCallback::registerForNotifications("npu-one", nullptr));
}

TEST_CASE("an offered service is listed and created on first use [E-5]") {
    int made = 0;
    vnpu::hal::offerService(
            {V1_3::IPreparedModelCallback::descriptor, V1_0::IPreparedModelCallback::descriptor},
            "vnpu-x", [&made]() -> sp<android::hidl::base::V1_0::IBase> {
                ++made;
                return made == 1 ? nullptr : new Callback13;
            });
    const std::vector<std::string> names =
            getAllHalInstanceNames(V1_0::IPreparedModelCallback::descriptor);
    CHECK(std::count(names.begin(), names.end(), "vnpu-x") == 1);
    CHECK(made == 0);
    CHECK(V1_0::IPreparedModelCallback::getService("vnpu-y") == nullptr);
    CHECK(V1_0::IPreparedModelCallback::getService("vnpu-x") == nullptr);  // creation failed
    const auto first = V1_0::IPreparedModelCallback::getService("vnpu-x");
    const auto second = V1_3::IPreparedModelCallback::getService("vnpu-x");
    CHECK(first != nullptr);
    CHECK(second.get() == first.get());
    CHECK(made == 2);
    CHECK(getAllHalInstanceNames(V1_0::IPreparedModelCallback::descriptor) == names);
    unregisterService(first);
    CHECK(V1_0::IPreparedModelCallback::getService("vnpu-x") == nullptr);  // and is not tried again
    CHECK(made == 2);
}

TEST_SUITE_END();

}  // namespace

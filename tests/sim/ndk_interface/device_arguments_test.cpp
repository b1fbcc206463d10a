// SPDX-License-Identifier: Apache-2.0
// Devices of NNAPI's C interface: their properties, and wrong arguments.
#include <doctest/doctest.h>

#include "tests/sim/ndk_interface/ndk_fixture.h"

namespace {

using namespace vnpu::test;

}  // namespace

TEST_SUITE_BEGIN("sim/ndk_interface/device_arguments");

TEST_CASE("all functions of the levels 27 to 30 are there, and those for extensions") {
    ndkCase([] {
        CHECK(vnpu::sim::levelOf(ndk()) == 30);
        CHECK((ndk().deviceGetExtensionSupport != nullptr));
        CHECK((ndk().modelGetExtensionOperandType != nullptr));
        CHECK((ndk().modelGetExtensionOperationType != nullptr));
        CHECK((ndk().modelSetOperandExtensionData != nullptr));
    });
}

TEST_CASE("the first device is an accelerator, the last is the CPU device") {
    ndkCase([] {
        REQUIRE(deviceCount() >= 2);
        const char* name = nullptr;
        std::int32_t type = -1;
        CHECK(code(ndk().deviceGetName(firstDevice(), &name)) == "NO_ERROR");
        CHECK(std::string(name) == "vnpu-edge");
        CHECK(code(ndk().deviceGetType(firstDevice(), &type)) == "NO_ERROR");
        CHECK(type == ANEURALNETWORKS_DEVICE_ACCELERATOR);
        CHECK(code(ndk().deviceGetName(cpuDevice(), &name)) == "NO_ERROR");
        CHECK(std::string(name) == "nnapi-reference");
        CHECK(code(ndk().deviceGetType(cpuDevice(), &type)) == "NO_ERROR");
        CHECK(type == ANEURALNETWORKS_DEVICE_CPU);
    });
}

TEST_CASE("a device tells its version and feature level, and can be waited for") {
    ndkCase([] {
        for (std::uint32_t i = 0; i < deviceCount(); ++i) {
            CAPTURE(i);
            const char* version = nullptr;
            std::int64_t level = 0;
            CHECK(code(ndk().deviceGetVersion(deviceAt(i), &version)) == "NO_ERROR");
            REQUIRE(version != nullptr);
            CHECK(!std::string(version).empty());
            CHECK(code(ndk().deviceGetFeatureLevel(deviceAt(i), &level)) == "NO_ERROR");
            CHECK(level == 30);
            CHECK(code(ndk().deviceWait(deviceAt(i))) == "NO_ERROR");
        }
    });
}

TEST_CASE("the same number gives the same device") {
    ndkCase([] {
        CHECK(deviceAt(0) == deviceAt(0));
        CHECK(deviceAt(0) != deviceAt(deviceCount() - 1));
    });
}

TEST_CASE("getDeviceCount and getDevice refuse null, and numbers without a device") {
    ndkCase([] {
        CHECK(code(ndk().getDeviceCount(nullptr)) == "UNEXPECTED_NULL");
        CHECK(code(ndk().getDevice(0, nullptr)) == "UNEXPECTED_NULL");
        ANeuralNetworksDevice* device = nullptr;
        CHECK(code(ndk().getDevice(deviceCount(), &device)) == "BAD_DATA");
        CHECK(code(ndk().getDevice(UINT32_MAX, &device)) == "BAD_DATA");
        CHECK(device == nullptr);
    });
}

TEST_CASE("the questions about a device refuse null") {
    ndkCase([] {
        const ANeuralNetworksDevice* const device = firstDevice();
        const char* text = nullptr;
        std::int32_t type = 0;
        std::int64_t level = 0;
        CHECK(code(ndk().deviceGetName(nullptr, &text)) == "UNEXPECTED_NULL");
        CHECK(code(ndk().deviceGetName(device, nullptr)) == "UNEXPECTED_NULL");
        CHECK(code(ndk().deviceGetVersion(nullptr, &text)) == "UNEXPECTED_NULL");
        CHECK(code(ndk().deviceGetVersion(device, nullptr)) == "UNEXPECTED_NULL");
        CHECK(code(ndk().deviceGetType(nullptr, &type)) == "UNEXPECTED_NULL");
        CHECK(code(ndk().deviceGetType(device, nullptr)) == "UNEXPECTED_NULL");
        CHECK(code(ndk().deviceGetFeatureLevel(nullptr, &level)) == "UNEXPECTED_NULL");
        CHECK(code(ndk().deviceGetFeatureLevel(device, nullptr)) == "UNEXPECTED_NULL");
        CHECK(code(ndk().deviceWait(nullptr)) == "UNEXPECTED_NULL");
    });
}

TEST_CASE("a device does not support an unknown extension") {
    ndkCase([] {
        bool isSupported = true;
        CHECK(code(ndk().deviceGetExtensionSupport(firstDevice(), "com.example.none",
                                                   &isSupported)) == "NO_ERROR");
        CHECK_FALSE(isSupported);
        CHECK(code(ndk().deviceGetExtensionSupport(nullptr, "a", &isSupported)) ==
              "UNEXPECTED_NULL");
        CHECK(code(ndk().deviceGetExtensionSupport(firstDevice(), nullptr, &isSupported)) ==
              "UNEXPECTED_NULL");
        CHECK(code(ndk().deviceGetExtensionSupport(firstDevice(), "a", nullptr)) ==
              "UNEXPECTED_NULL");
    });
}

TEST_SUITE_END();

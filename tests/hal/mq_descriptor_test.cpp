// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <hidl/MQDescriptor.h>

#include <type_traits>

#include "tests/hal/test_support.h"

namespace {

using android::hardware::kSynchronizedReadWrite;
using android::hardware::MQDescriptorSync;
using vnpu::hal::test::makeFile;
using vnpu::hal::test::openFdCount;
using Descriptor = MQDescriptorSync<uint32_t>;

native_handle_t* queueHandle() {
    native_handle_t* const native = native_handle_create(1, 0);
    native->data[0] = makeFile(64).release();
    return native;
}

TEST_SUITE_BEGIN("hal/mq_descriptor");

TEST_CASE("lays out counters, ring and event flag at multiples of eight") {
    const Descriptor descriptor(20, queueHandle(), sizeof(uint32_t), true);
    REQUIRE(descriptor.countGrantors() == 4);
    const auto& regions = descriptor.grantors();
    CHECK(regions[0].offset == 0);
    CHECK(regions[0].extent == 8);
    CHECK(regions[1].offset == 8);
    CHECK(regions[1].extent == 8);
    CHECK(regions[2].offset == 16);
    CHECK(regions[2].extent == 20);
    CHECK(regions[3].offset == 40);
    CHECK(regions[3].extent == 4);
    CHECK(descriptor.getSize() == 20);
    CHECK(descriptor.getQuantum() == 4);
    CHECK(descriptor.getFlags() == kSynchronizedReadWrite);
}

TEST_CASE("has three regions without an event flag") {
    CHECK(Descriptor(16, queueHandle(), 4).countGrantors() == 3);
}

TEST_CASE("regions start at words of eight bytes") {
    CHECK(Descriptor::alignToWordBoundary(0) == 0);
    CHECK(Descriptor::alignToWordBoundary(9) == 16);
    CHECK(Descriptor::isAlignedToWordBoundary(24));
    CHECK_FALSE(Descriptor::isAlignedToWordBoundary(12));
}

TEST_CASE("is invalid by default") {
    const Descriptor descriptor;
    CHECK_FALSE(descriptor.isHandleValid());
    CHECK(descriptor.getSize() == 0);
}

TEST_CASE("owns its handle and duplicates it when copied, explicitly") {
    static_assert(!std::is_convertible_v<const Descriptor&, Descriptor>);
    const size_t before = openFdCount();
    {
        const Descriptor descriptor(16, queueHandle(), 4);
        CHECK(openFdCount() == before + 1);
        const Descriptor copy(descriptor);  // NOLINT(performance-unnecessary-copy-initialization)
        CHECK(openFdCount() == before + 2);
        CHECK(copy.isHandleValid());
    }
    CHECK(openFdCount() == before);
}

TEST_SUITE_END();

}  // namespace

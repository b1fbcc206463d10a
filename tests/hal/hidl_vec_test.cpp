// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <hidl/HidlSupport.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace {

using android::hardware::hidl_handle;
using android::hardware::hidl_vec;

struct Counted {
    std::shared_ptr<int> live = std::make_shared<int>(0);
};

TEST_SUITE_BEGIN("hal/hidl_vec");

TEST_CASE("is empty and without a buffer by default") {
    const hidl_vec<int> list;
    CHECK(list.size() == 0);
    CHECK(list.data() == nullptr);
    CHECK(list.begin() == list.end());
}

TEST_CASE("makes value-initialized elements of a count") {
    const hidl_vec<int> list = size_t{3};
    CHECK(list == hidl_vec<int>{0, 0, 0});
}

TEST_CASE("takes a braced number as an element, not as a count") {
    CHECK(hidl_vec<uint32_t>({1}).size() == 1);
    CHECK(hidl_vec<uint32_t>({1})[0] == 1);
}

TEST_CASE("takes a braced null as one null interface or handle") {
    const hidl_vec<android::sp<android::RefBase>> interfaces = {nullptr};
    CHECK(interfaces.size() == 1);
    const hidl_vec<hidl_handle> handles = {hidl_handle(nullptr)};
    REQUIRE(handles.size() == 1);
    CHECK(handles[0].getNativeHandle() == nullptr);
}

TEST_CASE("goes from and to std::vector") {
    const std::vector<uint32_t> source{4, 5, 6};
    hidl_vec<uint32_t> list = source;
    std::vector<uint32_t> copy = list;
    CHECK(copy == source);
    copy = std::move(list);
    CHECK(copy == source);
    list = std::vector<uint32_t>(2, 0);
    CHECK(list == hidl_vec<uint32_t>{0, 0});
}

TEST_CASE("converts from and to std::vector<bool>, whose bits have no addresses") {
    const std::vector<bool> source{true, false, true};
    const hidl_vec<bool> list = source;
    CHECK(list.data()[2]);
    CHECK(std::vector<bool>(list) == source);
}

TEST_CASE("takes a pair of iterators") {
    const std::string text = "abc";
    CHECK(hidl_vec<char>(text.begin(), text.end()) == hidl_vec<char>{'a', 'b', 'c'});
}

TEST_CASE("copies deeply and moves the buffer") {
    hidl_vec<int> source{1, 2};
    const int* const buffer = source.data();
    hidl_vec<int> copy = source;
    copy[0] = 9;
    CHECK(source[0] == 1);
    const hidl_vec<int> moved = std::move(source);
    CHECK(moved.data() == buffer);
    CHECK(source.size() == 0);  // NOLINT(bugprone-use-after-move): the state is the subject
}

TEST_CASE("survives assignment to itself") {
    hidl_vec<std::string> list{"a long enough string to live on the heap", "b"};
    auto& same = list;
    list = same;
    CHECK(list.size() == 2);
    CHECK(list[0] == "a long enough string to live on the heap");
}

TEST_CASE("keeps the prefix when it grows or shrinks") {
    hidl_vec<int> list{1, 2, 3};
    list.resize(5);
    CHECK(list == hidl_vec<int>{1, 2, 3, 0, 0});
    list.resize(2);
    CHECK(list == hidl_vec<int>{1, 2});
    list.resize(0);
    CHECK(list.size() == 0);
}

TEST_CASE("moves its elements on resize") {
    hidl_vec<std::unique_ptr<int>> list(1);
    list[0] = std::make_unique<int>(7);
    list.resize(2);
    CHECK(*list[0] == 7);
    CHECK(list[1] == nullptr);
}

TEST_CASE("leaves a borrowed buffer alone") {
    int elements[] = {1, 2, 3};
    {
        hidl_vec<int> list;
        list.setToExternal(elements, 3);
        list[1] = 8;
        const hidl_vec<int> copy = list;
        CHECK(copy.data() != elements);
    }
    CHECK(elements[1] == 8);
}

TEST_CASE("destroys the elements that it owns") {
    const auto live = std::make_shared<int>(0);
    {
        hidl_vec<Counted> list(2);
        list[0].live = live;
        CHECK(live.use_count() == 2);
    }
    CHECK(live.use_count() == 1);
}

TEST_CASE("hands its buffer out") {
    hidl_vec<int> list{1, 2};
    const std::unique_ptr<int[]> buffer(list.releaseData());
    CHECK(buffer[1] == 2);
    CHECK(list.data() == buffer.get());
}

TEST_CASE("hands a copy out when it only borrows") {
    int elements[] = {1, 2};
    hidl_vec<int> list;
    list.setToExternal(elements, 2);
    const std::unique_ptr<int[]> buffer(list.releaseData());
    CHECK(buffer.get() != elements);
    CHECK(buffer[0] == 1);
}

TEST_CASE("finds elements") {
    const hidl_vec<int> list{5, 6};
    CHECK(list.contains(6));
    CHECK_FALSE(list.contains(7));
    CHECK(list.find(6) == list.begin() + 1);
    CHECK(list.find(7) == list.end());
}

TEST_CASE("compares element by element") {
    CHECK(hidl_vec<int>{1, 2} == hidl_vec<int>{1, 2});
    CHECK(hidl_vec<int>{1, 2} != hidl_vec<int>{1, 3});
    CHECK(hidl_vec<int>{1, 2} != hidl_vec<int>{1});
    CHECK(hidl_vec<int>{1, 2} == std::vector<int>{1, 2});
}

TEST_CASE("serves the standard algorithms") {
    hidl_vec<int> list{1, 2, 3};
    std::rotate(list.begin(), list.begin() + 1, list.end());
    CHECK(list == hidl_vec<int>{2, 3, 1});
    std::sort(list.begin(), list.end());
    CHECK(std::is_sorted(list.begin(), list.end()));
    CHECK(std::accumulate(list.begin(), list.end(), 0) == 6);
    list.resize(static_cast<size_t>(std::remove(list.begin(), list.end(), 2) - list.begin()));
    CHECK(list == hidl_vec<int>{1, 3});
}

TEST_SUITE_END();

}  // namespace

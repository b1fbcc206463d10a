// SPDX-License-Identifier: Apache-2.0
#include "sim/client/request_pool.h"

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>

using namespace vnpu::sim;

TEST_SUITE_BEGIN("sim/client/request_pool");

TEST_CASE("arguments follow one another at the requested alignment") {
    const std::vector<std::uint64_t> sizes = {3, 0, 5};
    const RequestPool pool = RequestPool::create(sizes, 4);
    CHECK(pool.memory().size() == 9);
    CHECK(std::string(pool.memory().name()) == "ashmem");
    CHECK(pool.requestArgument(0, 1).location.poolIndex == 1);
    CHECK(pool.requestArgument(0, 1).location.offset == 0);
    CHECK(pool.requestArgument(2, 1).location.offset == 4);
    CHECK(pool.requestArgument(2, 1).location.length == 5);
    CHECK(pool.argument(1).empty());
    CHECK(pool.argument(2).data() - pool.argument(0).data() == 4);
}

TEST_CASE("a pool without arguments has one byte") {
    CHECK(RequestPool::create({}, 64).memory().size() == 1);
}

TEST_CASE("sizes beyond NNAPI's offsets are refused") {
    const std::vector<std::uint64_t> sizes = {0xFFFFFFF0U, 64};
    CHECK_THROWS_AS(RequestPool::create(sizes, 64), std::runtime_error);
}

TEST_CASE("a request has its inputs in pool 0 and its outputs in pool 1 [MP-3]") {
    const std::vector<std::uint64_t> sizes = {4, 8};
    const RequestPool inputs = RequestPool::create(sizes, 4);
    const RequestPool outputs = RequestPool::create(std::vector<std::uint64_t>{16}, 4);
    const nn::Request request = makeRequest(inputs, 2, outputs, 1);
    REQUIRE(request.inputs.size() == 2);
    CHECK(request.inputs[1].location.offset == 4);
    CHECK(request.inputs[1].location.length == 8);
    CHECK_FALSE(request.inputs[1].hasNoValue);
    CHECK(request.outputs[0].location.poolIndex == 1);
    CHECK(request.pools[1].hidlMemory().size() == 16);
}

TEST_SUITE_END();

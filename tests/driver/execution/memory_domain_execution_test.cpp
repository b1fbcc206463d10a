// SPDX-License-Identifier: Apache-2.0
// Executions that read and write buffers of memory domains.
#include <doctest/doctest.h>
#include <vnpu/hal/caller_identity.h>

#include <algorithm>

#include "tests/driver/support/memory_domain_support.h"

using namespace vnpu::driver;
using namespace vnpu::driver::test;
namespace hw = vnpu::hw;

TEST_SUITE_BEGIN("driver/execution/memory_domain/execution");

namespace {

/// Runs for each way to execute, on a separate service.
template <typename F>
void onEachPath(F&& check) {
    for (const Path path : kPaths) {
        CAPTURE(static_cast<int>(path));
        DomainService domain;
        check(domain, [&](const nn::V1_3::Request& request) {
            return run(domain.service, domain.model, request, path);
        });
    }
}

void fill(const DomainService& domain, const Allocated& allocated) {
    REQUIRE_EQ(allocated.buffer->copyFrom(domain.values.memory, {1, kDomainBytes}),
               ErrorStatus::NONE);
}

}  // namespace

TEST_CASE("a buffer goes from one execution to the next without a copy [MD-2] [MD-3]") {
    onEachPath([](DomainService& domain, const auto& execute) {
        const Allocated first = domain.allocateBoth();
        const Allocated second = domain.allocateBoth();
        CHECK_EQ(execute(intoBuffer(domain.values, first.token)), ErrorStatus::NONE);
        CHECK_EQ(execute(requestWith(whole(0), tokenPool(first.token), whole(1),
                                     tokenPool(second.token))),
                 ErrorStatus::NONE);
        CHECK_EQ(execute(fromBuffer(second.token, domain.result)), ErrorStatus::NONE);
        CHECK(isResultRight(domain));
        CHECK_EQ(domain.service.counters().hostCopiedBytes, 0);
        CHECK_EQ(domain.service.port.jobs().size(), 3);
    });
}

TEST_CASE("the device reaches exactly a buffer's contents, as an input to read only [MD-3]") {
    DomainService domain;
    const Allocated allocated = domain.allocateBoth();
    REQUIRE_EQ(run(domain.service, domain.model, intoBuffer(domain.values, allocated.token)),
               ErrorStatus::NONE);
    REQUIRE_EQ(run(domain.service, domain.model, fromBuffer(allocated.token, domain.result)),
               ErrorStatus::NONE);
    const auto jobs = domain.service.port.jobs();
    REQUIRE_EQ(jobs.size(), 2);
    CHECK_EQ(jobs[0].regions[1].sizeBytes, kDomainBytes);
    CHECK_EQ(jobs[0].regions[1].flags, vnpu::fw::kRegionWritable);
    CHECK_EQ(jobs[1].regions[0].sizeBytes, kDomainBytes);
    CHECK_EQ(jobs[1].regions[0].flags, 0);
    CHECK_EQ(jobs[1].regions[0].address, jobs[0].regions[1].address);
}

TEST_CASE("an unknown token is refused [MD-3]") {
    onEachPath([](DomainService& domain, const auto& execute) {
        Allocated ended = domain.allocateBoth();
        fill(domain, ended);
        const std::uint32_t token = ended.token;
        ended = {};
        for (const std::uint32_t wrong : {0U, 100U, token}) {
            CHECK_EQ(execute(fromBuffer(wrong, domain.result)), ErrorStatus::INVALID_ARGUMENT);
            CHECK_EQ(execute(intoBuffer(domain.values, wrong)), ErrorStatus::INVALID_ARGUMENT);
        }
        nn::V1_3::Request unused = requestOf(domain.values, domain.result, kDomainBytes);
        unused.pools = {unused.pools[0], unused.pools[1], tokenPool(100)};
        CHECK_EQ(execute(unused), ErrorStatus::INVALID_ARGUMENT);
        CHECK(domain.service.port.jobs().empty());
    });
}

TEST_CASE("a token of another caller is refused like an unknown one [MD-3]") {
    onEachPath([](DomainService& domain, const auto& execute) {
        Allocated theirs;
        vnpu::hal::setCallerUidProvider([] { return 10777U; });
        const PrepareOutcome prepared = domain.service.prepare(reluModel({1, kDomainBytes}));
        theirs = allocate(domain.service, {prepared.model}, {role(0)}, {role(0)});
        vnpu::hal::setCallerUidProvider({});
        fill(domain, theirs);
        CHECK_EQ(execute(fromBuffer(theirs.token, domain.result)), ErrorStatus::INVALID_ARGUMENT);
        CHECK_EQ(execute(intoBuffer(domain.values, theirs.token)), ErrorStatus::INVALID_ARGUMENT);
        CHECK(domain.service.observer.hasLogged("caller has no buffer with token"));
        CHECK_EQ(theirs.buffer->copyTo(domain.result.memory), ErrorStatus::NONE);  // untouched
    });
}

TEST_CASE("a buffer serves the prepared models that it was allocated for [MD-3]") {
    onEachPath([](DomainService& domain, const auto& execute) {
        auto other = domain.service.prepare(reluModel({1, kDomainBytes})).model;
        const Allocated theirs = allocate(domain.service, {other}, {role(0)}, {role(0)});
        fill(domain, theirs);
        CHECK_EQ(execute(fromBuffer(theirs.token, domain.result)), ErrorStatus::INVALID_ARGUMENT);
        CHECK_EQ(execute(intoBuffer(domain.values, theirs.token)), ErrorStatus::INVALID_ARGUMENT);
        // The same for a deleted model, whose address another model may have.
        other = nullptr;
        other = domain.service.prepare(reluModel({1, kDomainBytes})).model;
        CHECK_EQ(run(domain.service, other, fromBuffer(theirs.token, domain.result)),
                 ErrorStatus::INVALID_ARGUMENT);
    });
}

TEST_CASE("a buffer serves the arguments that it was allocated for [MD-3]") {
    Service service;
    const auto model = service.prepare(twoReluModel({1, kDomainBytes})).model;
    REQUIRE_NE(model, nullptr);
    const Allocated buffer = allocate(service, {model}, {role(0)}, {role(1)});
    const Pool memory(kDomainBytes);
    REQUIRE_EQ(buffer.buffer->copyFrom(memory.memory, {}), ErrorStatus::NONE);
    for (const Path path : kPaths) {
        for (std::size_t place = 0; place < 4; ++place) {
            nn::V1_3::Request request;
            request.inputs = {argument(0, 0, kDomainBytes), argument(0, 0, kDomainBytes)};
            request.outputs = {argument(0, 0, kDomainBytes), argument(0, 0, kDomainBytes)};
            request.pools = {memoryPool(memory), tokenPool(buffer.token)};
            (place < 2 ? request.inputs : request.outputs)[place % 2] = whole(1);
            CHECK_EQ(run(service, model, request, path),
                     place == 0 || place == 3 ? ErrorStatus::NONE : ErrorStatus::INVALID_ARGUMENT);
        }
    }
}

TEST_CASE("an input buffer is not an output buffer, and vice versa [MD-3]") {
    onEachPath([](DomainService& domain, const auto& execute) {
        const Allocated input = allocate(domain.service, {domain.model}, {role(0)}, {});
        const Allocated output = allocate(domain.service, {domain.model}, {}, {role(0)});
        fill(domain, input);
        CHECK_EQ(execute(intoBuffer(domain.values, input.token)), ErrorStatus::INVALID_ARGUMENT);
        CHECK_EQ(execute(fromBuffer(input.token, domain.result)), ErrorStatus::NONE);
        CHECK_EQ(execute(intoBuffer(domain.values, output.token)), ErrorStatus::NONE);
        CHECK_EQ(execute(fromBuffer(output.token, domain.result)), ErrorStatus::INVALID_ARGUMENT);
    });
}

TEST_CASE("only a buffer with contents is an input [MD-3] [MD-4]") {
    onEachPath([](DomainService& domain, const auto& execute) {
        const Allocated allocated = domain.allocateBoth();
        CHECK_EQ(execute(fromBuffer(allocated.token, domain.result)), ErrorStatus::GENERAL_FAILURE);
        CHECK_EQ(execute(intoBuffer(domain.values, allocated.token)), ErrorStatus::NONE);
        CHECK_EQ(execute(fromBuffer(allocated.token, domain.result)), ErrorStatus::NONE);
        CHECK(isResultRight(domain));
    });
}

TEST_CASE("a failed execution leaves its output buffer without contents [MD-3]") {
    onEachPath([](DomainService& domain, const auto& execute) {
        const Allocated allocated = domain.allocateBoth();
        fill(domain, allocated);
        domain.service.port.setJobFunction(
                [](FakeMemory&, const ObservedJob&) { return hw::JobStatus::kBusError; });
        CHECK_EQ(execute(fromBuffer(allocated.token, domain.result)), ErrorStatus::GENERAL_FAILURE);
        CHECK_EQ(allocated.buffer->copyTo(domain.result.memory), ErrorStatus::NONE);  // an input

        CHECK_EQ(execute(intoBuffer(domain.values, allocated.token)), ErrorStatus::GENERAL_FAILURE);
        CHECK_EQ(allocated.buffer->copyTo(domain.result.memory), ErrorStatus::GENERAL_FAILURE);
        CHECK_EQ(execute(fromBuffer(allocated.token, domain.result)), ErrorStatus::GENERAL_FAILURE);
    });
}

TEST_CASE("an execution whose deadline has passed leaves its output buffer without contents") {
    DomainService domain;
    const Allocated allocated = domain.allocateBoth();
    fill(domain, allocated);
    const Outcome outcome =
            executeSync(domain.model, intoBuffer(domain.values, allocated.token),
                        nn::V1_2::MeasureTiming::NO, at(std::chrono::nanoseconds(0)));
    CHECK_EQ(outcome.status, ErrorStatus::MISSED_DEADLINE_PERSISTENT);
    CHECK_EQ(allocated.buffer->copyTo(domain.result.memory), ErrorStatus::GENERAL_FAILURE);
}

TEST_CASE("a request may use a buffer that it writes only once [MD-3]") {
    Service service;
    const auto model = service.prepare(twoReluModel({1, kDomainBytes})).model;
    const Allocated buffer = allocate(service, {model}, {role(0), role(1)}, {role(0), role(1)});
    const Pool memory(kDomainBytes);
    REQUIRE_EQ(buffer.buffer->copyFrom(memory.memory, {}), ErrorStatus::NONE);
    for (const Path path : kPaths) {
        nn::V1_3::Request request;
        request.pools = {memoryPool(memory), tokenPool(buffer.token), tokenPool(buffer.token)};
        const auto inMemory = argument(0, 0, kDomainBytes);
        request.inputs = {whole(1), inMemory};
        request.outputs = {inMemory, whole(2)};  // under another pool index
        CHECK_EQ(run(service, model, request, path), ErrorStatus::INVALID_ARGUMENT);
        request.inputs = {inMemory, inMemory};
        request.outputs = {whole(1), whole(1)};
        CHECK_EQ(run(service, model, request, path), ErrorStatus::INVALID_ARGUMENT);
        request.inputs = {whole(1), whole(2)};
        request.outputs = {inMemory, inMemory};
        CHECK_EQ(run(service, model, request, path), ErrorStatus::NONE);
    }
}

TEST_CASE("an argument in a buffer must be the whole buffer [MD-3]") {
    onEachPath([](DomainService& domain, const auto& execute) {
        const Allocated allocated = domain.allocateBoth();
        fill(domain, allocated);
        for (const auto& part : {argument(0, 0, kDomainBytes), argument(0, 4, 0)}) {
            nn::V1_3::Request request = fromBuffer(allocated.token, domain.result);
            request.inputs = {part};
            CHECK_EQ(execute(request), ErrorStatus::INVALID_ARGUMENT);
        }
    });
}

TEST_CASE("shapes in a request must not contradict the buffer's [MD-5]") {
    for (const Path path :
         {Path::kSync, Path::kAsync}) {  // fenced executions do not allow open shapes
        DomainService domain({0, kDomainBytes});
        const Allocated allocated = domain.allocateBoth({1, kDomainBytes});
        const Pool twice(std::uint64_t{2} * kDomainBytes);
        const auto inMemory = argument(0, 0, 2 * kDomainBytes, {2, kDomainBytes});
        const auto memory = memoryPool(twice);
        const auto token = tokenPool(allocated.token);
        const auto execute = [&](const nn::V1_3::Request& request) {
            return run(domain.service, domain.model, request, path);
        };
        CHECK_EQ(execute(requestWith(whole(0, {2, kDomainBytes}), token,
                                     argument(1, 0, 2 * kDomainBytes, {2, kDomainBytes}), memory)),
                 ErrorStatus::INVALID_ARGUMENT);
        CHECK_EQ(execute(requestWith(inMemory, memory, whole(1, {2, kDomainBytes}), token)),
                 ErrorStatus::INVALID_ARGUMENT);
        fill(domain, allocated);
        CHECK_EQ(execute(requestWith(inMemory, memory, whole(1), token)),
                 ErrorStatus::GENERAL_FAILURE);  // the result is larger than the buffer
        CHECK_EQ(allocated.buffer->copyTo(domain.result.memory), ErrorStatus::GENERAL_FAILURE);
    }
}

TEST_CASE(
        "an open input with too few bytes for its shape fails if the result goes into a buffer "
        "[MD-5]") {
    for (const Path path : {Path::kSync, Path::kAsync}) {
        DomainService domain({0, kDomainBytes});
        const Allocated allocated = domain.allocateBoth({1, kDomainBytes});
        const auto memory = memoryPool(domain.values);
        const auto token = tokenPool(allocated.token);
        const auto oneRowForTwo = argument(0, 0, kDomainBytes, {2, kDomainBytes});
        const auto execute = [&](const nn::V1_0::RequestArgument& output,
                                 const nn::V1_3::Request::MemoryPool& outputPool) {
            return run(domain.service, domain.model,
                       requestWith(oneRowForTwo, memory, output, outputPool), path);
        };
        CHECK_EQ(execute(whole(1, {2, kDomainBytes}), token), ErrorStatus::INVALID_ARGUMENT);
        CHECK_EQ(execute(whole(1), token), ErrorStatus::GENERAL_FAILURE);
        CHECK_EQ(execute(argument(1, 0, kDomainBytes), memoryPool(domain.result)),
                 ErrorStatus::INVALID_ARGUMENT);
        CHECK(domain.service.port.jobs().empty());
    }
    onEachPath([](DomainService& domain, const auto& execute) {  // a shape that the model gives
        const Allocated allocated = domain.allocateBoth();
        nn::V1_3::Request request = intoBuffer(domain.values, allocated.token);
        request.inputs[0].location.length = kDomainBytes - 1;
        CHECK_EQ(execute(request), ErrorStatus::INVALID_ARGUMENT);
    });
}

TEST_SUITE_END();

// SPDX-License-Identifier: Apache-2.0
// IF and WHILE: streams with branches, executed on plain byte arrays.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "hw_model/regs/command_stream.h"
#include "tests/driver/compiler/model_check.h"
#include "tests/support/text.h"

namespace vnpu::driver::test {
namespace {

using vnpu::test::contains;

const TensorSpec kFlag{kBool, {1}};
const TensorSpec kCounter{kInt, {1}};

Bytes flag(bool value) {
    return {value ? std::byte{1} : std::byte{0}};
}
Bytes counter(std::int32_t value) {
    return bytesOf(std::vector<std::int32_t>{value});
}
Bytes floats(const std::vector<float>& values) {
    return bytesOf(values);
}

/// x of `shape` -> operation(x, x, no activation), with shape `result`.
ModelBuilder onItself(OperationType type, const Dimensions& shape, const Dimensions& result) {
    ModelBuilder body;
    const std::uint32_t x = body.input({kFloat, shape});
    body.operation(type, {x, x, body.int32(0)}, body.output({kFloat, result}));
    return body;
}

/// x of `shape` -> x concatenated with itself, with shape `result`.
ModelBuilder repeated(const Dimensions& shape, const Dimensions& result) {
    ModelBuilder body;
    const std::uint32_t x = body.input({kFloat, shape});
    body.operation(OperationType::CONCATENATION, {x, x, body.int32(0)},
                   body.output({kFloat, result}));
    return body;
}

/// condition ? then(x) : otherwise(x)
ModelBuilder choice(const ModelBuilder& then, const ModelBuilder& otherwise,
                    const Dimensions& shape, const Dimensions& result) {
    ModelBuilder builder;
    const std::uint32_t condition = builder.input(kFlag);
    const std::uint32_t x = builder.input({kFloat, shape});
    builder.operation(OperationType::IF,
                      {condition, builder.subgraph(then), builder.subgraph(otherwise), x},
                      builder.output({kFloat, result}));
    return builder;
}

/// Inputs i and x of a loop: i < limit.
ModelBuilder below(std::int32_t limit, const Dimensions& shape) {
    ModelBuilder condition;
    const std::uint32_t i = condition.input(kCounter);
    condition.input({kFloat, shape});
    condition.operation(OperationType::LESS, {i, condition.int32s({limit})},
                        condition.output(kFlag));
    return condition;
}

/// i + 1, and a step that `add` adds to the body, starting from x; it returns nothing and writes y.
template <typename Add>
ModelBuilder counting(const Dimensions& shape, const Dimensions& result, const Add& add) {
    ModelBuilder body;
    const std::uint32_t i = body.input(kCounter);
    const std::uint32_t x = body.input({kFloat, shape});
    const std::uint32_t next = body.output(kCounter);
    const std::uint32_t y = body.output({kFloat, result});
    body.operation(OperationType::ADD, {i, body.int32s({1}), body.int32(0)}, next);
    add(body, x, y);
    return body;
}

void doubling(ModelBuilder& body, std::uint32_t x, std::uint32_t y) {
    body.operation(OperationType::ADD, {x, x, body.int32(0)}, y);
}

/// i, x -> the result of `body` repeated while `condition` holds.
ModelBuilder loop(const ModelBuilder& condition, const ModelBuilder& body, const Dimensions& shape,
                  const Dimensions& result) {
    ModelBuilder builder;
    const std::uint32_t i = builder.input(kCounter);
    const std::uint32_t x = builder.input({kFloat, shape});
    builder.operation(OperationType::WHILE,
                      {builder.subgraph(condition), builder.subgraph(body), i, x},
                      {builder.output(kCounter), builder.output({kFloat, result})});
    return builder;
}

Result<CompiledModel> compiled(const ModelBuilder& builder) {
    return compile(builder.build(), {}, edgeDevice());
}

/// The outputs and shapes of one run.
InterpretedRun runOf(const ModelBuilder& builder, const std::vector<Bytes>& inputs) {
    const auto model = compiled(builder);
    REQUIRE_MESSAGE(model.has_value(), model.error().reason);
    InterpretedRun run = interpret(*model, edgeDevice(), {}, inputs, 1);
    CHECK(run.error == "");
    return run;
}

std::string refusalOf(const ModelBuilder& builder, ErrorStatus status) {
    const auto model = compiled(builder);
    REQUIRE(!model.has_value());
    CHECK(model.error().status == status);
    return model.error().reason;
}

}  // namespace

TEST_SUITE_BEGIN("driver/compiler/frontend/control_flow");

TEST_CASE("IF runs the branch that its condition selects [E-2]") {
    const ModelBuilder builder = choice(onItself(OperationType::ADD, {3}, {3}),
                                        onItself(OperationType::MUL, {3}, {3}), {3}, {3});
    CHECK(checkModel(builder, {flag(true), floats({1, 2, 3})}, {floats({2, 4, 6})}) == "");
    CHECK(checkModel(builder, {flag(false), floats({1, 2, 3})}, {floats({1, 4, 9})}) == "");
}

TEST_CASE("every nonzero byte is true [E-2]") {
    const ModelBuilder builder = choice(onItself(OperationType::ADD, {1}, {1}),
                                        onItself(OperationType::MUL, {1}, {1}), {1}, {1});
    CHECK(checkModel(builder, {{std::byte{0x80}}, floats({3})}, {floats({6})}) == "");
}

TEST_CASE("IF within IF within IF [E-2]") {
    const ModelBuilder twice = onItself(OperationType::ADD, {2}, {2});
    const ModelBuilder square = onItself(OperationType::MUL, {2}, {2});
    // The outer branches have their own condition, the same for both.
    ModelBuilder builder;
    const std::uint32_t outer = builder.input(kFlag);
    const std::uint32_t inner = builder.input(kFlag);
    const std::uint32_t x = builder.input({kFloat, {2}});
    const ModelBuilder first = choice(twice, square, {2}, {2});
    const ModelBuilder second = choice(square, twice, {2}, {2});
    builder.operation(OperationType::IF,
                      {outer, builder.subgraph(first), builder.subgraph(second), inner, x},
                      builder.output({kFloat, {2}}));
    const Bytes data = floats({3, -5});
    const Bytes sum = floats({6, -10});
    const Bytes product = floats({9, 25});
    CHECK(checkModel(builder, {flag(true), flag(true), data}, {sum}) == "");
    CHECK(checkModel(builder, {flag(true), flag(false), data}, {product}) == "");
    CHECK(checkModel(builder, {flag(false), flag(true), data}, {product}) == "");
    CHECK(checkModel(builder, {flag(false), flag(false), data}, {sum}) == "");
}

TEST_CASE("an operation after IF reads the branch's result [E-2]") {
    ModelBuilder builder;
    const std::uint32_t condition = builder.input(kFlag);
    const std::uint32_t x = builder.input({kFloat, {300}});
    const std::uint32_t before = builder.temporary({kFloat, {300}});
    const std::uint32_t between = builder.temporary({kFloat, {300}});
    builder.operation(OperationType::RELU, {x}, before);
    builder.operation(OperationType::IF,
                      {condition, builder.subgraph(onItself(OperationType::ADD, {300}, {300})),
                       builder.subgraph(onItself(OperationType::MUL, {300}, {300})), before},
                      between);
    builder.operation(OperationType::RELU6, {between}, builder.output({kFloat, {300}}));
    Dice dice(4);
    const Bytes input = dice.data(kFloat, 300);
    Values sums = centered(input, kFloat, 0);
    Values products = sums;
    for (std::size_t i = 0; i < sums.size(); ++i) {
        const double value = std::max(sums[i], 0.0);
        sums[i] = 2 * value;
        products[i] = value * value;
    }
    CHECK(checkModel(builder, {flag(true), input}, {store(sums, {kFloat, 0, 0, 3}, 1.0)}) == "");
    CHECK(checkModel(builder, {flag(false), input}, {store(products, {kFloat, 0, 0, 3}, 1.0)}) ==
          "");
}

TEST_CASE("an output left open takes the shape that both branches have [E-2]") {
    const ModelBuilder builder = choice(onItself(OperationType::ADD, {3}, {3}),
                                        onItself(OperationType::MUL, {3}, {3}), {3}, {});
    const auto model = compiled(builder);
    REQUIRE(model.has_value());
    CHECK(model->dynamicTensors.empty());
    CHECK(model->outputs[0].dimensions == Dimensions{3});
}

TEST_CASE("an output has the shape of the branch that ran [E-2]") {
    const ModelBuilder builder =
            choice(repeated({3}, {6}), onItself(OperationType::MUL, {3}, {3}), {3}, {});
    const InterpretedRun longer = runOf(builder, {flag(true), floats({1, 2, 3})});
    CHECK(longer.shapes[0] == Dimensions{6});
    CHECK(longer.outputs[0] == floats({1, 2, 3, 1, 2, 3}));
    const InterpretedRun shorter = runOf(builder, {flag(false), floats({1, 2, 3})});
    CHECK(shorter.shapes[0] == Dimensions{3});
    CHECK(shorter.outputs[0] == floats({1, 4, 9}));
}

TEST_CASE("WHILE runs its body as often as its condition holds [E-2]") {
    const ModelBuilder builder = loop(below(5, {3}), counting({3}, {3}, doubling), {3}, {3});
    CHECK(checkModel(builder, {counter(0), floats({1, 2, -3})},
                     {counter(5), floats({32, 64, -96})}) == "");
    CHECK(checkModel(builder, {counter(4), floats({1, 2, -3})}, {counter(5), floats({2, 4, -6})}) ==
          "");
    CHECK(checkModel(builder, {counter(5), floats({1, 2, -3})}, {counter(5), floats({1, 2, -3})}) ==
          "");
}

TEST_CASE("WHILE passes constant inputs through [E-2]") {
    ModelBuilder condition;
    const std::uint32_t i = condition.input(kCounter);
    const std::uint32_t limit = condition.input(kCounter);
    condition.operation(OperationType::LESS, {i, limit}, condition.output(kFlag));
    ModelBuilder body;
    const std::uint32_t now = body.input(kCounter);
    const std::uint32_t step = body.input(kCounter);
    body.operation(OperationType::ADD, {now, step, body.int32(0)}, body.output(kCounter));
    ModelBuilder builder;
    const std::uint32_t start = builder.input(kCounter);
    const std::uint32_t fixed = builder.input(kCounter);
    builder.operation(OperationType::WHILE,
                      {builder.subgraph(condition), builder.subgraph(body), start, fixed},
                      builder.output(kCounter));
    CHECK(checkModel(builder, {counter(-7), counter(5)}, {counter(8)}) == "");  // -7, -2, 3, 8
}

TEST_CASE("WHILE within WHILE [E-2]") {
    // Each outer step doubles x three times.
    const ModelBuilder inner = loop(below(3, {2}), counting({2}, {2}, doubling), {2}, {2});
    const ModelBuilder body =
            counting({2}, {2}, [&](ModelBuilder& outer, std::uint32_t x, std::uint32_t y) {
                ModelBuilder nested;
                const std::uint32_t v = nested.input({kFloat, {2}});
                nested.operation(
                        OperationType::WHILE,
                        {nested.subgraph(below(3, {2})),
                         nested.subgraph(counting({2}, {2}, doubling)), nested.int32s({0}), v},
                        {nested.temporary(kCounter), nested.output({kFloat, {2}})});
                // Through an IF with two equal branches: all three kinds of nesting.
                const std::uint32_t always = outer.constant(kFlag, flag(true));
                outer.operation(OperationType::IF,
                                {always, outer.subgraph(nested), outer.subgraph(nested), x}, y);
            });
    const ModelBuilder builder = loop(below(4, {2}), body, {2}, {2});
    CHECK(checkModel(builder, {counter(2), floats({1, -1})}, {counter(4), floats({64, -64})}) ==
          "");
    CHECK(checkModel(inner, {counter(0), floats({1, -1})}, {counter(3), floats({8, -8})}) == "");
}

TEST_CASE("a state may grow from step to step [E-2]") {
    const ModelBuilder builder = loop(
            below(3, {}),
            counting({}, {},
                     [](ModelBuilder& body, std::uint32_t x, std::uint32_t y) {
                         body.operation(OperationType::CONCATENATION, {x, x, body.int32(0)}, y);
                     }),
            {2}, {});
    const InterpretedRun run = runOf(builder, {counter(0), floats({1, 2})});
    CHECK(run.shapes[1] == Dimensions{16});
    CHECK(run.outputs[1] == floats({1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2}));
    CHECK(run.outputs[0] == counter(3));
    const InterpretedRun none = runOf(builder, {counter(3), floats({1, 2})});
    CHECK(none.shapes[1] == Dimensions{2});
    CHECK(none.outputs[1] == floats({1, 2}));
}

TEST_CASE("loops nest as deep as the device counts, no deeper [Q-6]") {
    const auto nested = [](int depth) {
        ModelBuilder inside = onItself(OperationType::ADD, {1}, {1});
        for (int level = 0; level < depth; ++level) {
            const ModelBuilder body =
                    counting({1}, {1}, [&](ModelBuilder& outer, std::uint32_t x, std::uint32_t y) {
                        const std::uint32_t always = outer.constant(kFlag, flag(true));
                        outer.operation(OperationType::IF,
                                        {always, outer.subgraph(inside),
                                         outer.subgraph(onItself(OperationType::MUL, {1}, {1})), x},
                                        y);
                    });
            ModelBuilder next;
            const std::uint32_t x = next.input({kFloat, {1}});
            next.operation(OperationType::WHILE,
                           {next.subgraph(below(1, {1})), next.subgraph(body), next.int32s({0}), x},
                           {next.temporary(kCounter), next.output({kFloat, {1}})});
            inside = next;
        }
        return inside;
    };
    CHECK(compiled(nested(vnpu::hw::kMaxLoops)).has_value());
    const ModelBuilder deeper = nested(vnpu::hw::kMaxLoops + 1);
    CHECK(contains(refusalOf(deeper, ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT),
                   "nested deeper than 64"));
    CHECK(contains(findUnsupported(deeper.build()).front(), "nested deeper than 64"));
}

TEST_CASE("endlessly nested subgraphs are refused permanently [Q-6]") {
    ModelBuilder inside = onItself(OperationType::ADD, {1}, {1});
    for (int level = 0; level < 20; ++level) {
        ModelBuilder next;
        const std::uint32_t always = next.constant(kFlag, flag(true));
        const std::uint32_t x = next.input({kFloat, {1}});
        const std::uint32_t both = next.subgraph(inside);
        next.operation(OperationType::IF, {always, both, both, x}, next.output({kFloat, {1}}));
        inside = next;
    }
    CHECK(contains(refusalOf(inside, ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT),
                   "unfold into more than 100000 operations"));
}

TEST_CASE("branches and states whose shapes differ from the model's are refused [E-7]") {
    const ModelBuilder branch = choice(onItself(OperationType::ADD, {3}, {3}),
                                       onItself(OperationType::MUL, {3}, {3}), {3}, {4});
    CHECK(contains(refusalOf(branch, ErrorStatus::INVALID_ARGUMENT),
                   "subgraph's operand has shape [3], outside it is [4]"));
    const ModelBuilder input = choice(onItself(OperationType::ADD, {2}, {3}),
                                      onItself(OperationType::MUL, {3}, {3}), {3}, {3});
    CHECK(contains(refusalOf(input, ErrorStatus::INVALID_ARGUMENT), "shape [2]"));
    const ModelBuilder state = loop(below(5, {3}), counting({3}, {3}, doubling), {3}, {4});
    CHECK(contains(refusalOf(state, ErrorStatus::INVALID_ARGUMENT),
                   "output 1 has shape [4] in the model, computed [3]"));
}

TEST_CASE("an operation of a subgraph that the device lacks is named [E-8]") {
    ModelBuilder foreign;
    const std::uint32_t x = foreign.input({kFloat, {3}});
    foreign.operation(static_cast<OperationType>(5 << 16 | 1), {x}, foreign.output({kFloat, {3}}));
    const ModelBuilder builder = choice(onItself(OperationType::ADD, {3}, {3}), foreign, {3}, {3});
    const std::string reason = findUnsupported(builder.build()).front();
    CHECK(contains(reason, "operation 0 (IF)"));
    CHECK(contains(reason, "operation 0 (0x50001) of a subgraph: the device has no such"));
}

TEST_SUITE_END();

}  // namespace vnpu::driver::test

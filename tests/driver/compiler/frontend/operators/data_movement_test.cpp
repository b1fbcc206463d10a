// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "driver/compiler/compiler.h"
#include "hw_model/regs/command_reader.h"
#include "tests/driver/compiler/model_check.h"

namespace vnpu::driver::test {
namespace {

struct ElementType {
    OperandType type;
    std::uint32_t bytes;
};
constexpr ElementType kMovedTypes[] = {{OperandType::TENSOR_QUANT8_ASYMM, 1},
                                       {OperandType::TENSOR_BOOL8, 1},
                                       {OperandType::TENSOR_FLOAT16, 2},
                                       {OperandType::TENSOR_INT32, 4}};

TensorSpec specOf(const ElementType& element, const Dimensions& shape) {
    const bool isQuantized = element.type == OperandType::TENSOR_QUANT8_ASYMM;
    return {element.type, shape, isQuantized ? 0.5F : 0.0F, isQuantized ? 77 : 0};
}

Bytes noise(Dice& dice, const Dimensions& shape, const ElementType& element) {
    return dice.data(OperandType::TENSOR_QUANT8_ASYMM, elementsOf(shape) * element.bytes);
}

Dimensions anyShape(Dice& dice, std::uint32_t rank, std::uint32_t most) {
    Dimensions shape;
    for (std::uint32_t d = 0; d < rank; ++d) {
        shape.push_back(dice.size(1, most));
    }
    return shape;
}

using Index = std::vector<std::int64_t>;

/// The elements of a tensor of `shape`; `source` maps each index to an index of `from`.
template <typename Source>
Bytes pickElements(const Dimensions& shape, const Bytes& input, const Dimensions& from,
                   std::uint32_t bytes, Source source) {
    Bytes result;
    for (std::uint64_t i = 0; i < elementsOf(shape); ++i) {
        Index index(shape.size());
        std::uint64_t rest = i;
        for (std::size_t d = shape.size(); d-- > 0; rest /= shape[d]) {
            index[d] = static_cast<std::int64_t>(rest % shape[d]);
        }
        const Index at = source(index);
        std::int64_t element = 0;
        for (std::size_t d = 0; d < from.size(); ++d) {
            element = element * from[d] + at[d];
        }
        const auto first = input.begin() + element * bytes;
        result.insert(result.end(), first, first + bytes);
    }
    return result;
}

std::set<hw::Opcode> opcodesUsed(const ModelBuilder& builder) {
    const auto compiled = compile(builder.build(), builder.pools(), edgeDevice());
    REQUIRE(compiled.has_value());
    const std::vector<hw::Opcode> all = opcodesOf(*compiled);
    std::set<hw::Opcode> opcodes(all.begin(), all.end());
    opcodes.erase(hw::Opcode::kEnd);
    return opcodes;
}

ModelBuilder transposition(const ElementType& element, const Dimensions& from,
                           const std::vector<std::int32_t>& permutation) {
    Dimensions to;
    for (const std::int32_t d : permutation) {
        to.push_back(from[static_cast<std::size_t>(d)]);
    }
    ModelBuilder builder;
    const std::uint32_t x = builder.input(specOf(element, from));
    const std::uint32_t y = builder.output(specOf(element, to));
    builder.operation(OperationType::TRANSPOSE, {x, builder.int32s(permutation)}, y);
    return builder;
}

}  // namespace

TEST_SUITE_BEGIN("driver/compiler/frontend/operators/data_movement");

TEST_CASE("TRANSPOSE of any rank and type, cut into tiles [E-2]") {
    for (std::uint32_t seed = 0; seed < 60; ++seed) {
        CAPTURE(seed);
        Dice dice(seed);
        const ElementType element = kMovedTypes[seed % 4];
        const Dimensions from = anyShape(dice, dice.size(1, 4), seed < 50 ? 9 : 17);
        std::vector<std::int32_t> permutation;
        for (std::size_t d = 0; d < from.size(); ++d) {
            const auto at = static_cast<std::ptrdiff_t>(
                    dice.size(0, static_cast<std::uint32_t>(permutation.size())));
            permutation.insert(permutation.begin() + at, static_cast<std::int32_t>(d));
        }
        Dimensions to;
        for (const std::int32_t d : permutation) {
            to.push_back(from[static_cast<std::size_t>(d)]);
        }
        const Bytes input = noise(dice, from, element);
        const Bytes expected =
                pickElements(to, input, from, element.bytes, [&](const Index& index) {
                    Index source(from.size());
                    for (std::size_t d = 0; d < to.size(); ++d) {
                        source[static_cast<std::size_t>(permutation[d])] = index[d];
                    }
                    return source;
                });
        CHECK(checkModel(transposition(element, from, permutation), {input}, {expected}) == "");
    }
}

TEST_CASE("long rows are transposed by DMA, elements on the vector unit [E-3]") {
    using Opcodes = std::set<hw::Opcode>;
    CHECK(opcodesUsed(transposition(kMovedTypes[0], {8, 16, 64}, {1, 0, 2})) ==
          Opcodes{hw::Opcode::kDmaTransfer});
    CHECK(opcodesUsed(transposition(kMovedTypes[0], {8, 64, 16}, {0, 2, 1})) ==
          Opcodes{hw::Opcode::kDmaTransfer, hw::Opcode::kVecOperator});
}

TEST_CASE("SLICE and STRIDED_SLICE take a part, along open ends and dropped axes [E-2]") {
    for (std::uint32_t seed = 0; seed < 60; ++seed) {
        CAPTURE(seed);
        Dice dice(seed);
        const ElementType element = kMovedTypes[seed % 4];
        const Dimensions from = anyShape(dice, dice.size(1, 4), 9);
        const bool isStrided = dice.chance(2);
        std::vector<std::int32_t> begins, ends, sizes, strides;
        std::int32_t beginMask = 0, endMask = 0, shrinkMask = 0;
        Dimensions part, shape;
        Index first;
        for (std::size_t d = 0; d < from.size(); ++d) {
            const auto extent = static_cast<std::int32_t>(from[d]);
            const std::int32_t begin = dice.pick(0, extent - 1);
            const std::int32_t end = dice.pick(begin + 1, extent);
            const std::int32_t stride = isStrided ? dice.pick(1, 3) : 1;
            const std::uint32_t count =
                    static_cast<std::uint32_t>((end - begin + stride - 1) / stride);
            const bool isShrunk = isStrided && count == 1 && dice.chance(3);
            part.push_back(count);
            first.push_back(begin);
            beginMask |= begin == 0 && dice.chance(2) ? 1 << d : 0;
            endMask |= end == extent && dice.chance(2) ? 1 << d : 0;
            shrinkMask |= isShrunk ? 1 << d : 0;
            if (!isShrunk) {
                shape.push_back(count);
            }
            begins.push_back(dice.chance(2) && isStrided ? begin - extent : begin);
            ends.push_back(end);
            sizes.push_back(end == extent && dice.chance(2) ? -1 : end - begin);
            strides.push_back(stride);
        }
        if (shape.empty()) {
            shape.push_back(1);
        }
        const Bytes input = noise(dice, from, element);
        const Bytes expected =
                pickElements(part, input, from, element.bytes, [&](const Index& index) {
                    Index source(first);
                    for (std::size_t d = 0; d < source.size(); ++d) {
                        source[d] += index[d] * strides[d];
                    }
                    return source;
                });
        ModelBuilder builder;
        const std::uint32_t x = builder.input(specOf(element, from));
        const std::uint32_t y = builder.output(specOf(element, isStrided ? shape : part));
        if (isStrided) {
            builder.operation(
                    OperationType::STRIDED_SLICE,
                    {x, builder.int32s(begins), builder.int32s(ends), builder.int32s(strides),
                     builder.int32(beginMask), builder.int32(endMask), builder.int32(shrinkMask)},
                    y);
        } else {
            builder.operation(OperationType::SLICE,
                              {x, builder.int32s(begins), builder.int32s(sizes)}, y);
        }
        CHECK(checkModel(builder, {input}, {expected}) == "");
    }
}

TEST_CASE("a slice that goes backwards or has no constant ends runs on the DSP") {
    ModelBuilder builder;
    const std::uint32_t x = builder.input(specOf(kMovedTypes[3], {6}));
    const std::uint32_t y = builder.output(specOf(kMovedTypes[3], {6}));
    builder.operation(OperationType::STRIDED_SLICE,
                      {x, builder.int32s({5}), builder.int32s({0}), builder.int32s({-1}),
                       builder.int32(0), builder.int32(1), builder.int32(0)},
                      y);
    CHECK(opcodesUsed(builder).count(hw::Opcode::kDspOperator) == 1);
}

TEST_CASE("SPLIT writes all of its outputs [E-2]") {
    Dice dice(3);
    const Dimensions from{3, 8, 5};
    const Bytes input = noise(dice, from, kMovedTypes[2]);
    ModelBuilder builder;
    const std::uint32_t x = builder.input(specOf(kMovedTypes[2], from));
    std::vector<std::uint32_t> outputs;
    std::vector<Bytes> expected;
    for (std::int64_t o = 0; o < 4; ++o) {
        outputs.push_back(builder.output(specOf(kMovedTypes[2], {3, 2, 5})));
        expected.push_back(pickElements({3, 2, 5}, input, from, 2, [o](const Index& index) {
            return Index{index[0], index[1] + 2 * o, index[2]};
        }));
    }
    builder.operation(OperationType::SPLIT, {x, builder.int32(-2), builder.int32(4)}, outputs);
    CHECK(checkModel(builder, {input}, expected) == "");
    CHECK(opcodesUsed(builder) == std::set<hw::Opcode>{hw::Opcode::kDmaTransfer});
}

TEST_CASE("GATHER and EMBEDDING_LOOKUP of constant indices are copies [E-2]") {
    Dice dice(4);
    const Dimensions from{4, 6, 5};
    const Bytes input = noise(dice, from, kMovedTypes[3]);
    const std::vector<std::int32_t> indexes{5, 0, 1, 2, 2, 4};
    ModelBuilder gather;
    const std::uint32_t x = gather.input(specOf(kMovedTypes[3], from));
    const std::uint32_t y = gather.output(specOf(kMovedTypes[3], {4, 2, 3, 5}));
    gather.operation(OperationType::GATHER, {x, gather.int32(1), gather.int32s(indexes, {2, 3})},
                     y);
    const Bytes gathered = pickElements({4, 6, 5}, input, from, 4, [&](const Index& index) {
        return Index{index[0], indexes[static_cast<std::size_t>(index[1])], index[2]};
    });
    CHECK(checkModel(gather, {input}, {gathered}) == "");
    CHECK(opcodesUsed(gather) == std::set<hw::Opcode>{hw::Opcode::kDmaTransfer});

    const std::vector<std::int32_t> rows{3, 0, 0, 1, 2};
    ModelBuilder lookup;
    const std::uint32_t values = lookup.input(specOf(kMovedTypes[3], from));
    const std::uint32_t found = lookup.output(specOf(kMovedTypes[3], {5, 6, 5}));
    lookup.operation(OperationType::EMBEDDING_LOOKUP, {lookup.int32s(rows), values}, found);
    const Bytes looked = pickElements({5, 6, 5}, input, from, 4, [&](const Index& index) {
        return Index{rows[static_cast<std::size_t>(index[0])], index[1], index[2]};
    });
    CHECK(checkModel(lookup, {input}, {looked}) == "");
    CHECK(opcodesUsed(lookup) == std::set<hw::Opcode>{hw::Opcode::kDmaTransfer});
}

TEST_CASE("TILE repeats along every axis [E-2]") {
    for (std::uint32_t seed = 0; seed < 30; ++seed) {
        CAPTURE(seed);
        Dice dice(seed);
        const ElementType element = kMovedTypes[seed % 4];
        const Dimensions from = anyShape(dice, dice.size(1, 4), 5);
        std::vector<std::int32_t> multiples;
        Dimensions to;
        for (const std::uint32_t extent : from) {
            multiples.push_back(dice.pick(1, 3));
            to.push_back(extent * static_cast<std::uint32_t>(multiples.back()));
        }
        const Bytes input = noise(dice, from, element);
        const Bytes expected = pickElements(to, input, from, element.bytes, [&](Index index) {
            for (std::size_t d = 0; d < index.size(); ++d) {
                index[d] %= from[d];
            }
            return index;
        });
        ModelBuilder builder;
        const std::uint32_t x = builder.input(specOf(element, from));
        const std::uint32_t y = builder.output(specOf(element, to));
        builder.operation(OperationType::TILE, {x, builder.int32s(multiples)}, y);
        CHECK(checkModel(builder, {input}, {expected}) == "");
        CHECK(opcodesUsed(builder) == std::set<hw::Opcode>{hw::Opcode::kDmaTransfer});
    }
}

TEST_CASE("CHANNEL_SHUFFLE interleaves the groups [E-2]") {
    for (const std::int32_t axis : {0, 1, -1}) {
        CAPTURE(axis);
        Dice dice(9);
        const Dimensions shape{12, 6, 24};
        const auto along = static_cast<std::size_t>(axis < 0 ? 2 : axis);
        const Bytes input = noise(dice, shape, kMovedTypes[0]);
        const std::int64_t perGroup = shape[along] / 3;
        const Bytes expected = pickElements(shape, input, shape, 1, [&](Index index) {
            index[along] = index[along] % 3 * perGroup + index[along] / 3;
            return index;
        });
        ModelBuilder builder;
        const std::uint32_t x = builder.input(specOf(kMovedTypes[0], shape));
        const std::uint32_t y = builder.output(specOf(kMovedTypes[0], shape));
        builder.operation(OperationType::CHANNEL_SHUFFLE,
                          {x, builder.int32(3), builder.int32(axis)}, y);
        CHECK(checkModel(builder, {input}, {expected}) == "");
        CHECK(opcodesUsed(builder).count(hw::Opcode::kDspOperator) == 0);
    }
}

TEST_CASE("SPACE_TO_DEPTH and DEPTH_TO_SPACE are each other's inverse [E-2]") {
    for (const bool isNchw : {false, true}) {
        CAPTURE(isNchw);
        Dice dice(10);
        const ElementType element = kMovedTypes[2];
        const Dimensions large = isNchw ? Dimensions{2, 5, 6, 8} : Dimensions{2, 6, 8, 5};
        const Dimensions small = isNchw ? Dimensions{2, 20, 3, 4} : Dimensions{2, 3, 4, 20};
        const Bytes pixels = noise(dice, large, element);
        // The channels of a block's pixels follow one another, row by row.
        const Bytes blocks =
                pickElements(small, pixels, large, element.bytes, [&](const Index& index) -> Index {
                    const std::int64_t row = index[isNchw ? 2 : 1];
                    const std::int64_t column = index[isNchw ? 3 : 2];
                    const std::int64_t depth = index[isNchw ? 1 : 3];
                    const std::int64_t y = row * 2 + depth / 10;
                    const std::int64_t x = column * 2 + depth / 5 % 2;
                    return isNchw ? Index{index[0], depth % 5, y, x}
                                  : Index{index[0], y, x, depth % 5};
                });
        const auto check = [&](OperationType type, const Dimensions& from, const Dimensions& to,
                               const Bytes& input, const Bytes& expected) {
            ModelBuilder builder;
            const std::uint32_t x = builder.input(specOf(element, from));
            const std::uint32_t y = builder.output(specOf(element, to));
            builder.operation(type, {x, builder.int32(2), builder.boolean(isNchw)}, y);
            CHECK(checkModel(builder, {input}, {expected}) == "");
            CHECK(opcodesUsed(builder).count(hw::Opcode::kDspOperator) == 0);
        };
        check(OperationType::SPACE_TO_DEPTH, large, small, pixels, blocks);
        check(OperationType::DEPTH_TO_SPACE, small, large, blocks, pixels);
    }
}

TEST_CASE("SPACE_TO_BATCH_ND with padding, and BATCH_TO_SPACE_ND [E-2]") {
    Dice dice(11);
    const ElementType element = kMovedTypes[0];
    const Dimensions image{2, 5, 4, 3};
    const Dimensions padded{2, 6, 6, 3};  // a row on top, two columns on the right
    const Dimensions small{12, 3, 2, 3};
    const Bytes pixels = noise(dice, image, element);
    Bytes framed(elementsOf(padded), std::byte{77});
    for (std::size_t b = 0; b < 2; ++b) {
        for (std::size_t y = 0; y < 5; ++y) {
            std::copy_n(pixels.begin() + static_cast<std::ptrdiff_t>((b * 5 + y) * 12), 12,
                        framed.begin() + static_cast<std::ptrdiff_t>(((b * 6 + y + 1) * 6) * 3));
        }
    }
    const Bytes batches = pickElements(small, framed, padded, 1, [](const Index& index) {
        const std::int64_t place = index[0] / 2;
        return Index{index[0] % 2, index[1] * 2 + place / 3, index[2] * 3 + place % 3, index[3]};
    });
    ModelBuilder toBatch;
    const std::uint32_t x = toBatch.input(specOf(element, image));
    const std::uint32_t y = toBatch.output(specOf(element, small));
    toBatch.operation(OperationType::SPACE_TO_BATCH_ND,
                      {x, toBatch.int32s({2, 3}), toBatch.int32s({1, 0, 0, 2}, {2, 2})}, y);
    CHECK(checkModel(toBatch, {pixels}, {batches}) == "");
    CHECK(opcodesUsed(toBatch) ==
          std::set<hw::Opcode>{hw::Opcode::kDmaFill, hw::Opcode::kDmaTransfer});

    ModelBuilder toSpace;
    const std::uint32_t from = toSpace.input(specOf(element, small));
    const std::uint32_t to = toSpace.output(specOf(element, padded));
    toSpace.operation(OperationType::BATCH_TO_SPACE_ND, {from, toSpace.int32s({2, 3})}, to);
    CHECK(checkModel(toSpace, {batches}, {framed}) == "");
    CHECK(opcodesUsed(toSpace) == std::set<hw::Opcode>{hw::Opcode::kDmaTransfer});
}

TEST_CASE("TOPK_V2 writes values and indices, some rows at a time [E-2]") {
    Dice dice(15);
    const Bytes input = dice.data(OperandType::TENSOR_INT32, 60UL * 7);
    const auto numbers = valuesOf<std::int32_t>(input);
    std::vector<std::int32_t> values, indexes;
    for (std::size_t row = 0; row < 60; ++row) {
        std::vector<std::int32_t> order{0, 1, 2, 3, 4, 5, 6};
        const auto at = [&](std::int32_t i) {
            return numbers[row * 7 + static_cast<std::size_t>(i)];
        };
        std::stable_sort(order.begin(), order.end(),
                         [&](std::int32_t a, std::int32_t b) { return at(a) > at(b); });
        for (std::size_t i = 0; i < 3; ++i) {
            values.push_back(at(order[i]));
            indexes.push_back(order[i]);
        }
    }
    ModelBuilder builder;
    const std::uint32_t x = builder.input(specOf(kMovedTypes[3], {4, 15, 7}));
    const std::uint32_t y = builder.output(specOf(kMovedTypes[3], {4, 15, 3}));
    const std::uint32_t z = builder.output(specOf(kMovedTypes[3], {4, 15, 3}));
    builder.operation(OperationType::TOPK_V2, {x, builder.int32(3)},
                      std::vector<std::uint32_t>{y, z});
    CHECK(checkModel(builder, {input}, {bytesOf(values), bytesOf(indexes)}) == "");
}

TEST_CASE("PAD_V2 and FILL write values of every width [E-2]") {
    Dice dice(12);
    const Bytes input = noise(dice, {1}, kMovedTypes[3]);
    ModelBuilder pad;
    const std::uint32_t x = pad.input(specOf(kMovedTypes[3], {1}));
    const std::uint32_t y = pad.output(specOf(kMovedTypes[3], {4}));
    pad.operation(OperationType::PAD_V2, {x, pad.int32s({1, 2}, {1, 2}), pad.int32(-70000)}, y);
    Bytes padded = bytesOf(std::vector<std::int32_t>{-70000, 0, -70000, -70000});
    std::copy(input.begin(), input.end(), padded.begin() + 4);
    CHECK(checkModel(pad, {input}, {padded}) == "");

    // An odd number of halves gives pairs and a last single one.
    for (const std::uint32_t count : {1U, 2U, 7U}) {
        CAPTURE(count);
        ModelBuilder fill;
        const std::uint32_t half =
                fill.constant({OperandType::FLOAT16, {}}, bytesOf<std::uint16_t>({0x3C01}));
        const std::uint32_t halves = fill.output(specOf(kMovedTypes[2], {count}));
        fill.operation(OperationType::FILL, {fill.int32s({static_cast<std::int32_t>(count)}), half},
                       halves);
        const Bytes expected = bytesOf(std::vector<std::uint16_t>(count, 0x3C01));
        CHECK(checkModel(fill, {}, {expected}) == "");
        CHECK(opcodesUsed(fill) == std::set<hw::Opcode>{hw::Opcode::kDmaFill});
    }
}

TEST_CASE("a pad of another value stays in front of a convolution") {
    for (const std::int32_t value : {17, 16}) {
        CAPTURE(value);
        constexpr OperandType kQuant = OperandType::TENSOR_QUANT8_ASYMM;
        ModelBuilder builder;
        const std::uint32_t x = builder.input({kQuant, {1, 9, 8, 3}, 0.5F, 17});
        const std::uint32_t padded = builder.temporary({kQuant, {1, 11, 10, 3}, 0.5F, 17});
        builder.operation(
                OperationType::PAD_V2,
                {x, builder.int32s({0, 0, 1, 1, 1, 1, 0, 0}, {4, 2}), builder.int32(value)},
                padded);
        const std::uint32_t filter = builder.pooled({kQuant, {4, 3, 3, 3}, 0.25F, 4}, Bytes(108));
        const std::uint32_t bias = builder.pooled({OperandType::TENSOR_INT32, {4}}, Bytes(16));
        const std::uint32_t y = builder.output({kQuant, {1, 9, 8, 4}, 90.0F, 5});
        builder.operation(OperationType::CONV_2D,
                          {padded, filter, bias, builder.int32(2), builder.int32(1),
                           builder.int32(1), builder.int32(0)},
                          y);
        const auto compiled = compile(builder.build(), builder.pools(), edgeDevice());
        REQUIRE(compiled.has_value());
        CHECK(compiled->operations[0].isFolded == (value == 17));
    }
}

TEST_CASE("CONCATENATION of halves in place of their makers [E-2]") {
    Dice dice(13);
    const Dimensions part{3, 5};
    const Bytes a = noise(dice, part, kMovedTypes[2]);
    const Bytes b = noise(dice, part, kMovedTypes[2]);
    ModelBuilder builder;
    std::vector<std::uint32_t> operands;
    for (int i = 0; i < 2; ++i) {
        const std::uint32_t x = builder.input(specOf(kMovedTypes[2], {5, 3}));
        operands.push_back(builder.temporary(specOf(kMovedTypes[2], part)));
        builder.operation(OperationType::TRANSPOSE, {x, builder.int32s({1, 0})}, operands.back());
    }
    operands.push_back(builder.int32(0));
    const std::uint32_t y = builder.output(specOf(kMovedTypes[2], {6, 5}));
    builder.operation(OperationType::CONCATENATION, operands, y);
    const auto turned = [&](const Bytes& input) {
        return pickElements(part, input, {5, 3}, 2, [](const Index& index) {
            return Index{index[1], index[0]};
        });
    };
    Bytes expected = turned(a);
    const Bytes second = turned(b);
    expected.insert(expected.end(), second.begin(), second.end());
    CHECK(checkModel(builder, {a, b}, {expected}) == "");
}

TEST_CASE("SQUEEZE and EXPAND_DIMS between operations cost nothing") {
    Dice dice(14);
    const Bytes input = dice.data(OperandType::TENSOR_QUANT8_ASYMM, 24);
    ModelBuilder builder;
    const TensorSpec flat{OperandType::TENSOR_QUANT8_ASYMM, {6, 4}, 0.5F, 0};
    const TensorSpec deep{OperandType::TENSOR_QUANT8_ASYMM, {6, 1, 4}, 0.5F, 0};
    const std::uint32_t x = builder.input(flat);
    const std::uint32_t first = builder.temporary(flat);
    const std::uint32_t expanded = builder.temporary(deep);
    const std::uint32_t squeezed = builder.temporary(flat);
    const std::uint32_t y = builder.output(flat);
    builder.operation(OperationType::RELU, {x}, first);
    builder.operation(OperationType::EXPAND_DIMS, {first, builder.int32(1)}, expanded);
    builder.operation(OperationType::SQUEEZE, {expanded, builder.int32s({-2})}, squeezed);
    builder.operation(OperationType::RELU, {squeezed}, y);
    CHECK(checkModel(builder, {input}, {input}) == "");
    const auto compiled = compile(builder.build(), {}, edgeDevice());
    REQUIRE(compiled.has_value());
    CHECK(compiled->operations[1].isFolded);
    CHECK(compiled->operations[2].isFolded);
}

TEST_SUITE_END();

}  // namespace vnpu::driver::test

// SPDX-License-Identifier: Apache-2.0
// Every operator that moves elements, against a loop over the places of its results.
#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "tests/sim/import/run_cases.h"

namespace {

using namespace vnpu::sim::test;
using schema::BuiltinOptions;
using schema::BuiltinOptions2;
using schema::TensorType;
using Builder = flatbuffers::FlatBufferBuilder;
using Place = std::vector<int>;

std::size_t countOf(const Ints& shape) {
    return static_cast<std::size_t>(
            std::accumulate(shape.begin(), shape.end(), 1, std::multiplies<>()));
}

/// Calls `visit` for every place of the shape in the order of rows.
void forEachPlace(const Ints& shape, const std::function<void(const Place&)>& visit) {
    Place place(shape.size(), 0);
    for (std::size_t i = 0; i < countOf(shape); ++i) {
        visit(place);
        for (std::size_t k = shape.size(); k > 0 && ++place[k - 1] == shape[k - 1]; --k) {
            place[k - 1] = 0;
        }
    }
}

double elementAt(const Ints& shape, const Reals& values, const Place& place) {
    std::size_t at = 0;
    for (std::size_t i = 0; i < shape.size(); ++i) {
        at = at * static_cast<std::size_t>(shape[i]) + static_cast<std::size_t>(place[i]);
    }
    return values[at];
}

struct Move {
    const char* name;
    std::int32_t code;
    Ints from, to;
    std::function<Place(const Place&)> source;  // of a place of the result; empty: 0
    std::vector<CaseTensor> constants = {};     // further inputs
    BuiltinOptions optionsType = BuiltinOptions::NONE;
    OptionsMaker options = {};
    BuiltinOptions2 options2Type = BuiltinOptions2::NONE;
    OptionsMaker options2 = {};
    double fill = 0.0;
};

/// In real, 8-bit, integer and truth tensors; 8-bit ones with another scale of the result too.
void addMove(std::vector<Case>& cases, const Move& move) {
    const std::size_t count = countOf(move.from);
    const auto add = [&](CaseTensor in, CaseTensor out, double steps) {
        in.values = rounded(in);
        out.values.clear();
        forEachPlace(move.to, [&](const Place& place) {
            const Place from = move.source(place);
            out.values.push_back(from.empty() && !move.from.empty()
                                         ? move.fill
                                         : elementAt(move.from, in.values, from));
        });
        std::vector<CaseTensor> inputs = {in};
        inputs.insert(inputs.end(), move.constants.begin(), move.constants.end());
        std::vector<bool> isConstant(inputs.size(), true);
        isConstant[0] = false;
        cases.push_back(caseOf({.name = move.name,
                                .code = move.code,
                                .inputs = inputs,
                                .isConstant = isConstant,
                                .outputs = {out},
                                .optionsType = move.optionsType,
                                .options = move.options,
                                .options2Type = move.options2Type,
                                .options2 = move.options2,
                                .steps = steps}));
    };
    const Reals numbers = counting(count, -5);
    add(real(move.from, numbers), real(move.to), 0);
    add(integer(move.from, numbers), integer(move.to), 0);
    add(signed8(move.from, 0.5F, 3, numbers), signed8(move.to, 0.5F, 3), 0);
    add(unsigned8(move.from, 0.5F, 100, numbers), unsigned8(move.to, 1.0F, 110), 0.01);
    if (move.fill == 0.0) {
        add(truth(move.from, mapped(numbers, [](double x) { return x > 3 ? 1.0 : 0.0; })),
            truth(move.to), 0);
    }
}

CaseTensor ints(Reals values) {
    const auto count = static_cast<std::int32_t>(values.size());
    return integer({count}, std::move(values));
}

CaseTensor longs(Reals values) {
    const auto count = static_cast<std::int32_t>(values.size());
    return typed(TensorType::INT64, {count}, std::move(values));
}

/// The place `place` of `to` counted through in rows, as a place of `from`.
std::function<Place(const Place&)> samePosition(const Ints& to, const Ints& from) {
    return [=](const Place& place) {
        int at = 0;
        for (std::size_t i = 0; i < to.size(); ++i) {
            at = at * to[i] + place[i];
        }
        Place result(from.size());
        for (std::size_t i = from.size(); i > 0; --i) {
            result[i - 1] = at % from[i - 1];
            at /= from[i - 1];
        }
        return result;
    };
}

}  // namespace

TEST_SUITE_BEGIN("sim/import/movement");

TEST_CASE("RESHAPE, SQUEEZE and EXPAND_DIMS keep the order of the elements") {
    std::vector<Case> cases;
    const Ints from = {2, 3, 4};
    const auto reshape = [&](const Ints& to, std::vector<CaseTensor> constants) {
        addMove(cases, {"RESHAPE", 22, from, to, samePosition(to, from), std::move(constants)});
    };
    reshape({6, 4}, {ints({6, 4})});
    reshape({4, 6}, {longs({-1, 6})});
    reshape({1, 2, 3, 2, 2}, {ints({1, 2, 3, -1, 2})});
    reshape({24}, {});  // the shape of the result says it
    Move byOptions{"RESHAPE options", 22, from, {8, 3}, samePosition({8, 3}, from)};
    byOptions.optionsType = BuiltinOptions::ReshapeOptions;
    byOptions.options = [](Builder& builder) {
        return schema::CreateReshapeOptions(builder, builder.CreateVector(std::vector<int>{-1, 3}))
                .Union();
    };
    addMove(cases, byOptions);
    addMove(cases, {"SQUEEZE", 43, {1, 3, 1, 4}, {3, 4}, samePosition({3, 4}, {1, 3, 1, 4})});
    Move one{"SQUEEZE one", 43, {1, 3, 1, 4}, {1, 3, 4}, samePosition({1, 3, 4}, {1, 3, 1, 4})};
    one.optionsType = BuiltinOptions::SqueezeOptions;
    one.options = [](Builder& builder) {
        return schema::CreateSqueezeOptions(builder, builder.CreateVector(std::vector<int>{-2}))
                .Union();
    };
    addMove(cases, one);
    addMove(cases,
            {"EXPAND_DIMS", 70, {3, 4}, {3, 1, 4}, samePosition({3, 1, 4}, {3, 4}), {ints({1})}});
    addMove(cases, {"EXPAND_DIMS last",
                    70,
                    {3, 4},
                    {3, 4, 1},
                    samePosition({3, 4, 1}, {3, 4}),
                    {integer({}, {-1})}});
    addMove(cases, {"STABLEHLO_RESHAPE", 167, from, {4, 6}, samePosition({4, 6}, from)});
    runCases(cases);
}

TEST_CASE("TRANSPOSE exchanges dimensions, six of them too") {
    std::vector<Case> cases;
    addMove(cases, {"TRANSPOSE",
                    39,
                    {2, 3, 4},
                    {4, 2, 3},
                    [](const Place& p) {
                        return Place{p[1], p[2], p[0]};
                    },
                    {ints({2, 0, 1})}});
    addMove(cases, {"TRANSPOSE 6",
                    39,
                    {2, 2, 1, 2, 2, 3},
                    {2, 2, 1, 2, 2, 3},
                    [](const Place& p) { return Place{p[0], p[4], p[2], p[1], p[3], p[5]}; },
                    {ints({0, 3, 2, 4, 1, 5})}});
    Move hlo{"STABLEHLO_TRANSPOSE", 202, {2, 3}, {3, 2}, [](const Place& p) {
                 return Place{p[1], p[0]};
             }};
    hlo.options2Type = BuiltinOptions2::StablehloTransposeOptions;
    hlo.options2 = [](Builder& builder) {
        return schema::CreateStablehloTransposeOptions(
                       builder, builder.CreateVector(std::vector<std::int64_t>{1, 0}))
                .Union();
    };
    addMove(cases, hlo);
    runCases(cases);
}

TEST_CASE("SLICE and STRIDED_SLICE with all masks") {
    std::vector<Case> cases;
    addMove(cases, {"SLICE",
                    65,
                    {3, 4, 5},
                    {2, 4, 2},
                    [](const Place& p) {
                        return Place{p[0] + 1, p[1], p[2] + 2};
                    },
                    {ints({1, 0, 2}), ints({2, -1, 2})}});
    addMove(cases, {"SLICE 5",
                    65,
                    {2, 3, 1, 4, 2},
                    {1, 2, 1, 2, 2},
                    [](const Place& p) {
                        return Place{p[0] + 1, p[1] + 1, p[2], p[3] + 2, p[4]};
                    },
                    {longs({1, 1, 0, 2, 0}), longs({1, 2, 1, 2, 2})}});
    const auto strided = [&](const char* name, Ints to, std::function<Place(const Place&)> source,
                             std::vector<CaseTensor> constants, int begin, int end, int ellipsis,
                             int fresh, int shrink) {
        Move move{name, 45, {3, 4, 5}, std::move(to), std::move(source), std::move(constants)};
        move.optionsType = BuiltinOptions::StridedSliceOptions;
        move.options = [=](Builder& builder) {
            return schema::CreateStridedSliceOptions(builder, begin, end, ellipsis, fresh, shrink)
                    .Union();
        };
        addMove(cases, move);
    };
    strided(
            "STRIDED_SLICE", {2, 2, 2},
            [](const Place& p) {
                return Place{p[0] + 1, 2 * p[1], p[2] + 2};
            },
            {ints({1, 0, 2}), ints({3, 4, -1}), ints({1, 2, 1})}, 0, 0, 0, 0, 0);
    strided(
            "STRIDED_SLICE backward", {3, 2, 5},
            [](const Place& p) {
                return Place{2 - p[0], 3 - 2 * p[1], p[2]};
            },
            {ints({-1, 3, 0}), ints({-9, 0, 5}), ints({-1, -2, 1})}, 0, 0, 0, 0, 0);
    strided(
            "STRIDED_SLICE begin and end", {3, 4, 2},
            [](const Place& p) {
                return Place{p[0], p[1], p[2] + 3};
            },
            {ints({1, 2, 3}), ints({1, 1, 1}), ints({1, 1, 1})}, 3, 7, 0, 0, 0);
    strided(
            "STRIDED_SLICE shrink", {4, 5},
            [](const Place& p) {
                return Place{2, p[0], p[1]};
            },
            {ints({-1}), ints({0}), ints({1})}, 0, 0, 0, 0, 1);
    strided(
            "STRIDED_SLICE ellipsis and new axis", {3, 4, 1},
            [](const Place& p) {
                return Place{p[0], p[1], 1};
            },
            {ints({0, 1, 0}), ints({0, 2, 0}), ints({1, 1, 1})}, 0, 0, 1, 4, 2);
    Move hlo{"STABLEHLO_SLICE", 172, {4, 5}, {2, 3}, [](const Place& p) {
                 return Place{1 + 2 * p[0], 1 + p[1]};
             }};
    hlo.options2Type = BuiltinOptions2::StablehloSliceOptions;
    hlo.options2 = [](Builder& builder) {
        const auto vector = [&](std::vector<std::int64_t> v) { return builder.CreateVector(v); };
        const auto begin = vector({1, 1}), end = vector({4, 4}), step = vector({2, 1});
        return schema::CreateStablehloSliceOptions(builder, begin, end, step).Union();
    };
    addMove(cases, hlo);
    Move dynamic{"STABLEHLO_DYNAMIC_SLICE",
                 193,
                 {4, 5},
                 {2, 3},
                 [](const Place& p) {
                     return Place{1 + p[0], 2 + p[1]};
                 },
                 {integer({}, {1}), integer({}, {9})}};
    dynamic.options2Type = BuiltinOptions2::StablehloDynamicSliceOptions;
    dynamic.options2 = [](Builder& builder) {
        return schema::CreateStablehloDynamicSliceOptions(
                       builder, builder.CreateVector(std::vector<std::int64_t>{2, 3}))
                .Union();
    };
    addMove(cases, dynamic);
    runCases(cases);
}

TEST_CASE("SLICE may begin where only the run time knows") {
    Reals expected;
    for (int i = 0; i < 2; ++i) {
        for (int k = 0; k < 3; ++k) {
            expected.push_back((i + 1) * 5 + k + 2);
        }
    }
    runCases({caseOf({.name = "SLICE",
                      .code = 65,
                      .inputs = {real({4, 5}, counting(20)), ints({1, 2}), ints({2, 3})},
                      .isConstant = {false, false, true},
                      .outputs = {real({2, 3}, expected)}})});
}

TEST_CASE("PAD, PADV2, MIRROR_PAD and DILATE") {
    std::vector<Case> cases;
    const auto inside = [](Place p, const Ints& shape) {
        for (std::size_t i = 0; i < p.size(); ++i) {
            if (p[i] < 0 || p[i] >= shape[i]) {
                return Place();
            }
        }
        return p;
    };
    const CaseTensor table = integer({3, 2}, {1, 0, 0, 2, 1, 1});
    addMove(cases, {"PAD",
                    34,
                    {2, 3, 2},
                    {3, 5, 4},
                    [&](const Place& p) {
                        return inside({p[0] - 1, p[1], p[2] - 1}, {2, 3, 2});
                    },
                    {table}});
    addMove(cases, {"PAD 5",
                    34,
                    {1, 2, 3, 1, 2},
                    {1, 4, 3, 1, 3},
                    [&](const Place& p) {
                        return inside({p[0], p[1] - 1, p[2], p[3], p[4]}, {1, 2, 3, 1, 2});
                    },
                    {integer({5, 2}, {0, 0, 1, 1, 0, 0, 0, 0, 0, 1})}});
    Move filled{"PADV2",
                60,
                {2, 3, 2},
                {3, 5, 4},
                [&](const Place& p) {
                    return inside({p[0] - 1, p[1], p[2] - 1}, {2, 3, 2});
                },
                {table, real({1}, {4})}};
    filled.fill = 4.0;
    addMove(cases, filled);
    const auto reflect = [](int at, int size, int shift) {
        return at < 0 ? -at - shift : at >= size ? 2 * (size - 1) + shift - at : at;
    };
    for (const auto mode : {schema::MirrorPadMode::REFLECT, schema::MirrorPadMode::SYMMETRIC}) {
        const int shift = mode == schema::MirrorPadMode::SYMMETRIC ? 1 : 0;
        Move mirror{"MIRROR_PAD",
                    100,
                    {3, 4},
                    {6, 5},
                    [=](const Place& p) {
                        return Place{reflect(p[0] - 1, 3, shift), reflect(p[1] - 1, 4, shift)};
                    },
                    {integer({2, 2}, {1, 2, 1, 0})}};
        mirror.optionsType = BuiltinOptions::MirrorPadOptions;
        mirror.options = [=](Builder& builder) {
            return schema::CreateMirrorPadOptions(builder, mode).Union();
        };
        addMove(cases, mirror);
    }
    addMove(cases, {"DILATE",
                    203,
                    {2, 3},
                    {3, 7},
                    [](const Place& p) {
                        return p[0] % 2 == 0 && p[1] % 3 == 0 ? Place{p[0] / 2, p[1] / 3} : Place();
                    },
                    {ints({2, 3}), real({1}, {0})}});
    Move hlo{"STABLEHLO_PAD",
             195,
             {2, 3},
             {3, 4},
             [&](const Place& p) {
                 return inside({p[0], p[1] - 1}, {2, 3});
             },
             {real({1}, {4})}};
    hlo.fill = 4.0;
    hlo.options2Type = BuiltinOptions2::StablehloPadOptions;
    hlo.options2 = [](Builder& builder) {
        const auto vector = [&](std::vector<std::int64_t> v) { return builder.CreateVector(v); };
        const auto low = vector({0, 1}), high = vector({1, 0}), between = vector({0, 0});
        return schema::CreateStablehloPadOptions(builder, low, high, between).Union();
    };
    addMove(cases, hlo);
    runCases(cases);
}

TEST_CASE("TILE, BROADCAST_TO, REVERSE_V2 and REVERSE_SEQUENCE") {
    std::vector<Case> cases;
    addMove(cases, {"TILE",
                    69,
                    {2, 3},
                    {4, 9},
                    [](const Place& p) {
                        return Place{p[0] % 2, p[1] % 3};
                    },
                    {ints({2, 3})}});
    addMove(cases, {"BROADCAST_TO",
                    130,
                    {3, 1},
                    {2, 3, 4},
                    [](const Place& p) {
                        return Place{p[1], 0};
                    },
                    {longs({2, 3, 4})}});
    Move hlo{"STABLEHLO_BROADCAST_IN_DIM", 170, {3}, {2, 3, 4}, [](const Place& p) {
                 return Place{p[1]};
             }};
    hlo.options2Type = BuiltinOptions2::StablehloBroadcastInDimOptions;
    hlo.options2 = [](Builder& builder) {
        return schema::CreateStablehloBroadcastInDimOptions(
                       builder, builder.CreateVector(std::vector<std::int64_t>{1}))
                .Union();
    };
    addMove(cases, hlo);
    addMove(cases, {"REVERSE_V2",
                    105,
                    {2, 3, 4},
                    {2, 3, 4},
                    [](const Place& p) {
                        return Place{1 - p[0], p[1], 3 - p[2]};
                    },
                    {ints({0, -1})}});
    Move rows{"REVERSE_SEQUENCE",
              112,
              {2, 4, 2},
              {2, 4, 2},
              [](const Place& p) {
                  const int length = p[0] == 0 ? 3 : 2;
                  return Place{p[0], p[1] < length ? length - 1 - p[1] : p[1], p[2]};
              },
              {ints({3, 2})}};
    rows.optionsType = BuiltinOptions::ReverseSequenceOptions;
    rows.options = [](Builder& builder) {
        return schema::CreateReverseSequenceOptions(builder, 1, 0).Union();
    };
    addMove(cases, rows);
    runCases(cases);
}

TEST_CASE("space, depth and batches trade places") {
    std::vector<Case> cases;
    Move toDepth{"SPACE_TO_DEPTH", 26, {1, 4, 6, 2}, {1, 2, 3, 8}, [](const Place& p) {
                     return Place{0, 2 * p[1] + p[3] / 4, 2 * p[2] + p[3] / 2 % 2, p[3] % 2};
                 }};
    toDepth.optionsType = BuiltinOptions::SpaceToDepthOptions;
    toDepth.options = [](Builder& builder) {
        return schema::CreateSpaceToDepthOptions(builder, 2).Union();
    };
    addMove(cases, toDepth);
    Move toSpace{"DEPTH_TO_SPACE", 5, {1, 2, 3, 8}, {1, 4, 6, 2}, [](const Place& p) {
                     return Place{0, p[1] / 2, p[2] / 2, (p[1] % 2 * 2 + p[2] % 2) * 2 + p[3]};
                 }};
    toSpace.optionsType = BuiltinOptions::DepthToSpaceOptions;
    toSpace.options = [](Builder& builder) {
        return schema::CreateDepthToSpaceOptions(builder, 2).Union();
    };
    addMove(cases, toSpace);
    const auto padded = [](int y, int x) {
        return y >= 0 && y < 3 && x >= 0 && x < 4 ? Place{0, y, x, 0} : Place();
    };
    addMove(cases, {"SPACE_TO_BATCH_ND",
                    38,
                    {1, 3, 4, 1},
                    {4, 2, 3, 1},
                    [&](const Place& p) {
                        return padded(2 * p[1] + p[0] / 2 - 1, 2 * p[2] + p[0] % 2 - 1);
                    },
                    {ints({2, 2}), integer({2, 2}, {1, 0, 1, 1})}});
    addMove(cases, {"SPACE_TO_BATCH_ND 3",
                    38,
                    {1, 6, 2},
                    {3, 2, 2},
                    [](const Place& p) {
                        return Place{0, 3 * p[1] + p[0], p[2]};
                    },
                    {ints({3}), integer({1, 2}, {0, 0})}});
    addMove(cases, {"BATCH_TO_SPACE_ND",
                    37,
                    {4, 2, 3, 1},
                    {1, 3, 4, 1},
                    [](const Place& p) {
                        const int y = p[1] + 1, x = p[2] + 1;
                        return Place{y % 2 * 2 + x % 2, y / 2, x / 2, 0};
                    },
                    {ints({2, 2}), integer({2, 2}, {1, 0, 1, 1})}});
    runCases(cases);
}

TEST_CASE("GATHER along an axis, with batches, GATHER_ND and EMBEDDING_LOOKUP") {
    std::vector<Case> cases;
    const auto gather = [&](const char* name, Ints from, Ints to, int axis, int batches,
                            std::function<Place(const Place&)> source, CaseTensor indices) {
        Move move{name, 36, std::move(from), std::move(to), std::move(source), {indices}};
        move.optionsType = BuiltinOptions::GatherOptions;
        move.options = [=](Builder& builder) {
            return schema::CreateGatherOptions(builder, axis, batches).Union();
        };
        addMove(cases, move);
    };
    const Ints table = {2, 0, 1, 2};
    gather(
            "GATHER", {2, 3, 2}, {2, 4, 2}, 1, 0,
            [=](const Place& p) {
                return Place{p[0], table[static_cast<std::size_t>(p[1])], p[2]};
            },
            ints({2, 0, 1, 2}));
    gather(
            "GATHER scalar", {2, 3, 2}, {2, 2}, -2, 0,
            [](const Place& p) {
                return Place{p[0], 1, p[1]};
            },
            integer({}, {1}));
    gather(
            "GATHER matrix", {3, 2}, {2, 2, 2}, 0, 0,
            [=](const Place& p) {
                return Place{table[static_cast<std::size_t>(2 * p[0] + p[1])], p[2]};
            },
            integer({2, 2}, {2, 0, 1, 2}));
    gather(
            "GATHER batches", {2, 3, 2}, {2, 2, 2}, 1, 1,
            [=](const Place& p) {
                return Place{p[0], table[static_cast<std::size_t>(2 * p[0] + p[1])], p[2]};
            },
            integer({2, 2}, {2, 0, 1, 2}));
    addMove(cases, {"GATHER_ND",
                    107,
                    {2, 3, 2},
                    {3, 2},
                    [](const Place& p) {
                        constexpr int kRows[][2] = {{1, 2}, {0, 0}, {1, 0}};
                        return Place{kRows[p[0]][0], kRows[p[0]][1], p[1]};
                    },
                    {integer({3, 2}, {1, 2, 0, 0, 1, 0})}});
    // The lookup's indices come first.
    const Reals rows = counting(12);
    cases.push_back(caseOf({.name = "EMBEDDING_LOOKUP",
                            .code = 7,
                            .inputs = {ints({3, 0}), real({4, 3}, rows)},
                            .isConstant = {false, true},
                            .outputs = {real({2, 3}, {9, 10, 11, 0, 1, 2})}}));
    cases.push_back(caseOf({.name = "GATHER at run time",
                            .code = 36,
                            .inputs = {real({4, 3}, rows), ints({3, 0})},
                            .isConstant = {},
                            .outputs = {real({2, 3}, {9, 10, 11, 0, 1, 2})}}));
    cases.push_back(caseOf({.name = "GATHER_ND at run time",
                            .code = 107,
                            .inputs = {integer({4, 3}, rows), integer({2, 2}, {3, 0, 1, 2})},
                            .isConstant = {},
                            .outputs = {integer({2}, {9, 5})}}));
    cases.push_back(caseOf(
            {.name = "HASHTABLE_LOOKUP",
             .code = 10,
             .inputs = {ints({7, 5}), ints({1, 5, 9}), real({3, 2}, counting(6))},
             .isConstant = {false, false, false},
             .outputs = {real({2, 2}, {0, 0, 2, 3}), typed(TensorType::UINT8, {2}, {0, 1})}}));
    runCases(cases);
}

TEST_CASE("CONCATENATION, PACK, UNPACK, SPLIT and SPLIT_V") {
    std::vector<Case> cases;
    const OptionsMaker along1 = [](Builder& builder) {
        return schema::CreateConcatenationOptions(builder, 1, schema::FusedActivation::NONE)
                .Union();
    };
    const Reals a = {0, 1, 2, 3}, b = {10, 11, 12, 13, 14, 15};
    const Reals joined = {0, 1, 10, 11, 12, 2, 3, 13, 14, 15};
    const auto concat = [&](const char* name, CaseTensor first, CaseTensor second, CaseTensor out,
                            double steps) {
        first.values = a;
        second.values = b;
        out.values = joined;
        cases.push_back(caseOf({.name = name,
                                .code = 2,
                                .inputs = {first, second},
                                .isConstant = {},
                                .outputs = {out},
                                .optionsType = BuiltinOptions::ConcatenationOptions,
                                .options = along1,
                                .steps = steps}));
    };
    concat("CONCATENATION", real({2, 2}), real({2, 3}), real({2, 5}), 0);
    concat("CONCATENATION int", integer({2, 2}), integer({2, 3}), integer({2, 5}), 0);
    concat("CONCATENATION scales", signed8({2, 2}, 0.25F, 3), signed8({2, 3}, 0.125F, 0),
           signed8({2, 5}, 0.5F, -7), 1.0);
    concat("CONCATENATION int64", typed(TensorType::INT64, {2, 2}),
           typed(TensorType::INT64, {2, 3}), typed(TensorType::INT64, {2, 5}), 0);
    Case hlo = cases[0];
    hlo.name = "STABLEHLO_CONCATENATE";
    hlo.file.operators[0] = {169, {0, 1}, {2}};
    hlo.file.operators[0].options2Type = BuiltinOptions2::StablehloConcatenateOptions;
    hlo.file.operators[0].options2 = [](Builder& builder) {
        return schema::CreateStablehloConcatenateOptions(builder, 1).Union();
    };
    cases.push_back(hlo);
    cases.push_back(caseOf({.name = "PACK",
                            .code = 83,
                            .inputs = {integer({2}, {1, 2}), integer({2}, {3, 4})},
                            .isConstant = {},
                            .outputs = {integer({2, 2}, {1, 3, 2, 4})},
                            .optionsType = BuiltinOptions::PackOptions,
                            .options = [](Builder& builder) {
                                return schema::CreatePackOptions(builder, 2, -1).Union();
                            }}));
    cases.push_back(caseOf({.name = "UNPACK",
                            .code = 88,
                            .inputs = {real({2, 3}, counting(6))},
                            .isConstant = {},
                            .outputs = {real({2}, {0, 3}), real({2}, {1, 4}), real({2}, {2, 5})},
                            .optionsType = BuiltinOptions::UnpackOptions,
                            .options = [](Builder& builder) {
                                return schema::CreateUnpackOptions(builder, 3, 1).Union();
                            }}));
    cases.push_back(
            caseOf({.name = "SPLIT",
                    .code = 49,
                    .inputs = {integer({}, {-1}), integer({2, 4}, counting(8))},
                    .isConstant = {true, false},
                    .outputs = {integer({2, 2}, {0, 1, 4, 5}), integer({2, 2}, {2, 3, 6, 7})},
                    .optionsType = BuiltinOptions::SplitOptions,
                    .options = [](Builder& builder) {
                        return schema::CreateSplitOptions(builder, 2).Union();
                    }}));
    cases.push_back(caseOf({.name = "SPLIT_V",
                            .code = 102,
                            .inputs = {real({2, 4}, counting(8)), longs({1, -1}), integer({}, {1})},
                            .isConstant = {false, true, true},
                            .outputs = {real({2, 1}, {0, 4}), real({2, 3}, {1, 2, 3, 5, 6, 7})},
                            .optionsType = BuiltinOptions::SplitVOptions,
                            .options = [](Builder& builder) {
                                return schema::CreateSplitVOptions(builder, 2).Union();
                            }}));
    runCases(cases);
}

TEST_CASE("ONE_HOT, SCATTER_ND, SPARSE_TO_DENSE, diagonals and updates") {
    std::vector<Case> cases;
    cases.push_back(
            caseOf({.name = "ONE_HOT",
                    .code = 85,
                    .inputs = {ints({2, 0, 5}), integer({}, {3}), real({}, {4}), real({}, {-1})},
                    .isConstant = {false, true, true, true},
                    .outputs = {real({3, 3}, {-1, -1, 4, 4, -1, -1, -1, -1, -1})},
                    .optionsType = BuiltinOptions::OneHotOptions,
                    .options = [](Builder& builder) {
                        return schema::CreateOneHotOptions(builder, -1).Union();
                    }}));
    cases.push_back(
            caseOf({.name = "SCATTER_ND",
                    .code = 122,
                    .inputs = {integer({2, 1}, {3, 1}), real({2, 2}, {1, 2, 3, 4}), ints({4, 2})},
                    .isConstant = {true, false, true},
                    .outputs = {real({4, 2}, {0, 0, 3, 4, 0, 0, 1, 2})}}));
    cases.push_back(caseOf({.name = "SPARSE_TO_DENSE",
                            .code = 68,
                            .inputs = {integer({2, 2}, {0, 1, 1, 2}), ints({2, 3}),
                                       real({2}, {7, 8}), real({}, {0.5})},
                            .isConstant = {true, true, false, true},
                            .outputs = {real({2, 3}, {0.5, 7, 0.5, 0.5, 0.5, 8})}}));
    cases.push_back(caseOf({.name = "MATRIX_DIAG",
                            .code = 113,
                            .inputs = {real({2, 2}, {1, 2, 3, 4})},
                            .isConstant = {},
                            .outputs = {real({2, 2, 2}, {1, 0, 0, 2, 3, 0, 0, 4})}}));
    cases.push_back(caseOf({.name = "MATRIX_SET_DIAG",
                            .code = 115,
                            .inputs = {real({3, 2}, counting(6)), real({2}, {10, 20})},
                            .isConstant = {},
                            .outputs = {real({3, 2}, {10, 1, 2, 20, 4, 5})}}));
    cases.push_back(caseOf(
            {.name = "DYNAMIC_UPDATE_SLICE",
             .code = 151,
             .inputs = {real({3, 3}, counting(9)), real({2, 2}, {10, 20, 30, 40}), ints({1, 7})},
             .isConstant = {false, false, true},
             .outputs = {real({3, 3}, {0, 1, 2, 3, 10, 20, 6, 30, 40})}}));
    runCases(cases);
}

TEST_SUITE_END();

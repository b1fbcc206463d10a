// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/loop_comparison.h"

#include <benchmark/benchmark.h>
#include <fmt/core.h>

#include <cstring>
#include <functional>
#include <memory>
#include <vector>

#include "hw_model/kernels/operators/operator_table.h"
#include "hw_model/kernels/support/parallel_tasks.h"
#include "tests/bench/eigen_loops.h"
#include "tests/bench/pattern.h"

namespace vnpu::bench {
namespace {

using hw::Operator;
using hw::TensorType;
using hw::kernels::Tensor;

constexpr std::size_t kRows = 256;  // chosen: together with the columns, half an L2 cache
constexpr std::size_t kColumns = 512;
constexpr int kLoopRepetitions = 9;

/// The operands of one call, with one output.
class LoopCase : private hw::kernels::OutputMemory {
  public:
    explicit LoopCase(Operator op) : op_(op) {}

    template <typename T>
    void input(TensorType type, const hw::Dimensions& dimensions, const std::vector<T>& values) {
        const auto* bytes = reinterpret_cast<const std::byte*>(values.data());
        memories_.emplace_back(bytes, bytes + values.size() * sizeof(T));
        inputs_.push_back(tensorOf(type));
        inputs_.back().dimensions = dimensions;
        inputs_.back().data = memories_.back().data();
    }
    void output(TensorType type) { outputs_.push_back(tensorOf(type)); }

    void run() {
        const hw::kernels::OneThread alone;
        hw::kernels::OperatorCall call(inputs_, outputs_, *this);
        if (hw::kernels::runOperator(op_, call) != hw::JobStatus::kOk) {
            fmt::print("refused: {}\n", call.reason());
        }
    }
    const std::vector<std::byte>& result() const { return result_; }

  private:
    static hw::kernels::Tensor tensorOf(TensorType type) {
        hw::kernels::Tensor tensor;
        tensor.type = type;
        tensor.scale = 0.5F;
        return tensor;
    }

    std::byte* place(std::size_t /*index*/, const hw::Dimensions& /*dimensions*/,
                     std::uint64_t sizeBytes) override {
        result_.resize(sizeBytes);
        return result_.data();
    }

    Operator op_;
    std::vector<std::vector<std::byte>> memories_;
    std::vector<Tensor> inputs_, outputs_;
    std::vector<std::byte> result_;
};

struct Data {
    std::vector<float> values, square, row;
    std::vector<std::int8_t> bytes, squareBytes;
};

const Data& data() {
    static const Data all = [] {
        Data made;
        Pattern pattern;
        for (std::size_t i = 0; i < kRows * kColumns; ++i) {
            made.values.push_back(pattern.nextFloat());
        }
        for (std::size_t i = 0; i < kColumns * kColumns; ++i) {
            made.square.push_back(pattern.nextFloat());
        }
        made.row.assign(made.square.begin(), made.square.begin() + kColumns);
        for (const float value : made.values) {
            made.bytes.push_back(static_cast<std::int8_t>(value * 100.0F));
        }
        for (const float value : made.square) {
            made.squareBytes.push_back(static_cast<std::int8_t>(value * 100.0F));
        }
        return made;
    }();
    return all;
}

struct Loop {
    const char* name;
    LoopCase (*make)();
    void (*eigen)(const EigenLoops& eigen, std::vector<std::byte>& result);
};

float* floats(std::vector<std::byte>& bytes, std::size_t count) {
    bytes.resize(count * sizeof(float));
    return reinterpret_cast<float*>(bytes.data());
}

LoopCase makeFloats(Operator op) {
    LoopCase made(op);
    made.input(TensorType::kFloat32, {kRows, kColumns}, data().values);
    made.output(TensorType::kFloat32);
    return made;
}

template <typename T>
LoopCase makeProduct(TensorType type, TensorType biasType, const std::vector<T>& left,
                     const std::vector<T>& right) {
    LoopCase made(Operator::kFullyConnected);
    made.input(type, {kRows, kColumns}, left);
    made.input(type, {kColumns, kColumns}, right);
    made.input(biasType, {kColumns}, std::vector<std::int32_t>(kColumns));
    made.input(TensorType::kInt32Scalar, {}, std::vector<std::int32_t>{0});
    made.output(type);
    return made;
}

const Loop kLoops[] = {
        {"map (RELU6)", [] { return makeFloats(Operator::kRelu6); },
         [](const EigenLoops& eigen, std::vector<std::byte>& result) {
             eigen.clamp(data().values.data(), floats(result, kRows * kColumns), kRows, kColumns);
         }},
        {"broadcast (ADD)",
         [] {
             LoopCase made = makeFloats(Operator::kAdd);
             made.input(TensorType::kFloat32, {kColumns}, data().row);
             made.input(TensorType::kInt32Scalar, {}, std::vector<std::int32_t>{0});
             return made;
         },
         [](const EigenLoops& eigen, std::vector<std::byte>& result) {
             eigen.addRow(data().values.data(), data().row.data(), floats(result, kRows * kColumns),
                          kRows, kColumns);
         }},
        {"reduction (MEAN)",
         [] {
             LoopCase made = makeFloats(Operator::kMean);
             made.input(TensorType::kInt32, {1}, std::vector<std::int32_t>{1});
             made.input(TensorType::kInt32Scalar, {}, std::vector<std::int32_t>{0});
             return made;
         },
         [](const EigenLoops& eigen, std::vector<std::byte>& result) {
             eigen.meanOfRows(data().values.data(), floats(result, kRows), kRows, kColumns);
         }},
        {"softmax",
         [] {
             LoopCase made = makeFloats(Operator::kSoftmax);
             made.input(TensorType::kFloat32Scalar, {}, std::vector<float>{1.0F});
             return made;
         },
         [](const EigenLoops& eigen, std::vector<std::byte>& result) {
             eigen.softmax(data().values.data(), floats(result, kRows * kColumns), kRows, kColumns);
         }},
        {"float product",
         [] {
             return makeProduct(TensorType::kFloat32, TensorType::kFloat32, data().values,
                                data().square);
         },
         [](const EigenLoops& eigen, std::vector<std::byte>& result) {
             eigen.multiply(data().values.data(), data().square.data(),
                            floats(result, kRows * kColumns), kRows, kColumns, kColumns);
         }},
        {"8-bit product",
         [] {
             return makeProduct(TensorType::kQuant8AsymmSigned, TensorType::kInt32, data().bytes,
                                data().squareBytes);
         },
         [](const EigenLoops& eigen, std::vector<std::byte>& result) {
             result.resize(kRows * kColumns * sizeof(std::int32_t));
             eigen.multiplyBytes(data().bytes.data(), data().squareBytes.data(),
                                 reinterpret_cast<std::int32_t*>(result.data()), kRows, kColumns,
                                 kColumns);
         }}};

std::vector<const EigenLoops*> eigenLoops() {
    std::vector<const EigenLoops*> found;
#if defined(__x86_64__)
    for (const EigenLoops* eigen : {&kEigenLoopsV3, &kEigenLoopsV4}) {
        if (eigen->isSupported()) {
            found.push_back(eigen);
        }
    }
#endif
    return found;
}

std::string loopName(const Loop& loop, const std::string& library) {
    return fmt::format("Loops/{}/{}", loop.name, library);
}

void addLoop(const std::string& name, const std::function<void()>& run) {
    benchmark::RegisterBenchmark(name.c_str(),
                                 [run](benchmark::State& state) {
                                     run();
                                     for (auto step : state) {
                                         static_cast<void>(step);
                                         run();
                                     }
                                 })
            ->Unit(benchmark::kMicrosecond)
            ->Repetitions(kLoopRepetitions)
            ->ReportAggregatesOnly(true);
}

/// The number of 4-byte results that differ, among those present in both.
std::size_t otherBits(const std::vector<std::byte>& a, const std::vector<std::byte>& b) {
    std::size_t count = 0;
    for (std::size_t i = 0; i + 4 <= std::min(a.size(), b.size()); i += 4) {
        count += std::memcmp(&a[i], &b[i], 4) != 0 ? 1 : 0;
    }
    return count;
}

}  // namespace

void addLoops() {
    for (const Loop& loop : kLoops) {
        addLoop(loopName(loop, "vnpu"),
                [made = std::make_shared<LoopCase>(loop.make())] { made->run(); });
        for (const EigenLoops* eigen : eigenLoops()) {
            addLoop(loopName(loop, eigen->name),
                    [&loop, eigen, result = std::make_shared<std::vector<std::byte>>()] {
                        loop.eigen(*eigen, *result);
                    });
        }
    }
}

void printLoops(const std::map<std::string, double>& medianCpuSeconds) {
    const auto seconds = [&](const std::string& name) {
        const auto found = medianCpuSeconds.find(name);
        return found == medianCpuSeconds.end() ? 0.0 : found->second;
    };
    fmt::print("\nLoops over {} x {} elements, one thread\n", kRows, kColumns);
    for (const Loop& loop : kLoops) {
        const double ours = seconds(loopName(loop, "vnpu"));
        fmt::print("{:<18} vnpu {:>9.1f} us", loop.name, ours * 1e6);
        std::vector<std::vector<std::byte>> results;
        for (const EigenLoops* eigen : eigenLoops()) {
            const double time = seconds(loopName(loop, eigen->name));
            fmt::print(", Eigen {} {:>9.1f} us ({:.2f})", eigen->name, time * 1e6,
                       ours > 0 ? time / ours : 0.0);
            loop.eigen(*eigen, results.emplace_back());
        }
        if (results.size() == 2) {
            fmt::print(", {} of {} results of the two have other bits",
                       otherBits(results[0], results[1]), results[0].size() / 4);
        }
        fmt::print("\n");
    }
}

}  // namespace vnpu::bench

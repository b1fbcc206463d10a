// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/kernel_comparison.h"

#include <benchmark/benchmark.h>
#include <fmt/core.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tests/bench/bare_network.h"
#include "tests/bench/collecting_reporter.h"
#include "tests/bench/conv_layers.h"
#include "tests/bench/eigen_loops.h"
#include "tests/bench/loop_comparison.h"
#include "tests/bench/onednn_peer.h"

namespace vnpu::bench {
namespace {

constexpr int kGemmSize = 1024;  // chosen: beyond the L2 cache, the usual size for peak figures
constexpr int kRepetitions = 9;

struct Subject {
    const char* name;
    std::vector<ConvLayer> layers;
};

struct NamedNumeric {
    const char* name;
    Numeric numeric;
};

constexpr std::array<NamedNumeric, 2> kNumerics = {
        {{"int8", Numeric::kInt8}, {"float32", Numeric::kFloat32}}};
constexpr std::array<int, 2> kThreads = {1, 2};

std::array<Subject, 2> subjects() {
    return {{{"mobilenet_v1_224", mobileNetV1Layers()}, {"resnet50", resNet50Layers()}}};
}

std::string convolutionName(const std::string& network, const std::string& numeric, int threads,
                            const std::string& library) {
    return fmt::format("Convolutions/{}/{}/{}thread/{}", network, numeric, threads, library);
}

std::string gemmName(const std::string& numeric, int threads, const std::string& library) {
    return fmt::format("Gemm/{}/{}thread/{}", numeric, threads, library);
}

/// Registers a benchmark whose work `make` prepares on its first run, so that filtered benchmarks
/// cost nothing. At most `threads` threads run at the same time.
void add(const std::string& name, int threads, std::uint64_t macs,
         const std::function<std::function<void()>()>& make) {
    auto prepared = std::make_shared<std::function<void()>>();
    benchmark::RegisterBenchmark(
            name.c_str(),
            [=](benchmark::State& state) {
                const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                                static_cast<std::size_t>(threads));
                setOneDnnThreads(threads);
                if (!*prepared) {
                    *prepared = make();
                }
                (*prepared)();  // fills caches and starts worker threads
                for (auto step : state) {
                    static_cast<void>(step);
                    (*prepared)();
                }
                state.counters["MAC/s"] = benchmark::Counter(
                        static_cast<double>(macs), benchmark::Counter::kIsIterationInvariantRate);
            })
            ->Unit(benchmark::kMillisecond)
            ->UseRealTime()
            ->Repetitions(kRepetitions)
            ->ReportAggregatesOnly(true);
}

void addNetwork(const Subject& subject, const NamedNumeric& numeric, int threads) {
    const std::uint64_t macs = macsOf(subject.layers);
    add(convolutionName(subject.name, numeric.name, threads, "vnpu"), threads, macs, [=] {
        return [network = std::make_shared<BareNetwork>(subject.layers, numeric.numeric)] {
            network->run();
        };
    });
    if (!oneDnnVersion().empty()) {
        add(convolutionName(subject.name, numeric.name, threads, "oneDNN"), threads, macs,
            [=] { return makeOneDnnNetwork(subject.layers, numeric.numeric); });
    }
}

/// Each thread computes some rows of the result.
std::function<void()> makeEigenGemm(const EigenLoops& gemm, int threads) {
    constexpr std::size_t kSize = kGemmSize;
    struct Matrices {
        std::vector<float> left = std::vector<float>(kSize * kSize, 1.0F);
        std::vector<float> right = std::vector<float>(kSize * kSize, 1.0F);
        std::vector<float> result = std::vector<float>(kSize * kSize);
    };
    return [&gemm, threads, m = std::make_shared<Matrices>()] {
        const std::size_t rows = kSize / static_cast<std::size_t>(threads);
        tbb::parallel_for(std::size_t{0}, static_cast<std::size_t>(threads), [&](std::size_t i) {
            const std::size_t first = i * rows * kSize;
            gemm.multiply(m->left.data() + first, m->right.data(), m->result.data() + first, rows,
                          kSize, kSize);
        });
    };
}

void addGemms(int threads) {
    constexpr std::uint64_t kMacs = std::uint64_t{kGemmSize} * kGemmSize * kGemmSize;
#if defined(__x86_64__)
    for (const EigenLoops* gemm : {&kEigenLoopsV3, &kEigenLoopsV4}) {
        if (gemm->isSupported()) {
            add(gemmName("float32", threads, fmt::format("Eigen {}", gemm->name)), threads, kMacs,
                [=] { return makeEigenGemm(*gemm, threads); });
        }
    }
#endif
    if (!oneDnnVersion().empty()) {
        for (const auto& [name, numeric] : kNumerics) {
            add(gemmName(name, threads, "oneDNN"), threads, kMacs,
                [value = numeric] { return makeOneDnnGemm(kGemmSize, value); });
        }
    }
}

/// Medians by benchmark name; 0 where not measured.
class Results {
  public:
    explicit Results(const CollectingReporter& reporter) : seconds_(reporter.medianSeconds) {}

    double seconds(const std::string& name) const {
        const auto found = seconds_.find(name);
        return found == seconds_.end() ? 0.0 : found->second;
    }

    /// Multiply-accumulates per second of Eigen's faster product.
    double eigenPeak(int threads) const {
        double best = 0;
        for (const char* name : {"Eigen AVX2", "Eigen AVX-512"}) {
            const double time = seconds(gemmName("float32", threads, name));
            best = time > 0 ? std::max(best, double{kGemmSize} * kGemmSize * kGemmSize / time)
                            : best;
        }
        return best;
    }

  private:
    const std::map<std::string, double>& seconds_;
};

std::string ratio(double value, double baseline) {
    return value > 0 && baseline > 0 ? fmt::format("{:.2f}", value / baseline) : "-";
}

void printRow(const Results& results, const Subject& subject, const std::string& numeric,
              int threads) {
    const double ours = results.seconds(convolutionName(subject.name, numeric, threads, "vnpu"));
    const double peer = results.seconds(convolutionName(subject.name, numeric, threads, "oneDNN"));
    if (ours <= 0) {
        return;
    }
    const double rate = static_cast<double>(macsOf(subject.layers)) / ours;
    fmt::print("{:<17} {:<8} {:>7} {:>10.2f} {:>10.2f} {:>12} {:>9.1f} {:>16}\n", subject.name,
               numeric, threads, ours * 1e3, peer * 1e3, ratio(ours, peer), rate * 1e-9,
               ratio(rate, results.eigenPeak(threads)));
}

void printGemms(const Results& results) {
    constexpr double kMacs = double{kGemmSize} * kGemmSize * kGemmSize;
    for (const int threads : kThreads) {
        const auto rate = [&](const char* numeric, const char* library) {
            const double time = results.seconds(gemmName(numeric, threads, library));
            return time > 0 ? fmt::format("{:.1f}", kMacs / time * 1e-9) : "-";
        };
        fmt::print(
                "{} thread(s): Eigen float32 {} (AVX2), {} (AVX-512); oneDNN float32 {}, "
                "u8s8s32 {}\n",
                threads, rate("float32", "Eigen AVX2"), rate("float32", "Eigen AVX-512"),
                rate("float32", "oneDNN"), rate("int8", "oneDNN"));
    }
}

}  // namespace

void compareKernels() {
    for (const int threads : kThreads) {
        for (const NamedNumeric& numeric : kNumerics) {
            for (const Subject& subject : subjects()) {
                addNetwork(subject, numeric, threads);
            }
        }
        addGemms(threads);
    }
    addLoops();
    CollectingReporter reporter;
    benchmark::RunSpecifiedBenchmarks(&reporter);
    const Results results(reporter);
    const std::string version = oneDnnVersion();
    fmt::print(
            "\nConvolutions, whole layers on the bare kernels against {}\n",
            version.empty() ? "nothing: built without oneDNN (libdnnl-dev)" : "oneDNN " + version);
    fmt::print(
            "network           type     threads    vnpu ms  oneDNN ms  vnpu/oneDNN    GMAC/s  "
            "of Eigen's peak\n");
    for (const Subject& subject : subjects()) {
        for (const NamedNumeric& numeric : kNumerics) {
            for (const int threads : kThreads) {
                printRow(results, subject, numeric.name, threads);
            }
        }
    }
    fmt::print("\nMatrix products of {0} x {0}, GMAC/s\n", kGemmSize);
    printGemms(results);
    printLoops(reporter.medianCpuSeconds);
}

}  // namespace vnpu::bench

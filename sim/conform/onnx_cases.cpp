// SPDX-License-Identifier: Apache-2.0
#include "sim/conform/onnx_cases.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>

#include "sim/base/app_uid.h"
#include "sim/base/error.h"
#include "sim/client/driver_log.h"
#include "sim/client/model_runner.h"
#include "sim/config/load_config.h"
#include "sim/import/graph/value.h"
#include "sim/import/onnx/importer.h"
#include "sim/import/onnx/model_file.h"
#include "sim/import/onnx/tensor_values.h"
#include "sim/platform/platform.h"

namespace vnpu::sim {

namespace {

namespace fs = std::filesystem;
using onnx::Tensor;

constexpr double kRelative = 1e-3, kAbsolute = 1e-7;  // source: ONNX's onnx/backend/test/loader

/// A case's inputs and outputs, in the order of the model's.
struct DataSet {
    std::vector<Tensor> inputs, outputs;
};

Tensor readTensorFile(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    return onnx::parseTensor(std::as_bytes(std::span(text)), path.string());
}

DataSet readDataSet(const fs::path& folder) {
    DataSet data;
    for (auto [prefix, list] :
         {std::pair("input", &data.inputs), std::pair("output", &data.outputs)}) {
        for (int i = 0;; ++i) {
            const fs::path path = folder / fmt::format("{}_{}.pb", prefix, i);
            if (!fs::exists(path)) {
                break;
            }
            list->push_back(readTensorFile(path));
        }
    }
    return data;
}

bool isCloseTo(double actual, double expected, bool isReal) {
    if (actual == expected || (std::isnan(actual) && std::isnan(expected))) {
        return true;
    }
    return isReal && std::abs(actual - expected) <= kAbsolute + kRelative * std::abs(expected);
}

/// The first difference in words, or nothing.
std::string differenceOf(const graph::Value& actual, const Tensor& expected, std::size_t index) {
    const graph::Form form = onnx::formOf(expected.type);
    graph::Value stored = actual;
    if (form.isQuantized()) {
        stored.form = {actual.form.type, 1.0F, 0};
    }
    if (actual.form.type != form.type) {
        return fmt::format("output {} is {}, expected {}", index, nameOf(actual.form.type),
                           nameOf(form.type));
    }
    if (actual.dims != expected.dims && !(expected.dims.empty() && actual.count() == 1)) {
        return fmt::format("output {} has the shape {}, expected {}", index,
                           describeDimensions(actual.dims), describeDimensions(expected.dims));
    }
    const std::vector<double> numbers = graph::realsOf(stored), wanted = onnx::numbersOf(expected);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        if (!isCloseTo(numbers[i], wanted[i], onnx::isRealType(expected.type))) {
            return fmt::format("output {}, element {} of {}: {}, expected {}", index, i,
                               numbers.size(), numbers[i], wanted[i]);
        }
    }
    return "";
}

/// Each reason once.
std::string reasonsOf(const graph::Report& report) {
    std::vector<std::string> reasons;
    for (const auto& entry : report.unsupported) {
        const std::string reason = fmt::format("{}: {}", entry.name, entry.reason);
        if (std::count(reasons.begin(), reasons.end(), reason) == 0) {
            reasons.push_back(reason);
        }
    }
    return fmt::format("{}", fmt::join(reasons, "; "));
}

class OnnxRun {
  public:
    OnnxRun(ClientContext& context, DriverLog& log) : context_(context), log_(log) {}

    OnnxOutcome runCase(const fs::path& folder) {
        OnnxOutcome outcome{folder.filename().string()};
        try {
            runSets(folder, outcome);
        } catch (const InputError& error) {
            outcome.result = OnnxResult::kRefused;
            outcome.detail = error.what();
            const std::string prefix = (folder / "model.onnx").string() + ": ";
            if (outcome.detail.starts_with(prefix)) {
                outcome.detail.erase(0, prefix.size());
            }
        } catch (const graph::Refusal& refusal) {
            outcome.result = OnnxResult::kRefused;
            outcome.detail = refusal.what();
        } catch (const std::exception& error) {
            outcome.result = OnnxResult::kFailed;
            outcome.detail = fmt::format("{} {}", error.what(), log_.lastLine());
        }
        return outcome;
    }

  private:
    void runSets(const fs::path& folder, OnnxOutcome& outcome) {
        const fs::path model = folder / "model.onnx";
        if (!fs::exists(model)) {
            throw InputError("the package has only the address of the model");
        }
        std::vector<fs::path> sets;
        for (const auto& entry : fs::directory_iterator(folder)) {
            if (entry.path().filename().string().starts_with("test_data_set_")) {
                sets.push_back(entry.path());
            }
        }
        std::sort(sets.begin(), sets.end());
        if (sets.empty()) {
            throw InputError("there is no data set");
        }
        for (const fs::path& set : sets) {
            runSet(model.string(), set, outcome);
            if (outcome.result != OnnxResult::kPassed) {
                return;
            }
        }
    }

    void runSet(const std::string& model, const fs::path& folder, OnnxOutcome& outcome) {
        const onnx::Model file = onnx::readModel(model);
        // Names and kinds first: data of sequences are no tensors.
        for (const auto* list : {&file.graph.inputs, &file.graph.outputs}) {
            for (const onnx::TensorInfo& info : *list) {
                if (info.isSequence || info.isOptional) {
                    throw InputError("an input or output is a sequence or an optional value");
                }
                onnx::formOf(info.type);
            }
        }
        const DataSet data = readDataSet(folder);
        if (data.inputs.size() > file.graph.inputs.size() ||
            data.outputs.size() != file.graph.outputs.size()) {
            throw InputError("the data set does not fit the model");
        }
        std::map<std::string, const Tensor*> inputs;
        NetworkOptions options;
        BoundInputs bound;
        for (std::size_t i = 0; i < data.inputs.size(); ++i) {
            const std::string& name = file.graph.inputs[i].name;
            inputs[name] = &data.inputs[i];
            options.shapes[name] = data.inputs[i].dims;
            if (data.inputs[i].data.empty()) {
                bound[name] = data.inputs[i];  // NNAPI has no tensors without elements
            }
        }
        OnnxImport import = examineOnnx(model, options, bound);
        while (!import.report.isComplete()) {
            const std::size_t before = bound.size();
            for (const std::string& name : import.wantedConstants) {
                bound[name] = *inputs.at(name);
            }
            if (bound.size() == before) {
                outcome.result = OnnxResult::kRefused;
                outcome.detail = reasonsOf(import.report);
                return;
            }
            import = examineOnnx(model, options, bound);
        }
        outcome.bound.clear();
        for (const auto& [name, tensor] : bound) {
            outcome.bound.push_back(name);
        }
        outcome.isFolded = !import.network;
        compare(import.network ? execute(*import.network, inputs) : import.folded, data, outcome);
    }

    static void compare(const std::vector<graph::Value>& results, const DataSet& data,
                        OnnxOutcome& outcome) {
        for (std::size_t i = 0; i < results.size() && outcome.detail.empty(); ++i) {
            outcome.detail = differenceOf(results[i], data.outputs[i], i);
        }
        outcome.result = outcome.detail.empty() ? OnnxResult::kPassed : OnnxResult::kFailed;
    }

    std::vector<graph::Value> execute(const Network& network,
                                      const std::map<std::string, const Tensor*>& inputs) {
        log_.clear();
        const auto runner = ModelRunner::prepare(context_, network, nn::Priority::MEDIUM);
        for (std::size_t i = 0; i < network.inputs.size(); ++i) {
            const graph::Value value = onnx::valueOf(*inputs.at(network.inputs[i].name));
            const auto bytes = runner->input(i);
            if (bytes.size() != value.bytes->size()) {
                throw std::runtime_error(fmt::format("input {} has {} bytes, expected {}", i,
                                                     value.bytes->size(), bytes.size()));
            }
            std::memcpy(bytes.data(), value.bytes->data(), bytes.size());
        }
        const ExecutionResult result = runner->execute(ExecutionPath::kSync);
        if (result.status != nn::ErrorStatus::NONE) {
            throw std::runtime_error(
                    fmt::format("the execution ended with {}", nameOf(result.status)));
        }
        std::vector<graph::Value> values;
        for (std::size_t i = 0; i < network.outputs.size(); ++i) {
            const TensorDescription& output = network.outputs[i];
            const auto bytes = runner->output(i);
            values.push_back(graph::constantOf(
                    {output.type, output.scale, output.zeroPoint}, output.dimensions,
                    graph::Bytes(bytes.begin(),
                                 bytes.begin() + static_cast<std::ptrdiff_t>(output.sizeBytes))));
        }
        return values;
    }

    ClientContext& context_;
    DriverLog& log_;
};

CaseName caseNameOf(const fs::path& folder) {
    return {.suite = "onnx",
            .name = folder.filename().string(),
            .file = (folder / "model.onnx").string()};
}

/// The folders of the selected cases.
std::vector<fs::path> findCases(const OnnxOrder& order) {
    std::vector<fs::path> cases;
    std::error_code error;
    for (fs::recursive_directory_iterator entry(order.folder, error), end; !error && entry != end;
         entry.increment(error)) {
        const fs::path& path = entry->path();
        const bool isCase =
                path.filename() == "model.onnx" ||
                (path.filename() == "data.json" && !fs::exists(path.parent_path() / "model.onnx"));
        if (isCase) {
            cases.push_back(path.parent_path());
        }
    }
    if (error) {
        throw InputError(fmt::format("{}: {}", order.folder, error.message()));
    }
    if (cases.empty()) {
        throw InputError(
                fmt::format("{}: no folder with model.onnx and test_data_set_0", order.folder));
    }
    std::sort(cases.begin(), cases.end());
    std::erase_if(cases,
                  [&](const fs::path& folder) { return !order.cases.selects(caseNameOf(folder)); });
    return cases;
}

CaseOutcome outcomeOf(const OnnxOutcome& outcome) {
    constexpr CaseResult kResults[] = {CaseResult::kPassed, CaseResult::kFailed,
                                       CaseResult::kSkipped};
    return {.result = kResults[static_cast<std::size_t>(outcome.result)],
            .message = outcome.detail};
}

}  // namespace

std::string OnnxSum::line() const {
    return fmt::format("{} passed, {} failed, {} refused", passed, failed, refused);
}

OnnxSum sumOf(const std::vector<OnnxOutcome>& outcomes) {
    OnnxSum sum;
    for (const OnnxOutcome& outcome : outcomes) {
        const bool isPassed = outcome.result == OnnxResult::kPassed;
        sum.passed += isPassed ? 1 : 0;
        sum.failed += outcome.result == OnnxResult::kFailed ? 1 : 0;
        sum.refused += outcome.result == OnnxResult::kRefused ? 1 : 0;
        sum.bound += isPassed && !outcome.bound.empty() && !outcome.isFolded ? 1 : 0;
        sum.folded += isPassed && outcome.isFolded ? 1 : 0;
    }
    return sum;
}

std::vector<OnnxOutcome> runOnnxCases(const OnnxOrder& order) {
    const std::vector<fs::path> cases = findCases(order);
    DriverLog log;
    Platform platform({.config = loadConfig(order.config), .driverObserver = &log});
    std::vector<OnnxOutcome> outcomes;
    platform.addClient("onnx", kFirstAppUid, [&](ClientContext& context) {
        OnnxRun run(context, log);
        const std::size_t runs = cases.size() * order.cases.repeats();
        for (std::size_t i = 0; i < runs && !order.cases.isStopped(); ++i) {
            const fs::path& folder = cases[i % cases.size()];
            if (order.onCase) {
                order.onCase(i, runs, folder.filename().string());
            }
            order.cases.begin(caseNameOf(folder));
            outcomes.push_back(run.runCase(folder));
            order.cases.end(outcomeOf(outcomes.back()));
        }
    });
    platform.run();
    return outcomes;
}

}  // namespace vnpu::sim

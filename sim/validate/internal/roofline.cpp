// SPDX-License-Identifier: Apache-2.0
#include "sim/validate/internal/roofline.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <vector>

#include "sim/models/operand_types.h"
#include "sim/validate/layer_parameters.h"
#include "sim/validate/rounding.h"

namespace vnpu::sim {

namespace {

using android::hardware::neuralnetworks::V1_3::Operand;
using android::hardware::neuralnetworks::V1_3::OperandType;
using android::hardware::neuralnetworks::V1_3::Subgraph;

/// Cycles of the array for a layer, none without a product.
struct ArrayCycles {
    double stream = 0.0;  // of all results through all folds
    double fill = 0.0;    // what a command takes beyond that
    double least = 0.0;   // of a command for one row of results, fill included

    double all() const { return stream + fill; }
};

/// `results`: of all images. A layer in one command has the least fill: any other division takes
/// more commands, and each fills the array again.
// source: SCALE-Sim's closed form for the first fold; weights of later ones come beside the stream
ArrayCycles arrayCycles(const LayerParameters& layer, double results, const hw::MacConfig& array) {
    if (layer.kernels == 0) {
        return {};
    }
    const double folds = std::ceil(real(layer.channels * layer.taps()) / array.rows) *
                         std::ceil(real(layer.kernels) / array.columns);
    const double rows = results / real(layer.kernels);
    const double fold = std::max(rows, real(array.rows));
    const double oneFold = 2.0 * array.rows + array.columns - 2.0;  // beside its rows
    return {.stream = folds * fold, .fill = oneFold + rows - fold, .least = oneFold + 1.0};
}

/// A constant tensor that operations of a graph read.
struct Constant {
    double bytes = 0.0;
    std::vector<std::size_t> users;  // operations, ascending
};

/// Which operations of a graph need the results of which others.
class Dependences {
  public:
    explicit Dependences(const Subgraph& graph) {
        std::vector<std::vector<bool>> ofOperand(graph.operands.size());
        for (std::size_t i = 0; i < graph.operations.size(); ++i) {
            std::vector<bool> needs(graph.operations.size());
            for (const std::uint32_t input : graph.operations[i].inputs) {
                for (std::size_t k = 0; k < ofOperand[input].size(); ++k) {
                    needs[k] = needs[k] || ofOperand[input][k];
                }
            }
            needs_.push_back(needs);
            needs[i] = true;
            for (const std::uint32_t output : graph.operations[i].outputs) {
                ofOperand[output] = needs;
            }
        }
    }

    /// Whether `later` cannot end before `earlier` has ended; true for an operation and itself.
    bool needs(std::size_t later, std::size_t earlier) const {
        return later == earlier || needs_[later][earlier];
    }

  private:
    std::vector<std::vector<bool>> needs_;
};

/// Without the shapes and positions that operations without products take, which a compiler reads.
std::vector<Constant> constantsOf(const Subgraph& graph,
                                  const std::vector<LayerParameters>& layers) {
    std::vector<Constant> all(graph.operands.size());
    for (std::size_t i = 0; i < graph.operations.size(); ++i) {
        for (const std::uint32_t input : graph.operations[i].inputs) {
            const Operand& operand = graph.operands[input];
            const bool isData = layers[i].kernels != 0 || operand.type != OperandType::TENSOR_INT32;
            if (isData && isTensor(operand.type) && isConstant(operand.lifetime)) {
                all[input].bytes = real(operandBytes(operand.type, operand.dimensions));
                all[input].users.push_back(i);
            }
        }
    }
    std::erase_if(all, [](const Constant& constant) { return constant.users.empty(); });
    return all;
}

/// Constants that are all needed before any of them is needed again.
class Rounds {
  public:
    explicit Rounds(const Constant& first) : members_{&first}, bytes_(first.bytes) {}

    bool take(const Constant& constant, const Dependences& dependences) {
        for (const Constant* member : members_) {
            if (!alternate(*member, constant, dependences) ||
                !alternate(constant, *member, dependences)) {
                return false;
            }
        }
        members_.push_back(&constant);
        bytes_ += constant.bytes;
        return true;
    }

    /// Between two rounds, the SRAM keeps what it holds.
    double bytesMovedAgain(double sramBytes) const {
        return real(members_.front()->users.size() - 1) * std::max(0.0, bytes_ - sramBytes);
    }

  private:
    static bool alternate(const Constant& a, const Constant& b, const Dependences& dependences) {
        if (a.users.size() != b.users.size()) {
            return false;
        }
        for (std::size_t round = 0; round + 1 < a.users.size(); ++round) {
            if (!dependences.needs(b.users[round + 1], a.users[round])) {
                return false;
            }
        }
        return true;
    }

    std::vector<const Constant*> members_;
    double bytes_ = 0.0;
};

double movedBytes(const Network& network, const std::vector<Constant>& constants,
                  const Dependences& dependences, double sramBytes) {
    double bytes = 0.0;
    for (const auto* tensors : {&network.inputs, &network.outputs}) {
        for (const TensorDescription& tensor : *tensors) {
            bytes += real(tensor.sizeBytes);
        }
    }
    std::vector<Rounds> rounds;
    for (const Constant& constant : constants) {
        bytes += constant.bytes;
        if (constant.users.size() > 1 &&
            std::none_of(rounds.begin(), rounds.end(),
                         [&](Rounds& some) { return some.take(constant, dependences); })) {
            rounds.emplace_back(constant);
        }
    }
    for (const Rounds& some : rounds) {
        bytes += some.bytesMovedAgain(sramBytes);
    }
    return bytes;
}

/// The longest of the sums, over the layers, of the array's cycles up to the layer's end and the
/// time of memory for constants of later layers.
double arrayThenMemory(const std::vector<ArrayCycles>& cycles,
                       const std::vector<Constant>& constants, const Dependences& dependences,
                       double sramBytes, double bytesPerCycle) {
    double longest = 0.0;
    for (std::size_t i = 0; i < cycles.size(); ++i) {
        double before = 0.0;
        for (std::size_t k = 0; k <= i; ++k) {
            before += dependences.needs(i, k) ? cycles[k].all() : 0.0;
        }
        double behind = -sramBytes;
        for (const Constant& constant : constants) {
            const std::size_t last = constant.users.back();
            behind += last > i && dependences.needs(last, i) ? constant.bytes : 0.0;
        }
        longest = std::max(longest, before + std::max(0.0, behind) / bytesPerCycle);
    }
    return longest;
}

/// The longest of the sums, over the layers, of the time of memory for the constants up to the
/// layer's and of one command for it and for each layer of the longest chain behind it.
double memoryThenArray(const std::vector<ArrayCycles>& cycles,
                       const std::vector<Constant>& constants, const Dependences& dependences,
                       double bytesPerCycle) {
    double longest = 0.0;
    std::vector<double> chain(cycles.size());  // from the start of a layer's last command
    for (std::size_t i = cycles.size(); i-- > 0;) {
        for (std::size_t k = i + 1; k < cycles.size(); ++k) {
            chain[i] = std::max(chain[i], dependences.needs(k, i) ? chain[k] : 0.0);
        }
        chain[i] += cycles[i].least;
        double bytes = 0.0;
        for (const Constant& constant : constants) {
            bytes += dependences.needs(i, constant.users.front()) ? constant.bytes : 0.0;
        }
        longest = std::max(longest, bytes / bytesPerCycle + chain[i]);
    }
    return longest;
}

}  // namespace

const char* Roofline::limit() const {
    return longest() == memory            ? "memory"
           : longest() == array           ? "the array"
           : longest() == arrayThenMemory ? "the array, then memory"
                                          : "memory, then the array";
}

Roofline rooflineOf(const Network& network, const hw::NpuConfig& device) {
    const Subgraph& graph = network.model.main;
    const Dependences dependences(graph);
    const std::vector<LayerParameters> layers = layerParametersOf(network);
    const std::vector<Constant> constants = constantsOf(graph, layers);
    const double sramBytes = 1024.0 * device.sram.kib;
    const double bytesPerCycle = device.dram.bytesPerCycle;
    Roofline roofline;
    roofline.latency = real(device.dram.latencyCycles);
    std::vector<ArrayCycles> cycles;
    for (std::size_t i = 0; i < layers.size(); ++i) {
        const Operand& output = graph.operands[graph.operations[i].outputs[0]];
        const double results = std::accumulate(output.dimensions.begin(), output.dimensions.end(),
                                               1.0, std::multiplies<>());
        cycles.push_back(arrayCycles(layers[i], results, device.mac));
        roofline.array += cycles.back().all();
        roofline.stream += cycles.back().stream;
    }
    roofline.memory = movedBytes(network, constants, dependences, sramBytes) / bytesPerCycle;
    roofline.arrayThenMemory =
            arrayThenMemory(cycles, constants, dependences, sramBytes, bytesPerCycle);
    roofline.memoryThenArray = memoryThenArray(cycles, constants, dependences, bytesPerCycle);
    return roofline;
}

}  // namespace vnpu::sim

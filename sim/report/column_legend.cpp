// SPDX-License-Identifier: Apache-2.0
#include "sim/report/column_legend.h"

#include <string_view>

#include "sim/base/legend.h"
#include "sim/metrics/figure_meanings.h"

namespace vnpu::sim {

namespace {

LegendEntry ofFigure(std::string_view column, std::string_view figure) {
    return {std::string(column), std::string(figureMeaning(figure))};
}

std::string sharingLegend() {
    return legendText({
            ofFigure("turnaround", "ntt"),
            {"beyond 4x", "share of executions without a result within four times the time alone"},
            ofFigure("refused", "refused"),
            ofFigure("aborted", "aborted"),
            ofFigure("late", "late"),
            ofFigure("preempted", "preemptions"),
            ofFigure("restarted", "restarts"),
            {"saved KiB", "saved by preemptions, in units of 1024 bytes"},
            {"share of device time", std::string(figureMeaning("device_share"))},
            {"mean normalized turnaround",
             "mean of the clients' turnaround; 1 is undisturbed, lower is better"},
            {"system throughput",
             "sum of the clients' 1 / turnaround: devices' worth of throughput; higher is better"},
            {"fairness",
             "smallest progress (1 / turnaround) over the largest, each relative to its priority's "
             "share "
             "(low 1, medium 3, high 9); 1 if progress follows the shares. A medium and a high "
             "client that "
             "are both undisturbed give 0.333: the high one could expect three times as much"},
    });
}

std::string engineLegend() {
    return legendText({
            {"engine",
             "dma0: loads of activations, dma1: loads of weights and tables, dma2: stores, dma3: "
             "copies "
             "within memory; mac: MAC array; vector: vector unit; dsp: whole operators; "
             "controller: runs "
             "the firmware"},
            {"commands", "executed"},
            {"busy", "work, without stalls"},
            {"token wait",
             "commands at the head of their queue that waited for commands of other engines"},
            {"SRAM stall", "bank conflicts"},
            {"DRAM stall", "waiting for other users of DRAM or interconnect"},
            {"DRAM MB", "moved from and to DRAM, in units of 1000000 bytes"},
            {"TLB misses", "addresses whose translation was read from the page tables"},
    });
}

std::string energyLegend() {
    return legendText({
            {"uJ", "microjoules; of a client, per execution"},
            {"mac_array", "products and output stage"},
            {"vector_unit, dsp", "their operations"},
            {"controller", "the firmware's cycles"},
            {"accumulators, sram", "bytes read and written"},
            {"resident_memory", "reads of constants that stay on the chip"},
            {"interconnect, dram", "bytes moved"},
            {"clock", "clock tree, while it runs"},
            {"leakage, sleep", "while the device is powered, and while it is powered down"},
    });
}

std::string layerLegend() {
    return legendText({
            {"#", "index of the operation in the model"},
            {"cycles", "the layer's part of a job; each moment of a job belongs to one layer"},
            {"of job", "these cycles over those of the job"},
            {"MAC use",
             "multiply-accumulates, padding included, over what the array can do in these cycles"},
    });
}

}  // namespace

std::string clientLegend() {
    return legendText({
            {"frames", "executed"},
            {"asked/s", "frames that arrive per second; - where each follows the answer before"},
            {"reached/s", "answers per second"},
            {"mean to max ms", "time from the arrival of a frame to its answer"},
            {"missed", "frames whose deadline was not met; - without a deadline"},
            {"late", "frames that began late, because the client was still at the frame before"},
            {"unserved", "frames that arrived and waited until the end"},
            {"failed", "executions without a result, for another reason than a deadline"},
    });
}

std::string summaryLegend() {
    return "\nwhat the columns mean\nclients\n" + clientLegend() + "sharing\n" + sharingLegend() +
           "engines\n" + engineLegend() + "energy\n" + energyLegend() + "layers\n" + layerLegend();
}

}  // namespace vnpu::sim

// SPDX-License-Identifier: Apache-2.0
// What the figures and columns mean.

/** Figures of sharing (sim/metrics); a number at the end of a name is left out. */
const kFigures = {
    ntt: "turnaround (arrival to answer) over the isolated time; 1 on a device of its own",
    antt: "mean of the clients' ntt; lower is better",
    stp: "sum of 1 / ntt over the clients: the number of dedicated devices with the same throughput",
    fairness: "smallest progress over the largest, relative to the shares of the priorities (1, 3, 9); 1 is fair",
    sla: "share of executions without a result within so many isolated times",
    sla_mean: "mean of sla_2 to sla_20",
    missed: "share of deadlines missed: refused at the call, aborted later, or met late",
    refused: "share of deadlines refused at the call", aborted: "share of deadlines aborted later", late: "share of deadlines met late",
    wrong_refusals: "share of the executions refused by forecast that would have met their deadline",
    wrong_admissions: "share of the admitted executions that were aborted or late",
    executions: "executed frames", done: "with a result", failed: "without a result, for another reason than a deadline", unserved: "arrived, but not executed",
    rate_hz: "answers a second", mean_ms: "mean turnaround", p50_ms: "median of the turnaround", p95_ms: "95th percentile of the turnaround",
    p99_ms: "99th percentile of the turnaround", max_ms: "longest turnaround",
    device_share: "device time of the jobs, with saves and restores, over that of all jobs",
    preemptions: "times that a running job was saved", restarts: "times that a running job was stopped and begun again",
    saved_bytes: "bytes saved for preemptions", reloaded_bytes: "bytes loaded again instead of saved", switch_cycles: "cycles of saving and restoring",
    wasted_cycles: "progress lost in restarts, in cycles", wakes: "of the device, since power-on", clock_switches: "of the device, since power-on",
    suspended_ms: "time that the device slept", span_ms: "from the common start to the last answer",
    preempt_p50_us: "median, from the decision until the running job is off the device", preempt_p99_us: "99th percentile, from the decision until the running job is off the device",
    preempt_max_us: "longest, from the decision until the running job is off the device",
};

/** Columns of layers.csv. */
const kLayerColumns = {
    client: "", operation: "index in the model", name: "in the model's file", type: "operation of NNAPI",
    folded: "1: folded into another operation or into constants", executions: "jobs that the averages are of", commands: "engine commands of an execution",
    cycles: "the layer's part of the job's time; each moment belongs to one layer", macs: "multiply-accumulates, padding included",
    mac_utilization_pct: "multiply-accumulates over the capacity of the array in these cycles", mac_busy_cycles: "work of the array without stalls",
    vector_busy_cycles: "work of the vector unit without stalls", dma_busy_cycles: "work of the DMA channels without stalls, summed",
    sram_bytes: "moved within the device", dram_bytes: "moved from and to DRAM", token_stall_cycles: "waiting for commands of other engines, summed over commands",
    sram_stall_cycles: "bank conflicts", dram_stall_cycles: "waiting for other users of DRAM or interconnect",
    estimate_cycles: "the driver's own estimate", estimate_error_pct: "of the estimate, relative to the cycles", energy_uj: "of the engines, an estimate",
};

/** Engines' work and lanes of the timeline. */
const kEngines = {
    dma0: "loads of activations", dma1: "loads of weights and tables", dma2: "stores", dma3: "copies within memory",
    mac: "MAC array", vector: "vector unit", dsp: "whole operators", controller: "runs the firmware",
};

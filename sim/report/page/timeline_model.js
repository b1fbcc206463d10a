// SPDX-License-Identifier: Apache-2.0
// The lanes of the timeline: what stands in each, and what is known about it.

async function timelineModel(run) {
    const {timeline} = run;
    const [firmware, power, interrupts] = await Promise.all([unpackTable(timeline.firmware), unpackTable(timeline.power), unpackTable(timeline.interrupts)]);
    const engines = await Promise.all(timeline.lanes.map((lane) => engineLane(run, lane)));
    const {segments, preemptions} = firmwareSegments(firmware);
    const lanes = [
        ...run.clients.map((client) => clientLane(run, client)),
        firmwareLane(run, segments),
        ...engines,
        counterLane("MAC use", "multiply-accumulates over the array's capacity", engines.filter((lane) => lane.name === "mac"), "operationSums",
            run.metrics.config.peaks.macs_per_cycle * run.metrics.config.clock_khz / 1e6),
        counterLane("DRAM", "traffic over the peak bandwidth", engines, "byteSums", run.metrics.config.peaks.dram_bytes_per_cycle * run.metrics.config.clock_khz / 1e6),
        momentLane(run, "interrupts", "the interrupt line is raised", pairSpans(interrupts, timeline.end_ns), 14),
        power.time_ns.length > 1 ? momentLane(run, "power", "state of the clock domain", stateSpans(power, timeline.end_ns), 18) : null,
    ].filter(Boolean);
    const faults = run.faults.map(([at, text]) => ({at, text}));
    return {lanes, preemptions, faults, from: 0, to: Math.max(1, timeline.end_ns), keptUntil: timeline.kept_until_ns};
}

async function engineLane(run, source) {
    const commands = await unpackTable(source.commands, ["start_ns", "length_ns", "job", "operation", "dram_bytes", "operations"]);
    const spans = makeSpans(commands.start_ns, commands.length_ns);
    const ordered = (column) => spans.order ? Float64Array.from(spans.order, (k) => column[k]) : column;
    const job = Int32Array.from(ordered(commands.job), (value) => value - 1);
    const operation = Int32Array.from(ordered(commands.operation), (value) => value - 1);
    const client = Int32Array.from(job, (number) => clientOfJob(run, number));
    const lane = {
        kind: "engine", name: source.name, title: kEngines[source.name], spans, job, operation, client, details: null,
        height: spans.rowCount > 1 ? 15 * spans.rowCount + 4 : 24,
        byteSums: prefixSums(ordered(commands.dram_bytes)),
        operationSums: prefixSums(ordered(commands.operations)),
        label: (i) => operationLabel(run, job[i], operation[i]) ?? "command",
    };
    lane.load = async () => {
        lane.details ??= await unpackTable(source.commands);
        return lane.details;
    };
    lane.tip = (i) => commandTip(run, lane, i);
    return lane;
}

function commandTip(run, lane, i) {
    const {spans, details} = lane;
    const job = lane.job[i];
    const name = operationName(run, job, lane.operation[i]);
    const detail = (column) => details?.[column][placeOf(spans, i)];
    const cycles = (column) => detail(column) ? `${integer(detail(column))} cycles` : null;
    const rows = [
        ["client", clientName(run, lane.client[i])],
        job >= 0 ? ["job", `${run.jobs.id[job]}${run.jobs.frame[job] > 0 ? `, frame ${run.jobs.frame[job] - 1}` : ""}`] : null,
        ["start", moment(spans.start[i])],
        ["length", duration(spans.end[i] - spans.start[i])]];
    if (details) {
        rows.push(
            ["command", `${run.timeline.opcodes[detail("opcode")]}, number ${detail("command")} of the job on ${lane.name}`],
            ["work", cycles("busy_cycles")],
            detail("wait_ns") ? ["waited for tokens", duration(detail("wait_ns"))] : null,
            detail("sram_stall_cycles") ? ["SRAM stall", cycles("sram_stall_cycles")] : null,
            detail("dram_stall_cycles") ? ["DRAM stall", cycles("dram_stall_cycles")] : null,
            ["queued before", duration(detail("queued_ns"))],
            detail("operations") ? [lane.name === "mac" ? "products" : "elements", integer(detail("operations"))] : null,
            detail("dram_bytes") ? ["DRAM bytes", integer(detail("dram_bytes"))] : null,
            detail("sram_bytes") ? ["SRAM bytes", integer(detail("sram_bytes"))] : null);
    }
    const tile = details && lane.operation[i] >= 0 ? ` tile ${detail("tile")}` : "";
    const label = lane.operation[i] < 0 && details ? run.timeline.opcodes[detail("opcode")] : lane.label(i);
    return [`${label}${tile}${name ? ` – ${name}` : ""}`, rows.filter((row) => row && row[1] !== null)];
}

/** A client's frames, from call to answer; the time before the call is drawn below. */
function clientLane(run, client) {
    const {frames} = run;
    const mine = [];
    for (let i = 0; i < run.frameCount; ++i) {
        if (frames.client[i] === client.index) {
            mine.push(i);
        }
    }
    const callOf = (i) => frames.arrival_ns[i] + frames.call_after[i];
    mine.sort((a, b) => callOf(a) - callOf(b) || a - b);
    const start = Float64Array.from(mine, callOf);
    const spans = makeSpans(start, Float64Array.from(mine, (i) => frames.return_after[i] - frames.call_after[i]));
    spans.rowCount = 1;
    spans.row.fill(0);
    const missed = mine.filter((i) => frames.flags[i] & kFrameFlags.missed || !(frames.flags[i] & kFrameFlags.ok));
    return {
        kind: "client", run, name: client.name, title: `frames of ${client.name} (${client.model}), from call to answer`, height: 26, spans, frame: mine, clientIndex: client.index,
        client: new Int32Array(mine.length).fill(client.index), operation: new Int32Array(mine.length).fill(-1),
        job: Int32Array.from(mine, (i) => frames.job[i] - 1),
        missedAt: Float64Array.from(missed, (i) => frames.arrival_ns[i] + frames.return_after[i]).sort(),
        label: (i) => `frame ${frames.frame[mine[i]]}`,
        tip: (i) => [`${client.name}: frame ${frames.frame[mine[i]]}`, frameRows(run, mine[i])],
    };
}

/** What the firmware runs, and from when to when it takes a running job off the device. */
function firmwareSegments(firmware) {
    const segments = [];
    const preemptions = [];
    let open = null;
    let request = null;
    const close = (at, how) => {
        if (open) {
            segments.push({...open, to: at, how});
            open = null;
        }
    };
    for (let i = 0; i < firmware.time_ns.length; ++i) {
        const at = firmware.time_ns[i];
        const name = firmware.names[firmware.name[i]];
        const job = firmware.job[i] - 1;
        if (name === "job-start" || name === "resumed") {
            if (!open || open.job !== job) {
                close(at, "replaced");
                open = {from: at, job, begin: name};
            }
        } else if (name === "preempt-request") {
            request = {from: at, job};
        } else if (name === "preempted" || name === "stopped") {
            preemptions.push({from: request ? request.from : at, to: at, job, how: name});
            request = null;
            close(at, name);
        } else if (name === "job-end") {
            request = null;
            close(at, name);
        }
    }
    return {segments, preemptions};
}

function firmwareLane(run, segments) {
    const spans = makeSpans(Float64Array.from(segments, (s) => s.from), Float64Array.from(segments, (s) => s.to - s.from));
    spans.rowCount = 1;
    spans.row.fill(0);
    const job = Int32Array.from(segments, (s) => s.job);
    const ends = {"job-end": "the job is done", preempted: "the job is saved for another one", stopped: "the job is stopped and begins again later", replaced: "another job"};
    return {
        kind: "firmware", name: "firmware", title: "the job that the firmware runs", height: 24, spans, job, operation: new Int32Array(segments.length).fill(-1),
        client: Int32Array.from(job, (number) => clientOfJob(run, number)),
        label: (i) => job[i] < 0 ? "job" : `${clientName(run, clientOfJob(run, job[i]))} job ${run.jobs.id[job[i]]}`,
        tip: (i) => [`${job[i] < 0 ? "job" : `job ${run.jobs.id[job[i]]} of ${clientName(run, clientOfJob(run, job[i]))}`}`, [
            ["begins", `${moment(spans.start[i])}, ${segments[i].begin === "resumed" ? "goes on" : "starts"}`],
            ["ends", `${moment(spans.end[i])}, ${ends[segments[i].how]}`], ["length", duration(spans.end[i] - spans.start[i])],
            ...(job[i] >= 0 && run.frameOfJob[job[i]] >= 0 ? frameRows(run, run.frameOfJob[job[i]]) : [])]],
    };
}

function counterLane(name, title, engines, sums, mostPerNs) {
    return engines.length === 0 ? null : {kind: "counter", name, title, height: 34, engines, sums, mostPerNs};
}

/** From each raising to the next lowering. */
function pairSpans(moments, endNs) {
    const spans = [];
    let raised = -1;
    for (let i = 0; i < moments.time_ns.length; ++i) {
        const isRaised = moments.names[moments.name[i]] === "raised";
        if (raised >= 0 && !isRaised) {
            spans.push({from: raised, to: moments.time_ns[i], text: "interrupt"});
        }
        raised = isRaised ? (raised >= 0 ? raised : moments.time_ns[i]) : -1;
    }
    if (raised >= 0) {
        spans.push({from: raised, to: endNs, text: "interrupt"});
    }
    return spans;
}

/** From each moment to the next. */
function stateSpans(moments, endNs) {
    return Array.from(moments.time_ns, (from, i) => ({from, to: moments.time_ns[i + 1] ?? Math.max(from, endNs), text: moments.names[moments.name[i]], state: moments.name[i]}));
}

function momentLane(run, name, title, list, height) {
    const spans = makeSpans(Float64Array.from(list, (s) => s.from), Float64Array.from(list, (s) => s.to - s.from));
    return spans.count === 0 ? null : {
        kind: name, name, title, height, spans, job: new Int32Array(list.length).fill(-1), client: new Int32Array(list.length).fill(-1),
        operation: Int32Array.from(list, (s) => s.state ?? -1),
        label: (i) => list[i].text, tip: (i) => [list[i].text, [["from", moment(list[i].from)], ["length", duration(list[i].to - list[i].from)]]],
    };
}

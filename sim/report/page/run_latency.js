// SPDX-License-Identifier: Apache-2.0
// Latency distributions and deadlines of the clients of a run.

/** The latencies of a client's successful frames in milliseconds, ascending. */
function latenciesOf(run, client) {
    const out = [];
    for (let i = 0; i < run.frameCount; ++i) {
        if (run.frames.client[i] === client && run.frames.flags[i] & kFrameFlags.ok) {
            out.push(run.frames.return_after[i] / 1e6);
        }
    }
    return Float64Array.from(out).sort();
}

/** The steps of the cumulative distribution; at most about `most` of them. */
function cumulative(sorted, most = 1500) {
    const points = [{x: sorted[0], y: 0}];
    const step = Math.max(1, Math.floor(sorted.length / most));
    for (let i = 0; i < sorted.length; i += step) {
        const last = Math.min(sorted.length, i + step) - 1;
        points.push({x: sorted[last], y: points.at(-1).y}, {x: sorted[last], y: (last + 1) / sorted.length});
    }
    return points;
}

/** Bars of equal width (of equal ratio on a logarithmic axis) with the number of latencies in each. */
function histogram(sorted, isLog) {
    const low = sorted[0];
    const high = sorted.at(-1);
    const count = Math.max(8, Math.min(60, Math.ceil(Math.sqrt(sorted.length) * 2)));
    const isFlat = high - low < 1e-9 * high;
    const edge = (i) => {
        if (isFlat) {
            return low * (0.99 + 0.02 * i / count);
        }
        return isLog ? low * (high / low) ** (i / count) : low + (high - low) * i / count;
    };
    const bars = [];
    let at = 0;
    for (let i = 0; i < count; ++i) {
        const end = i + 1 === count ? Infinity : edge(i + 1);
        const from = at;
        while (at < sorted.length && sorted[at] < end) {
            ++at;
        }
        bars.push({from: edge(i), to: edge(i + 1), y: at - from});
    }
    return bars;
}

function latencyPlot(run, client, options) {
    const sorted = latenciesOf(run, client.index);
    const {p50, p99, max} = client.latency_ms;
    const deadline = client.deadline_ns / 1e6;
    const title = `${client.name}: ${integer(sorted.length)} frames, P50 ${milliseconds(p50)} ms, P99 ${milliseconds(p99)} ms, max ${milliseconds(max)} ms`
        + (deadline ? `, deadline ${trimmed(deadline, 4)} ms` : "");
    if (sorted.length === 0) {
        return el("figure", {class: "plot"}, el("figcaption", {}, client.name), note("No frame was answered."));
    }
    const color = seriesColor(client.index);
    const bars = options.isHistogram ? histogram(sorted, options.isLog) : [];
    for (const bar of bars) {
        bar.tip = [`${client.name}: ${trimmed(bar.from, 5)} to ${trimmed(bar.to, 5)} ms`, [["frames", integer(bar.y)], ["share", percent(bar.y / sorted.length)]]];
    }
    const deadlineShown = deadline > 0 && (options.isLog || deadline < 4 * sorted.at(-1));
    const xs = [sorted[0], sorted.at(-1), ...bars.flatMap((bar) => [bar.from, bar.to]), ...(deadlineShown ? [deadline] : [])];
    return plot({
        title, x: {label: "latency, ms", kind: options.isLog ? "log" : "linear", values: xs, room: options.isLog ? 1.05 : 0.03},
        y: options.isHistogram ? {label: "frames", values: bars.map((bar) => bar.y), zero: true, room: 0.12}
            : {label: "share of frames", values: [0, 1], zero: true, room: 0.06, format: (value) => percent(value, 0)},
        marks: [
            options.isHistogram ? barMark(bars, color) : lineMark(cumulative(sorted), color),
            verticalMark(p50, "P50", cssColor("--ink"), {dash: "2 3", row: 0}), verticalMark(p99, "P99", cssColor("--ink"), {dash: "7 3", row: 1}),
            ...(deadlineShown ? [verticalMark(deadline, "deadline", cssColor("--bad"), {dash: "", row: 2})] : [])],
    });
}

function drawLatency(run) {
    const options = {isHistogram: true, isLog: false};
    const holder = el("div", {class: "grid"});
    const draw = () => holder.replaceChildren(
        ...run.clients.map((client) => latencyPlot(run, client, options)),
        ...(run.clients.length > 1 ? [allClientsPlot(run, options)] : []));
    section("latency", "Latency",
        note("From the arrival of a frame to its answer, over the successful executions. Percentiles are by nearest rank."),
        el("div", {class: "controls"},
            choice("show", [["histogram", "histogram"], ["cdf", "cumulative distribution"]], "histogram", (value) => {
                options.isHistogram = value === "histogram";
                draw();
            }),
            check("logarithmic time", false, (isOn) => {
                options.isLog = isOn;
                draw();
            })), holder);
    drawThemed(draw);
}

/** The cumulative distributions of all clients, on a logarithmic axis where they differ much. */
function allClientsPlot(run, options) {
    const lists = run.clients.map((client) => latenciesOf(run, client.index));
    const ends = lists.filter((list) => list.length).flatMap((list) => [list[0], list.at(-1)]);
    if (ends.length === 0) {
        return null;
    }
    const isLog = options.isLog || Math.max(...ends) > 20 * Math.min(...ends);
    const figure = plot({
        title: "all clients", x: {label: "latency, ms", kind: isLog ? "log" : "linear", values: ends, room: isLog ? 1.15 : 0.03},
        y: {label: "share of frames", values: [0, 1], zero: true, room: 0.06, format: (value) => percent(value, 0)},
        marks: lists.map((list, i) => list.length ? lineMark([...cumulative(list), {x: list.at(-1), y: 1}], seriesColor(i)) : () => []),
    });
    figure.append(legend(run.clients.map((client, i) => [seriesColor(i), client.name])));
    return figure;
}

const kOutcomes = [
    ["in time", "--good", "answered before the deadline, or without one"],
    ["late", "--late", "answered after the deadline"],
    ["refused or aborted", "--refused", "without an answer because of the deadline"],
    ["failed", "--bad", "without an answer for another reason"],
    ["unserved", "--idle", "arrived, but waited until the end"],
];

/** The numbers of a client's frames in the order of kOutcomes. */
function outcomesOf(run, client) {
    const counts = [0, 0, 0, 0, client.frames.unserved];
    for (let i = 0; i < run.frameCount; ++i) {
        if (run.frames.client[i] === client.index) {
            const flags = run.frames.flags[i];
            const isMissed = flags & kFrameFlags.missed;
            counts[flags & kFrameFlags.ok ? (isMissed ? 1 : 0) : flags & kFrameFlags.refused ? 2 : 3] += 1;
        }
    }
    return counts;
}

function drawDeadlines(run) {
    const holder = el("div");
    const rows = run.clients.map((client) => ({client, counts: outcomesOf(run, client)}));
    drawThemed(() => holder.replaceChildren(
        legend(kOutcomes.map(([name, color, title]) => [cssColor(color), name, title])),
        partBars(rows.map(({client, counts}) => ({
            name: `${client.name}${client.deadline_ns ? `, ${duration(client.deadline_ns)}` : ", no deadline"}`,
            isRelative: true,
            text: kOutcomes.map(([name], i) => counts[i] ? `${counts[i]} ${name}` : "").filter(Boolean).join(", "),
            parts: counts.map((value, i) => ({value, color: cssColor(kOutcomes[i][1]), tip: [
                `${client.name}: ${kOutcomes[i][0]}`, [["frames", integer(value)], ["share", percent(value / Math.max(1, sumOf(counts, (n) => n)))], ["means", kOutcomes[i][2]]]]})),
        })), {textWidth: 330})));
    section("deadlines", "Deadlines", note("What became of the frames that arrived, by client."), holder);
}

// SPDX-License-Identifier: Apache-2.0
// How much the engines work: over time, and where their time goes.

const kUsageRow = 52;
const kUsageLeft = 100;
const kUsageWidth = 1160;

/** Joins neighbors until at most `most` windows are left. */
function joined(values, factor) {
    return Array.from({length: Math.ceil(values.length / factor)}, (_, i) => {
        let sum = 0;
        for (let k = i * factor; k < Math.min(values.length, (i + 1) * factor); ++k) {
            sum += values[k];
        }
        return sum;
    });
}

async function drawUsage(run) {
    const usage = run.timeline.usage;
    const {metrics} = run;
    const columns = await Promise.all([...usage.busy_cycles, usage.mac_operations, usage.dram_bytes].map(unpack));
    const factor = Math.max(1, Math.ceil(columns[0].length / 1060));
    const windowNs = usage.window_ns * factor;
    const cycles = windowNs * metrics.config.clock_khz / 1e6;
    const {peaks} = metrics.config;
    const rows = metrics.engines.map((engine, i) => ({name: engine.name, title: kEngines[engine.name], values: joined(columns[i], factor), most: cycles, total: engine.busy_cycles}));
    rows.push({name: "MAC use", title: "multiply-accumulates over the array's capacity", values: joined(columns.at(-2), factor), most: cycles * peaks.macs_per_cycle, total: 1});
    rows.push({name: "DRAM", title: "bytes over the peak bandwidth", values: joined(columns.at(-1), factor), most: cycles * peaks.dram_bytes_per_cycle, total: 1});
    const shown = rows.filter((row) => row.total > 0 && row.values.some((value) => value > 0));
    const holder = el("div");
    const part = section("engines", "Engines");
    part.append(note(`Work of the engines without stalls, over their time, in windows of ${duration(windowNs)} from power-on to the end. A click shows the moment in the timeline.`), holder);
    drawThemed(() => holder.replaceChildren(shown.length ? usageRows(run, shown, windowNs) : note("No engine worked.")));
    part.append(el("h3", {}, "Where the engines' time goes"));
    drawEngineBars(run, part);
}

function usageRows(run, rows, windowNs) {
    const count = rows[0].values.length;
    const height = rows.length * kUsageRow + 24;
    const x = linearScale(0, count * windowNs, kUsageLeft, kUsageWidth - 60);
    const cursor = svg("line", {y1: 0, y2: height - 20, stroke: cssColor("--muted"), visibility: "hidden"});
    const picture = svg("svg", {viewBox: `0 0 ${kUsageWidth} ${height}`, role: "img", "aria-label": "engine utilization over time"});
    rows.forEach((row, i) => {
        const base = i * kUsageRow + kUsageRow - 6;
        const y = (value) => base - Math.min(1, value / row.most) * (kUsageRow - 12);
        let path = `M${x(0)} ${base}`;
        row.values.forEach((value, k) => {
            path += `V${y(value).toFixed(1)}H${x((k + 1) * windowNs).toFixed(1)}`;
        });
        const mean = sumOf(row.values, (value) => value) / (row.most * count);
        picture.append(
            svg("text", {x: kUsageLeft - 8, y: base - 14, "text-anchor": "end"}, row.name, svg("title", {}, row.title ?? "")),
            svg("text", {x: kUsageWidth - 52, y: base - 14}, percent(mean), svg("title", {}, "mean since power-on")),
            svg("g", {class: "axis"}, svg("line", {x1: kUsageLeft, x2: kUsageWidth - 60, y1: base, y2: base})),
            svg("path", {d: `${path}V${base}Z`, fill: seriesColor(i), opacity: 0.9}));
    });
    picture.append(svg("g", {class: "axis"}, x.ticks.map((tick) => svg("text", {x: x(tick), y: height - 6, "text-anchor": "middle"}, duration(tick)))), cursor);
    const windowAt = (event) => {
        const box = picture.getBoundingClientRect();
        const at = x.invert((event.clientX - box.left) / box.width * kUsageWidth);
        return at >= 0 && at < count * windowNs ? Math.floor(at / windowNs) : -1;
    };
    picture.addEventListener("pointermove", (event) => {
        const k = windowAt(event);
        cursor.setAttribute("visibility", k < 0 ? "hidden" : "visible");
        if (k < 0) {
            hideTip();
            return;
        }
        cursor.setAttribute("x1", x((k + 0.5) * windowNs));
        cursor.setAttribute("x2", x((k + 0.5) * windowNs));
        showTip(event, `${duration(k * windowNs)} to ${duration((k + 1) * windowNs)}`, rows.map((row) => [row.name, percent(row.values[k] / row.most)]));
    });
    picture.addEventListener("pointerleave", () => {
        cursor.setAttribute("visibility", "hidden");
        hideTip();
    });
    picture.addEventListener("click", (event) => {
        const k = windowAt(event);
        if (k >= 0) {
            showInTimeline(run, k * windowNs, (k + 1) * windowNs);
        }
    });
    return picture;
}

const kEngineParts = [
    ["busy", "busy_cycles", "--good", "the engine's own work"],
    ["token wait", "token_stall_cycles", "--late", "at the head of the queue, waiting for commands of other engines"],
    ["SRAM stall", "sram_stall_cycles", "--refused", "bank conflicts"],
    ["DRAM stall", "dram_stall_cycles", "--bad", "waiting for other users of DRAM or interconnect"],
];

function drawEngineBars(run, part) {
    const {metrics} = run;
    const cycles = metrics.window_ns * metrics.config.clock_khz / 1e6;
    const engines = metrics.engines.filter((engine) => engine.commands > 0);
    const holder = el("div");
    drawThemed(() => holder.replaceChildren(
        legend(kEngineParts.map(([name, , color, title]) => [cssColor(color), name, title])),
        partBars(engines.map((engine) => ({
            name: engine.name, text: kEngineParts.map(([name, key]) => engine[key] ? `${name} ${percent(engine[key] / cycles)}` : "").filter(Boolean).join(", "),
            parts: kEngineParts.map(([name, key, color, title]) => ({value: engine[key] / cycles, color: cssColor(color), tip: [
                `${engine.name}: ${name}`, [["cycles", integer(engine[key])], ["share of the time", percent(engine[key] / cycles)], ["means", title]]]})),
        })), {labelWidth: 90, textWidth: 420})));
    const columns = [
        {name: "engine", key: "name", isText: true}, {name: "work", value: (row) => kEngines[row.name] ?? "", isText: true}, {name: "commands", key: "commands", text: integer},
        ...kEngineParts.map(([name, key, , title]) => ({name, value: (row) => row[key] / cycles, text: (value) => percent(value), title: `${title}; share of the run's time`})),
        {name: "operations", key: "operations", title: "multiply-accumulates, or elements of the vector unit"},
        {name: "DRAM bytes", key: "dram_bytes"}, {name: "SRAM bytes", key: "sram_bytes"}, {name: "longest queue", key: "max_queue_depth", title: "commands"},
        {name: "TLB misses", key: "tlb_misses"}];
    part.append(holder, dataTable({columns, rows: metrics.engines.filter((engine) => engine.commands > 0 || engine.tlb_misses > 0), caption: "engines", search: false}));
}

// SPDX-License-Identifier: Apache-2.0
// The layers of a run: their table and the roofline.

const kTextOfLayers = ["client", "model", "name", "type"];
const kFewLayerColumns = ["client", "operation", "name", "type", "cycles", "macs", "mac_utilization_pct", "dram_bytes", "sram_bytes", "dram_stall_cycles", "estimate_error_pct", "energy_uj"];

/** The rows of layers.csv with each layer's share of its client's time. */
function layerRows(run) {
    run.layerRows ??= (() => {
        const rows = csvObjects(run.layers, kTextOfLayers);
        const totals = new Map();
        rows.forEach((row) => totals.set(row.client, (totals.get(row.client) ?? 0) + row.cycles));
        rows.forEach((row) => {
            row.share = totals.get(row.client) ? row.cycles / totals.get(row.client) : 0;
            row.clientIndex = run.clients.findIndex((client) => client.name === row.client);
        });
        return rows;
    })();
    return run.layerRows;
}

function shareBar(share) {
    return el("span", {}, el("span", {class: "share"}, el("i", {style: `width:${(100 * share).toFixed(1)}%`})), percent(share));
}

function drawLayers(run) {
    const rows = layerRows(run);
    const names = Object.keys(rows[0] ?? {}).filter((name) => name in kLayerColumns);
    const columnOf = (name) => ({name, key: name, title: kLayerColumns[name], isText: kTextOfLayers.includes(name)});
    const share = {name: "share", key: "share", title: "of the client's time on the device", draw: shareBar, text: percent};
    const columns = (isAll) => names.filter((name) => isAll || kFewLayerColumns.includes(name)).flatMap((name) => name === "cycles" ? [columnOf(name), share] : [columnOf(name)]);
    const clients = [...new Set(rows.map((row) => row.client))];
    const table = dataTable({
        columns: columns(false), rows, caption: "layers", search: true,
        onRow: (row) => showLayerInTimeline(run, row.clientIndex, row.operation),
        controls: [
            clients.length > 1 ? choice("client", [["", "all"], ...clients.map((client) => [client, client])], "", (client) =>
                table.show(client ? rows.filter((row) => row.client === client) : rows)) : null,
            check("all columns", false, (isAll) => table.setColumns(columns(isAll)))],
    });
    section("layers", "Layers", note("Averages of one execution, as in layers.csv. A click on a row, or Enter, shows the layer's first command in the timeline."), table);
}

function drawRoofline(run) {
    const {peaks} = run.metrics.config;
    const options = {memory: "dram", client: ""};
    const holder = el("div");
    const left = el("p", {class: "note"});
    const gigahertz = run.metrics.config.clock_khz / 1e6;

    function draw() {
        const bytesOf = (row) => options.memory === "dram" ? row.dram_bytes : row.sram_bytes;
        const chosen = layerRows(run).filter((row) => !options.client || row.client === options.client);
        const shown = chosen.filter((row) => row.macs > 0 && row.cycles > 0 && bytesOf(row) > 0);
        const bandwidth = options.memory === "dram" ? peaks.dram_gb_per_s : peaks.sram_gb_per_s;
        const peak = 2 * peaks.macs_per_cycle * gigahertz;
        const points = shown.map((row) => ({
            row, x: 2 * row.macs / bytesOf(row), y: 2 * row.macs / row.cycles * gigahertz, r: 3 + 9 * Math.sqrt(row.share),
        }));
        for (const point of points) {
            const roof = Math.min(peak, point.x * bandwidth);
            point.tip = [`${point.row.client}: ${point.row.type} #${point.row.operation} ${point.row.name}`, [
                ["operations per byte", trimmed(point.x, 4)], ["speed", `${trimmed(point.y, 4)} GOPS`],
                ["roof there", `${trimmed(roof, 4)} GOPS (${point.x * bandwidth < peak ? options.memory === "dram" ? "DRAM" : "SRAM" : "array"}); reached ${percent(point.y / roof)}`],
                ["share of the time", percent(point.row.share)], ["products", shortNumber(point.row.macs)], ["bytes", shortNumber(bytesOf(point.row), "B")]]];
            point.onClick = () => showLayerInTimeline(run, point.row.clientIndex, point.row.operation);
        }
        const knee = peak / bandwidth;
        const xs = [knee / 4, knee * 4, ...points.map((point) => point.x)];
        const [low, high] = extent(xs);
        const roofline = [{x: low / 2, y: low / 2 * bandwidth}, {x: knee, y: peak}, {x: high * 2, y: peak}];
        const clients = [...new Set(shown.map((row) => row.clientIndex))];
        holder.replaceChildren(plot({
            width: 1160, height: 440,
            x: {label: `operations (two per product) per byte of ${options.memory === "dram" ? "DRAM" : "SRAM"}`, kind: "log", values: [low, high], room: 1.6},
            y: {label: "GOPS", kind: "log", values: [peak, ...points.map((point) => point.y)], room: 1.8},
            marks: [
                lineMark(roofline, cssColor("--ink"), {width: 2}),
                (scales) => [
                    svg("text", {class: "mark", x: scales.right - 8, y: scales.y(peak) - 7, "text-anchor": "end", style: `fill:${cssColor("--ink")}`}, `array ${trimmed(peak, 4)} GOPS`),
                    svg("text", {class: "mark", x: scales.x(knee) - 12, y: scales.y(peak) - 7, "text-anchor": "end", style: `fill:${cssColor("--ink")}`}, `${trimmed(bandwidth, 4)} GB/s`)],
                ...clients.map((client) => dotMark(points.filter((point) => point.row.clientIndex === client), seriesColor(client), client))],
        }), legend(clients.map((client) => [seriesColor(client), clientName(run, client)])));
        const without = chosen.filter((row) => !row.folded && row.cycles > 0 && !(row.macs > 0 && bytesOf(row) > 0));
        left.textContent = without.length === 0 ? ""
            : `Not shown: ${without.length} layers without products or without such bytes, which take ${percent(sumOf(without, (row) => row.cycles) / sumOf(chosen, (row) => row.cycles))} of the time.`;
    }

    const clients = [...new Set(layerRows(run).map((row) => row.client))];
    section("roofline", "Roofline",
        note("Each layer is a dot; its area grows with its share of the time. The line is the roof: the array's peak, and what the memory's bandwidth allows. Distance below it is time lost to stalls, to small shapes, or to other engines. A layer is above the slope where its bytes move during the time of other layers, for which its own time does not count."),
        el("div", {class: "controls"},
            choice("memory", [["dram", "DRAM"], ["sram", "SRAM"]], "dram", (value) => {
                options.memory = value;
                draw();
            }),
            clients.length > 1 ? choice("client", [["", "all"], ...clients.map((client) => [client, client])], "", (value) => {
                options.client = value;
                draw();
            }) : null), holder, left);
    drawThemed(draw);
}

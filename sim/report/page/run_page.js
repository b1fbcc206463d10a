// SPDX-License-Identifier: Apache-2.0
// The page of one run.

async function drawRunPage(data) {
    const run = await loadRun(data);
    const {metrics} = run;
    const main = document.getElementById("main");
    document.getElementById("title").textContent = `run ${metrics.scenario}`;
    main.append(el("p", {class: "lead"}, run.device, el("br"),
        `seed ${metrics.seed}; scheduling: ${run.scheduling}; ${duration(metrics.window_ns)} after ${duration(metrics.start_ns)} of boot and preparation`,
        metrics.timing_only ? "; timing only: no data, outputs not checked" : ""));
    main.append(runTiles(run));
    drawClients(run);
    await drawTimeline(run);
    drawLatency(run);
    drawDeadlines(run);
    await drawUsage(run);
    drawLayers(run);
    drawRoofline(run);
    drawEnergy(run);
    drawSharing(run);
    drawLog(run);
    drawSettings(run);
}

function sumOf(list, valueOf) {
    return list.reduce((sum, item) => sum + valueOf(item), 0);
}

function runTiles(run) {
    const {metrics, clients} = run;
    const failed = sumOf(clients, (client) => client.frames.failed);
    const missed = sumOf(clients, (client) => client.frames.missed_deadlines);
    const withDeadline = sumOf(clients, (client) => client.deadline_ns ? client.frames.executed : 0);
    const mac = metrics.engines.find((engine) => engine.name === "mac");
    const peak = metrics.config.peaks.macs_per_cycle * metrics.window_ns * metrics.config.clock_khz / 1e6;
    const preemptions = run.jobs.preemptions.reduce((sum, n) => sum + n, 0) + run.jobs.restarts.reduce((sum, n) => sum + n, 0);
    const mismatches = sumOf(clients, (client) => client.output_mismatches);
    return el("div", {class: "tiles"},
        tile("frames answered", integer(sumOf(clients, (client) => client.frames.answered)), `of ${integer(sumOf(clients, (client) => client.frames.arrived))} that arrived`),
        tile("failed", failed, mismatches ? `${mismatches} outputs differ` : "executions", failed || mismatches ? "bad" : "good"),
        tile("deadlines missed", withDeadline ? missed : "–", withDeadline ? `of ${integer(withDeadline)} with a deadline` : "no client has one", withDeadline ? (missed ? "bad" : "good") : ""),
        tile("MAC array", percent(mac.operations / peak), `of the peak, ${shortNumber(mac.operations)} products`),
        tile("DRAM", percent(metrics.dram.utilization), `of the peak, ${shortNumber(metrics.dram.bytes, "B")}`),
        tile("preemptions", integer(preemptions), `${integer(run.jobCount)} jobs`),
        tile("energy", metrics.energy ? `${shortNumber(metrics.energy.total / 1e6, "J")}` : "–", metrics.energy ? "since power-on, an estimate" : "no [energy] in the device"),
        tile("faults", metrics.faults, "of the device", metrics.faults ? "bad" : "good"));
}

function drawClients(run) {
    const frames = (key) => (row) => row.frames[key];
    const columns = [
        {name: "client", key: "name", isText: true},
        {name: "model", key: "model", isText: true},
        {name: "priority", key: "priority", isText: true},
        {name: "frames", value: frames("executed"), title: "executed frames, successful or not"},
        {name: "asked/s", value: (row) => row.rate_hz.asked, title: "rate of the arrivals; – for a closed loop"},
        {name: "reached/s", value: (row) => row.rate_hz.reached, title: "answers a second"},
        {name: "mean ms", value: (row) => row.latency_ms.mean, text: milliseconds, title: "latency: from the arrival of a frame to its answer"},
        {name: "P50 ms", value: (row) => row.latency_ms.p50, text: milliseconds, title: "half of the frames have at most this latency"},
        {name: "P99 ms", value: (row) => row.latency_ms.p99, text: milliseconds, title: "99 of 100 frames have at most this latency"},
        {name: "max ms", value: (row) => row.latency_ms.max, text: milliseconds},
        {name: "alone ms", value: (row) => row.isolated_ns ? row.isolated_ns / 1e6 : null, text: milliseconds, title: "isolated time: from call to answer, alone on the device"},
        {name: "deadline ms", value: (row) => row.deadline_ns ? row.deadline_ns / 1e6 : null, text: milliseconds, title: "after the arrival"},
        {name: "missed", value: (row) => row.deadline_ns ? row.frames.missed_deadlines : null, title: "answered after the deadline, or without an answer because of it"},
        {name: "late", value: frames("late"), title: "arrived while the client was still at the frame before"},
        {name: "unserved", value: frames("unserved"), title: "arrived, but waited until the end of the run"},
        {name: "failed", value: frames("failed")},
    ];
    const wrong = run.clients.filter((client) => client.first_mismatch).map((client) => el("p", {class: "bad"},
        `${client.name}: ${client.output_mismatches} executions gave other outputs than the first, with the same input; the first: ${client.first_mismatch}`));
    section("clients", "Clients", dataTable({columns, rows: run.clients, caption: "clients"}), ...wrong);
}

function drawEnergy(run) {
    const part = section("energy", "Energy");
    const {metrics} = run;
    if (!metrics.energy) {
        part.append(note("The device's configuration has no [energy], so nothing is estimated."));
        return;
    }
    const names = Object.keys(metrics.energy.components);
    const used = names.filter((name) => metrics.energy.components[name] > 0);
    const rows = run.clients.filter((client) => client.energy_per_job)
        .map((client) => ({name: `${client.name}, an execution`, energy: client.energy_per_job}));
    rows.push({name: "device, all", energy: metrics.energy});
    const holder = el("div");
    drawThemed(() => holder.replaceChildren(
        legend(used.map((name, i) => [operationColor(i), name.replaceAll("_", " ")])),
        partBars(rows.map(({name, energy}) => ({
            name, isRelative: true, text: shortNumber(energy.total / 1e6, "J"),
            parts: used.map((component, i) => ({value: energy.components[component], color: operationColor(i), tip: [
                `${name}: ${component.replaceAll("_", " ")}`,
                [["energy", shortNumber(energy.components[component] / 1e6, "J")], ["share", percent(energy.components[component] / energy.total)]]]})),
        })))));
    const columns = [{name: "component", key: "component", isText: true}, ...rows.map(({name, energy}) =>
        ({name: `${name}, µJ`, value: (row) => energy.components[row.component] ?? null}))];
    part.append(note("An estimate: counted actions times the prices of [energy]. Clients: what the engines did for one execution. Device: everything since power-on. Each bar shows shares of its own total."),
        holder, el("details", {}, el("summary", {}, "as a table"), dataTable({columns, rows: used.map((component) => ({component})), caption: "energy by component", search: false})));
}

function drawSharing(run) {
    const figures = run.metrics.scheduling.figures;
    const groups = new Map();  // name of a figure: its values by whom they are of
    const owners = new Set();
    for (const [key, value] of Object.entries(figures)) {
        const [, name, owner] = key.match(/^([^.@[]+)(.*)$/s);
        groups.set(name, {...groups.get(name), name, [owner]: value});
        owners.add(owner);
    }
    const titleOf = (owner) => owner === "" ? "all" : owner.startsWith("[") ? owner.slice(1, -1) : owner.startsWith("@") ? `UID ${owner.slice(1)}` : `${owner.slice(1)} priority`;
    const columns = [
        {name: "figure", key: "name", isText: true, draw: (name) => el("span", {title: kFigures[name] ?? kFigures[name.replace(/\d+$/, "")]}, name)},
        ...[...owners].map((owner) => ({name: titleOf(owner), key: owner, value: (row) => row[owner] ?? null})),
        {name: "is", value: (row) => kFigures[row.name] ?? kFigures[row.name.replace(/_?\d+$/, "")] ?? "", isText: true, isWide: true},
    ];
    section("sharing", "Sharing", note("How the clients share the device, as in metrics.json under scheduling.figures."),
        dataTable({columns, rows: [...groups.values()], caption: "figures of sharing"}));
}

function drawLog(run) {
    const lines = [...run.faults.map(([at, text]) => [at, `FAULT ${text}`]), ...run.log].sort((a, b) => a[0] - b[0]);
    section("log", "Log", lines.length === 0 ? note("The driver wrote nothing, and there was no fault.")
        : el("div", {class: "log", tabindex: 0}, lines.map(([at, text]) => el("div", {}, `${moment(at).padStart(16)}  ${text}`))),
    run.metrics.log_lines > run.log.length ? note(`The first ${run.log.length} of ${run.metrics.log_lines} lines.`) : null);
}

function drawSettings(run) {
    const tables = new Map();
    for (const [table, key, value, unit] of run.settings) {
        tables.set(table, [...(tables.get(table) ?? []), [key, `${value}${unit ? ` ${unit}` : ""}`]]);
    }
    const part = section("settings", "Settings", el("h3", {}, "Scenario"), facts([
        ["scenario", run.metrics.scenario], ["seed", run.metrics.seed],
        ["duration", run.metrics.duration_ns === null ? "until all clients have ended" : duration(run.metrics.duration_ns)],
        ["scheduling", run.scheduling], ["timing only", run.metrics.timing_only ? "yes" : "no"]]));
    part.append(dataTable({caption: "clients' settings", search: false, rows: run.clients, columns: [
        {name: "client", key: "name", isText: true}, {name: "uid", key: "uid", isText: true}, {name: "model", key: "model", isText: true}, {name: "batch", key: "batch"},
        {name: "priority", key: "priority", isText: true}, {name: "path", key: "path", isText: true}, {name: "arrival", key: "arrival", isText: true},
        {name: "MACs", key: "macs_per_inference", title: "multiply-accumulates of one inference"},
        {name: "preparation ms", value: (row) => row.prepare_ns / 1e6, text: milliseconds},
        {name: "output hash", value: (row) => row.output_hash ?? "–", isText: true}]}));
    part.append(el("h3", {}, "Device"), el("div", {class: "settings"}, [...tables].map(([name, rows]) =>
        el("div", {}, name ? el("b", {}, `[${name}]`) : null, facts(rows)))));
}

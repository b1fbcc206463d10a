// SPDX-License-Identifier: Apache-2.0
// The page of a running service (sim/watch): asks for its state once a second.

const kLiveIntervalMs = 1000;

/** Draws the page once, then again with every state. */
async function drawLivePage(data) {
    const live = {data, earlier: new Map(), state: null, before: null, device: 0, isPaused: false, isLost: false, histories: new Map(), views: []};
    const tiles = el("div", {class: "tiles", "aria-live": "off"});
    const lost = el("p", {class: "warning", role: "alert", hidden: true}, "The service does not answer. This page tries again every second; it shows the last state.");
    document.getElementById("main").append(lost, liveControls(live), tiles);
    live.views.push(() => tiles.replaceChildren(...liveTiles(live)));
    addLiveEngines(live);
    addLiveQueue(live);
    addLiveClients(live);
    addLiveFaults(live);
    addLiveSettings(live);
    drawThemed(() => live.state && live.views.forEach((view) => view()));
    await loadHistory(live);
    const step = async () => {
        if (!live.isPaused) {
            await askForState(live);
            lost.hidden = !live.isLost;
        }
        setTimeout(step, kLiveIntervalMs);
    };
    await step();
}

/** Gets the state of the service and draws it; keeps the last one if the service does not answer. */
async function askForState(live) {
    try {
        const answer = await fetch("state.json", {cache: "no-store", signal: AbortSignal.timeout(5000)});
        if (!answer.ok) {
            throw new Error(`status ${answer.status}`);
        }
        takeState(live, await answer.json(), performance.now());
        live.isLost = false;
    } catch {
        live.isLost = true;
    }
}

function takeState(live, state, nowMs) {
    live.before = live.state;
    live.state = state;
    live.seconds = live.before ? (nowMs - live.atMs) / 1000 : 0;
    live.atMs = nowMs;
    state.devices.forEach((device, i) => recordState(live, device, live.before?.devices[i]));
    live.views.forEach((view) => view());
}

function liveControls(live) {
    const pause = el("button", {type: "button", title: "key p", onclick: () => {
        live.isPaused = !live.isPaused;
        pause.textContent = live.isPaused ? "▶ go on" : "❚❚ pause";
    }}, "❚❚ pause");
    document.addEventListener("keydown", (event) => {
        const isTyping = ["INPUT", "SELECT", "TEXTAREA"].includes(event.target.tagName);
        if (event.key === "p" && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) {
            pause.click();
        }
    });
    const devices = live.data.devices;
    return el("div", {class: "controls"},
        devices.length > 1 ? choice("device", devices.map((device, i) => [i, device.name]), 0, (chosen) => {
            live.device = Number(chosen);
            live.views.forEach((view) => view());
        }) : null,
        pause, el("span", {class: "count"}, "one state a second; times of jobs and faults are device time since power-on"));
}

/** The chosen device of the latest state and of the one before. */
function liveDevice(live) {
    return {now: live.state.devices[live.device], before: live.before?.devices[live.device]};
}

/** How much a count has grown since the previous state. */
function grown(before, now) {
    return before === undefined || before > now ? 0 : now - before;
}

function rate(live, before, now) {
    return live.seconds > 0 ? grown(before, now) / live.seconds : 0;
}

function liveTiles(live) {
    const {now, before} = liveDevice(live);
    const {driver} = now;
    if (!now.activity) {
        return [tile("device", "gone", "its process has ended", "bad")];
    }
    const missed = driver.deadlines_refused_transient + driver.deadlines_refused_persistent + driver.deadlines_aborted + driver.deadlines_late;
    const deadlines = missed + driver.deadlines_met;
    const simulation = live.seconds > 0 ? grown(before?.simulation_ns, now.simulation_ns) / 1e9 / live.seconds : NaN;
    const faults = now.injected_faults + now.activity.fault_count;
    const [, state, clock] = now.power.match(/^(.*?)(?: (\d+ MHz))?$/);
    return [
        tile("device", now.activity.is_given_up ? "out of order" : state, [clock, `pace ${now.pace}`].filter(Boolean).join(", "), now.activity.is_given_up ? "bad" : ""),
        tile("device time", duration(now.device_ns), live.seconds > 0 ? `${duration(grown(before?.device_ns, now.device_ns) / live.seconds)} a second` : "since power-on"),
        tile("jobs", integer(driver.jobs_completed), [before ? `${shortNumber(rate(live, before.driver.jobs_completed, driver.jobs_completed))} a second` : null, `${now.activity.current.length} under way`].filter(Boolean).join(", ")),
        tile("deadlines", deadlines ? `${percent(missed / deadlines)} missed` : "none", deadlines ? `${missed} of ${deadlines}` : "no execution had one", missed ? "bad" : ""),
        tile("faults", String(faults), `${now.injected_faults} injected, ${now.activity.fault_count} reported, ${now.activity.resets} resets`, now.activity.fault_count ? "bad" : ""),
        tile("preemptions", String(driver.preemptions), `${driver.restarts} restarts`),
        tile("device memory", shortNumber(driver.device_bytes, "B"), `models: ${driver.prepared_models}, contexts: ${driver.contexts}`),
        tile("process", shortNumber(live.state.resident_bytes, "B"), [`${live.state.threads} threads`, before ? `simulation ${percent(simulation, 0)} of a processor` : null].filter(Boolean).join("; ")),
    ];
}

const kLivePriorities = ["low", "medium", "high"];
const kLiveModel = {name: "model", key: "model", isText: true, title: "shapes of its input and output, and its operations: NNAPI gives models no names"};

function addLiveQueue(live) {
    const summary = note();
    const columns = [
        {name: "job", key: "id", text: (value) => value ? String(value) : "–"},
        {name: "state", key: "state", isText: true, title: "waits: before the device; queued: in its ring on the device; runs: its command ended last"},
        {name: "user", key: "uid", text: String}, kLiveModel, {name: "priority", value: (job) => kLivePriorities.indexOf(job.priority), text: (value, job) => job.priority, isText: true},
        {name: "arrival", key: "arrival_ns", text: duration, title: "device time"},
        {name: "waited", key: "age_ns", text: duration, title: "device time since the arrival"},
        {name: "deadline", key: "deadline_ns", text: duration, title: "device time"},
        {name: "left", key: "left_ns", text: duration, title: "device time until the deadline"},
        {name: "estimate", key: "estimate_ns", text: duration, title: "of its time on the device"}];
    const current = dataTable({columns, rows: [], caption: "jobs that wait or run", search: false});
    const ended = dataTable({columns: [
        {name: "job", key: "id", text: (value) => value ? String(value) : "–"}, {name: "result", key: "status", isText: true}, {name: "user", key: "uid", text: String}, kLiveModel,
        {name: "priority", value: (job) => kLivePriorities.indexOf(job.priority), text: (value, job) => job.priority, isText: true},
        {name: "ended", key: "ended_ns", text: duration, title: "device time"},
        {name: "turnaround", value: (job) => job.ended_ns - job.arrival_ns, text: duration, title: "from the arrival to the end, device time"},
        {name: "on the device", key: "on_device_ns", text: duration, title: "with saves and restores"},
        {name: "late by", value: (job) => job.deadline_ns === null ? null : job.ended_ns - job.deadline_ns, text: (value) => value > 0 ? duration(value) : "in time"},
        {name: "preemptions", key: "preemptions", text: String}], rows: [], sortBy: "ended", sortDown: true, caption: "jobs that ended", search: false});
    section("queues", "Queues").append(summary, current, el("h3", {}, "Ended last"), ended);
    live.views.push(() => {
        const {now} = liveDevice(live);
        const jobs = (now.activity?.current ?? []).map((job) => ({
            ...job, state: job.submitted_ns === null ? "waits" : job.id === now.job ? "runs" : "queued",
            age_ns: Math.max(0, now.device_ns - job.arrival_ns), left_ns: job.deadline_ns === null ? null : job.deadline_ns - now.device_ns}));
        const counts = kLivePriorities.map((priority) => [priority, jobs.filter((job) => job.priority === priority).length]).reverse();
        summary.textContent = jobs.length ? `${jobs.length} under way: ${counts.map(([priority, count]) => `${count} ${priority}`).join(", ")}.` : "No job waits or runs.";
        current.show(jobs);
        ended.show(now.activity?.ended ?? []);
    });
}

function addLiveClients(live) {
    const table = dataTable({columns: [
        {name: "user", key: "uid", text: String}, {name: "processes", value: (row) => row.processes.join(", "), isText: true},
        {name: "connections", key: "connections"}, {name: "calls", key: "calls", title: "in progress"},
        {name: "objects", key: "objects", title: "prepared models, buffers, bursts"},
        {name: "callbacks", key: "callbacks", title: "executions and preparations in progress"},
        {name: "models", key: "models", isText: true, isWide: true, title: "of the jobs in the tables above"},
        {name: "jobs", key: "jobs", title: "that wait or run on the chosen device"},
        {name: "device time", key: "device_ns", text: duration, title: "that the user's jobs have had the chosen device"},
        {name: "share", key: "share", text: (value) => percent(value, 0), title: "of the device time of all jobs that ended since the previous state"},
    ], rows: [], caption: "clients", search: false});
    section("clients", "Clients").append(note("Per user of the system, over all processes. Limits hold per user (vnpu serve --help)."), table);
    live.views.push(() => {
        const {now, before} = liveDevice(live);
        const timeOf = (device, uid) => device?.users.find((user) => user.uid === uid)?.device_ns ?? 0;
        const fresh = (uid) => before ? grown(timeOf(before, uid), timeOf(now, uid)) : 0;
        const all = now.users.reduce((sum, user) => sum + fresh(user.uid), 0);
        const connected = new Map(live.state.users.map((user) => [user.uid, user]));
        const uids = [...new Set([...connected.keys(), ...now.users.map((user) => user.uid)])].sort((a, b) => a - b);
        table.show(uids.map((uid) => ({
            uid, processes: [], connections: 0, calls: 0, objects: 0, callbacks: 0, ...connected.get(uid),
            jobs: (now.activity?.current ?? []).filter((job) => job.uid === uid).length, models: modelsOf(now.activity, uid),
            device_ns: timeOf(now, uid), share: all > 0 ? fresh(uid) / all : null})));
    });
}

/** The models of a user's jobs that wait, run or ended lately. */
function modelsOf(activity, uid) {
    const jobs = [...(activity?.current ?? []), ...(activity?.ended ?? [])].filter((job) => job.uid === uid && job.model);
    return [...new Set(jobs.map((job) => job.model))].sort().join("; ") || null;
}

function addLiveFaults(live) {
    const table = dataTable({columns: [
        {name: "time", key: "at_ns", text: moment, title: "device time since power-on"}, {name: "what", key: "kind", isText: true},
        {name: "fault", key: "name", isText: true}, {name: "engine", key: "engine", isText: true}, {name: "job", key: "job", text: String},
        {name: "answer", key: "remedy", isText: true}, {name: "back after", key: "recovery_ns", text: duration, title: "from the detection to renewed use, of a reset"},
        {name: "details", key: "what", isText: true, isWide: true}], rows: [], sortBy: "time", sortDown: true, caption: "faults", search: false});
    const summary = note();
    section("faults", "Faults").append(summary, table);
    live.views.push(() => {
        const {now} = liveDevice(live);
        const injected = now.injected.map((fault) => ({...fault, name: fault.kind, kind: "injected", remedy: null, recovery_ns: null, what: null}));
        const reported = (now.activity?.faults ?? []).map((fault) => ({...fault, name: fault.cause, kind: "reported", recovery_ns: fault.recovery_ns || null}));
        summary.textContent = `Set up: ${now.faults}. Injected so far: ${now.injected_faults}; reported by the driver: ${now.activity?.fault_count ?? 0}. The table has the latest of both.`;
        table.show([...injected, ...reported]);
    });
}

function addLiveSettings(live) {
    const box = el("div");
    section("settings", "Settings").append(box);
    live.views.push(() => {
        const {now} = liveDevice(live);
        const {driver} = now;
        box.replaceChildren(facts([
            ["device", `${now.name}: ${live.data.devices[live.device].description}`], ["socket", live.data.socket], ["pace", now.pace], ["scheduling", now.scheduling],
            ["memory", now.memory_settings], ["power", now.power_settings], ["faults", now.faults],
            ["on chip", `${shortNumber(driver.on_chip_bytes, "B")}, of which constants ${shortNumber(driver.on_chip_constant_bytes, "B")}`],
            ["pools, rings", `${driver.pool_mappings}, ${driver.rings}`], ["kept awake by", `${driver.power_holds} bursts`], ["descriptors", String(live.state.descriptors)]]));
    });
}

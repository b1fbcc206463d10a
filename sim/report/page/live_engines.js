// SPDX-License-Identifier: Apache-2.0
// How much the engines of a running service work: the last minutes, at first as the service has kept them.

const kLiveSamples = 300;  // chosen: five minutes of a state a second
const kLiveRow = 46;

/** Takes the samples that the service has kept; without them the picture begins now. */
async function loadHistory(live) {
    try {
        const answer = await fetch("history.json", {cache: "no-store", signal: AbortSignal.timeout(5000)});
        for (const [name, samples] of Object.entries((await answer.json()).devices)) {
            let before;
            for (const sample of samples) {
                recordLoad(live, {name, ...sample}, before);
                before = sample;
            }
            live.earlier.set(name, before);
        }
    } catch {
        live.earlier.clear();
    }
}

/** The first column of a page that has samples is from the last of them to its second state, because the first one may be the same moment. */
function recordState(live, device, before) {
    const sample = live.earlier.get(device.name);
    if (sample && !before) {
        return;
    }
    live.earlier.delete(device.name);
    recordLoad(live, device, sample ?? before);
}

/** Keeps the share of each engine in the device time since the previous state or sample. */
function recordLoad(live, device, before) {
    const history = live.histories.get(device.name) ?? [];
    const deviceNs = grown(before?.device_ns, device.device_ns);
    const shares = {};
    for (const [engine, busyNs] of Object.entries(device.busy_ns)) {
        // A command counts when it ends, so it may have begun before the previous state.
        shares[engine] = deviceNs > 0 ? Math.min(1, grown(before.busy_ns[engine], busyNs) / deviceNs) : 0;
    }
    if (before) {
        history.push({shares, deviceNs, jobs: device.jobs ?? device.activity?.current.length ?? 0});
        history.splice(0, Math.max(0, history.length - kLiveSamples));
    }
    live.histories.set(device.name, history);
}

function addLiveEngines(live) {
    const holder = el("div");
    section("engines", "Engines").append(note(
        `Each engine's work, stalls included, over the device time between two states; one column a second, the newest at the right, at most ${kLiveSamples}, also from before this page was opened. Device time passes only while a program waits for the device.`), holder);
    live.views.push(() => {
        const {now} = liveDevice(live);
        const history = live.histories.get(now.name) ?? [];
        const engines = Object.keys(now.busy_ns).filter((engine) => engine !== "controller");
        holder.replaceChildren(liveStrips(engines, history));
    });
}

/** One strip an engine, and one for the jobs under way. */
function liveStrips(engines, history) {
    const most = Math.max(1, ...history.map((sample) => sample.jobs));
    const strips = [
        ...engines.map((engine, i) => ({name: engine, title: kEngines[engine], color: seriesColor(i), valueOf: (sample) => sample.shares[engine], text: (value) => percent(value, 0)})),
        {name: "jobs", title: `that wait or run; the strip is ${most} high`, color: cssColor("--muted"), valueOf: (sample) => sample.jobs / most, text: (value) => String(Math.round(value * most))}];
    const left = 100;
    const right = 1100;
    const width = (right - left) / kLiveSamples;
    const height = strips.length * kLiveRow;
    const picture = svg("svg", {viewBox: `0 0 1160 ${height}`, role: "img", "aria-label": "work of the engines over the last states"});
    strips.forEach((strip, i) => {
        const base = (i + 1) * kLiveRow - 6;
        const first = right - history.length * width;
        let path = `M${first.toFixed(1)} ${base}`;
        history.forEach((sample, k) => {
            path += `V${(base - strip.valueOf(sample) * (kLiveRow - 12)).toFixed(1)}H${(first + (k + 1) * width).toFixed(1)}`;
        });
        const last = history.at(-1);
        picture.append(
            svg("text", {x: left - 8, y: base - 10, "text-anchor": "end"}, strip.name, svg("title", {}, strip.title ?? "")),
            svg("text", {x: right + 8, y: base - 10}, last ? strip.text(strip.valueOf(last)) : "–"),
            svg("g", {class: "axis"}, svg("line", {x1: left, x2: right, y1: base, y2: base})),
            svg("path", {d: `${path}V${base}Z`, fill: strip.color, opacity: 0.9}));
    });
    return picture;
}

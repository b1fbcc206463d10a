// SPDX-License-Identifier: Apache-2.0
// Measures how fast Chromium opens a page of results and pans its timeline:
//
//     node tests/bench/page_timing.mjs out/default/report.html [SCREENSHOT.png]
//
// It speaks the DevTools protocol over the pipe of --remote-debugging-pipe. Opening lasts from the start of the navigation until
// the page is drawn (the first frame after data-state="ready"). Panning sends 120 key presses, one a frame, at three zooms; the
// time of a frame is that of its callbacks, which draw the timeline, and the interval is from frame to frame. The processor time
// does not depend on what else the machine does.
import {spawn} from "node:child_process";
import {mkdtempSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join, resolve} from "node:path";
import {pathToFileURL} from "node:url";

const [page, screenshot] = process.argv.slice(2);
const profile = mkdtempSync(join(tmpdir(), "page_timing_"));
const chromium = spawn("chromium", ["--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1280,900", `--user-data-dir=${profile}`, "--remote-debugging-pipe"],
    {stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"]});
const waiting = new Map();
let buffer = "";
let lastId = 0;
chromium.stdio[4].on("data", (bytes) => {
    const parts = (buffer + bytes).split("\0");
    buffer = parts.pop();
    for (const part of parts) {
        const message = JSON.parse(part);
        waiting.get(message.id)?.(message);
        waiting.delete(message.id);
    }
});

function call(method, params = {}, sessionId = undefined) {
    return new Promise((done, fail) => {
        waiting.set(++lastId, (message) => message.error ? fail(new Error(message.error.message)) : done(message.result));
        chromium.stdio[3].write(`${JSON.stringify({id: lastId, method, params, sessionId})}\0`);
    });
}

// Runs in the page.
const kWatch = `(() => {
    const original = window.requestAnimationFrame.bind(window);
    window.frameTimes = [];
    window.requestAnimationFrame = (work) => original((now) => {
        const begin = performance.now();
        work(now);
        window.frameTimes.push(performance.now() - begin);
    });
    window.nextFrame = () => new Promise((done) => original(done));
    const look = () => document.documentElement?.dataset.state ? original(() => original(() => { window.readyAt = performance.now(); })) : setTimeout(look, 5);
    look();
})()`;
const kPan = (zooms) => `(async () => {
    const canvas = document.querySelector("canvas.lanes");
    canvas.focus();
    const press = (key) => canvas.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true}));
    press("0");
    await nextFrame();
    for (let i = 0; i < ${zooms}; ++i) {
        press("+");
        await nextFrame();
    }
    await new Promise((done) => setTimeout(done, 1500));
    frameTimes.length = 0;
    const intervals = [];
    let last = await nextFrame();
    for (let i = 0; i < 120; ++i) {
        press(i < 60 ? "ArrowLeft" : "ArrowRight");
        const now = await nextFrame();
        intervals.push(now - last);
        last = now;
    }
    const middle = (list) => [...list].sort((a, b) => a - b)[list.length >> 1];
    return {zooms: ${zooms}, drawMs: middle(frameTimes), drawMaxMs: Math.max(...frameTimes), intervalMs: middle(intervals), intervalMaxMs: Math.max(...intervals)};
})()`;

async function evaluate(expression, sessionId) {
    const {result, exceptionDetails} = await call("Runtime.evaluate", {expression, awaitPromise: true, returnByValue: true}, sessionId);
    if (exceptionDetails) {
        throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    }
    return result.value;
}

try {
    const {targetId} = await call("Target.createTarget", {url: "about:blank"});
    const {sessionId} = await call("Target.attachToTarget", {targetId, flatten: true});
    await call("Page.enable", {}, sessionId);
    await call("Page.addScriptToEvaluateOnNewDocument", {source: kWatch}, sessionId);
    const url = /^https?:/.test(page) ? page : pathToFileURL(resolve(page)).href;
    await call("Page.navigate", {url}, sessionId);
    let readyAt;
    await call("Performance.enable", {timeDomain: "threadTicks"}, sessionId);
    const threadMs = async () => 1000 * (await call("Performance.getMetrics", {}, sessionId)).metrics.find(({name}) => name === "ThreadTime").value;
    while ((readyAt = await evaluate("window.readyAt", sessionId)) === undefined) {
        await new Promise((done) => setTimeout(done, 20));
    }
    const processorMs = await threadMs();
    console.log(`state ${await evaluate("document.documentElement.dataset.state", sessionId)}, drawn ${readyAt.toFixed(0)} ms after the navigation began; ${processorMs.toFixed(0)} ms of processor time of the page's thread`);
    if (await evaluate("document.querySelector('canvas.lanes') !== null", sessionId)) {
        const rows = [];
        for (const zooms of [1, 4, 8, 16]) {
            const before = await threadMs();
            rows.push({...await evaluate(kPan(zooms), sessionId), processorMs: ((await threadMs()) - before) / 120});
        }
        console.table(rows);
    }
    if (screenshot) {
        writeFileSync(screenshot, Buffer.from((await call("Page.captureScreenshot", {}, sessionId)).data, "base64"));
    }
} finally {
    chromium.kill();
    await new Promise((done) => chromium.on("exit", done));
    rmSync(profile, {recursive: true, force: true, maxRetries: 5});
}

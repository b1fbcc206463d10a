// SPDX-License-Identifier: Apache-2.0
// Drawing the timeline. The work depends on the width of the picture, not on the number of events: where a lane shows more
// spans than pixels, each column of pixels shows the share of its time that is covered, as the height of a bar.

const kTimelineLeft = 104;
const kTimelineTop = 24;
const kLaneGap = 3;

/** The places of the lanes from top to bottom; sets lane.y. Returns the height of all. */
function placeLanes(model) {
    let y = kTimelineTop;
    for (const lane of model.lanes) {
        lane.y = y;
        y += lane.height + kLaneGap;
    }
    return y + 2;
}

/** A view: what part of the time is shown, and where. */
function viewScale(view) {
    const perNs = (view.width - kTimelineLeft) / (view.to - view.from);
    return {perNs, x: (time) => kTimelineLeft + (time - view.from) * perNs, time: (x) => view.from + (x - kTimelineLeft) / perNs};
}

function drawTimelineLanes(context, model, view) {
    const scale = viewScale(view);
    context.clearRect(0, 0, view.width, view.height);
    context.font = "11.5px system-ui, 'DejaVu Sans', sans-serif";
    context.textBaseline = "middle";
    drawTimeAxis(context, view, scale);
    context.save();
    context.beginPath();
    context.rect(kTimelineLeft, 0, view.width - kTimelineLeft, view.height);
    context.clip();
    for (const lane of model.lanes) {
        context.fillStyle = cssColor("--faint");
        context.fillRect(kTimelineLeft, lane.y, view.width, lane.height);
        if (lane.kind === "counter") {
            drawCounter(context, lane, view, scale);
        } else {
            drawSpans(context, lane, view, scale);
        }
    }
    drawPreemptions(context, model, view, scale);
    drawMarks(context, model, view, scale);
    context.restore();
    drawLaneNames(context, model, view);
}

function drawTimeAxis(context, view, scale) {
    const step = roundStep((view.to - view.from) / ((view.width - kTimelineLeft) / 110));
    context.fillStyle = cssColor("--muted");
    context.strokeStyle = cssColor("--line");
    context.textAlign = "left";
    context.beginPath();
    for (let time = Math.ceil(view.from / step) * step; time <= view.to; time += step) {
        const x = Math.round(scale.x(time)) + 0.5;
        context.moveTo(x, kTimelineTop - 6);
        context.lineTo(x, view.height);
        context.fillText(axisTime(time, step), x + 3, 10);
    }
    context.stroke();
}

/** A moment with as many digits as the distance of the ticks needs. */
function axisTime(time, step) {
    const [unit, name] = step >= 1e8 ? [1e9, "s"] : step >= 1e4 ? [1e6, "ms"] : [1e3, "µs"];
    return `${(time / unit).toFixed(Math.max(0, Math.ceil(-Math.log10(step / unit) - 1e-9)))} ${name}`;
}

function drawLaneNames(context, model, view) {
    context.textAlign = "right";
    for (const lane of model.lanes) {
        context.fillStyle = cssColor(lane === view.lane ? "--accent" : "--ink");
        context.fillText(shortened(lane.name, 15), kTimelineLeft - 8, lane.y + lane.height / 2);
    }
    context.textAlign = "left";
}

/** The number of a span's color, 0 for none; colorOfKey gives the color. */
function colorKey(lane, i, view) {
    return 1 + (lane.kind === "power" || (view.coloring === "operation" && lane.kind === "engine")
        ? lane.operation[i] < 0 ? -1 : lane.operation[i] % kOperations.length
        : lane.kind === "interrupts" ? -1 : lane.client[i]);
}

function colorOfKey(lane, key, view) {
    return lane.kind === "power" || (view.coloring === "operation" && lane.kind === "engine") ? operationColor(key - 1) : seriesColor(key - 1);
}

function colorOfSpan(lane, i, view) {
    return colorOfKey(lane, colorKey(lane, i, view), view);
}

const inkColors = new Map();

/** Black or white, whichever is easier to read on a color. */
function inkOn(color) {
    if (!inkColors.has(color)) {
        const [r, g, b] = [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16) / 255);
        inkColors.set(color, 0.3 * r + 0.59 * g + 0.11 * b > 0.52 ? "#000" : "#fff");
    }
    return inkColors.get(color);
}

function drawSpans(context, lane, view, scale) {
    const [first, last] = visibleSpans(lane.spans, view.from, view.to);
    if (last - first > 1.5 * (view.width - kTimelineLeft)) {
        drawCoverage(context, lane, view, scale);
    } else {
        drawBars(context, lane, first, last, view, scale);
    }
    if (lane.kind === "client") {
        drawMissed(context, lane, view, scale);
    }
}

function drawBars(context, lane, first, last, view, scale) {
    const {spans} = lane;
    const rowHeight = lane.height / spans.rowCount;
    const wait = lane.details?.wait_ns;
    const lastPixel = [-1, -1, -1];
    for (let i = first; i < last; ++i) {
        const from = scale.x(spans.start[i]);
        const to = scale.x(spans.end[i]);
        const row = spans.row[i];
        if (to < kTimelineLeft || (to - from < 1 && Math.floor(from) === lastPixel[row])) {
            continue;
        }
        lastPixel[row] = Math.floor(from);
        const y = lane.y + row * rowHeight + (spans.rowCount > 1 ? 0.5 : 2);
        const height = rowHeight - (spans.rowCount > 1 ? 1.5 : 4);
        const color = colorOfSpan(lane, i, view);
        if (lane.kind === "client") {
            drawFrame(context, lane, i, y, height, color, scale);
        } else {
            context.fillStyle = color;
            context.fillRect(from, y, Math.max(0.8, to - from - (to - from > 3 ? 0.7 : 0)), height);
        }
        if (wait && wait[placeOf(spans, i)] * scale.perNs > 3) {
            context.fillRect(scale.x(spans.start[i] - wait[placeOf(spans, i)]), y + height / 2 - 0.5, wait[placeOf(spans, i)] * scale.perNs, 1);
        }
        const left = Math.max(from, kTimelineLeft);
        if (to - left > 44) {
            context.fillStyle = lane.kind === "client" ? cssColor("--ink") : inkOn(color);
            context.fillText(shortened(lane.label(i), Math.floor((to - left - 6) / 6.3)), left + 4, y + height / 2);
        }
    }
}

/** A frame: the wait before the call as a line, the call as a frame, the time on the device filled. */
function drawFrame(context, lane, i, y, height, color, scale) {
    const {run} = lane;
    const frame = lane.frame[i];
    const arrival = scale.x(run.frames.arrival_ns[frame]);
    const from = scale.x(lane.spans.start[i]);
    const to = Math.max(from + 0.8, scale.x(lane.spans.end[i]));
    context.fillStyle = color;
    if (from - arrival > 0.5) {
        context.fillRect(arrival, y + height - 2, from - arrival, 2);
    }
    context.globalAlpha = 0.3;
    context.fillRect(from, y, to - from, height);
    context.globalAlpha = 1;
    const job = lane.job[i];
    const times = job < 0 ? null : jobTimes(run, job);
    if (times && times.start) {
        const start = scale.x(times.start);
        context.fillRect(start, y, Math.max(0.8, scale.x(times.finish || times.start) - start), 5);
    }
    const deadline = run.clients[lane.clientIndex].deadline_ns;
    if (deadline && to - from > 5) {
        const at = scale.x(run.frames.arrival_ns[frame] + deadline);
        context.fillStyle = cssColor("--bad");
        context.fillRect(at - 0.75, y - 1, 1.5, height + 2);
    }
}

/** Crosses where a frame ended without its result in time. */
function drawMissed(context, lane, view, scale) {
    context.strokeStyle = cssColor("--bad");
    context.lineWidth = 1.8;
    context.beginPath();
    let lastX = -10;
    for (let i = lowerBound(lane.missedAt, view.from); i < lane.missedAt.length && lane.missedAt[i] <= view.to;) {
        const x = scale.x(lane.missedAt[i]);
        if (x - lastX >= 5) {
            lastX = x;
            context.moveTo(x - 4, lane.y + lane.height - 10);
            context.lineTo(x + 4, lane.y + lane.height - 2);
            context.moveTo(x + 4, lane.y + lane.height - 10);
            context.lineTo(x - 4, lane.y + lane.height - 2);
        }
        i = lowerBound(lane.missedAt, scale.time(lastX + 5), i + 1);
    }
    context.stroke();
    context.lineWidth = 1;
}

/** Calls `draw(column, from, to, firstIndex, lastIndex)` for columns of pixels; column 0 begins at time 0. */
function forEachColumn(spans, firstColumn, lastColumn, step, draw) {
    let index = lowerBound(spans.start, firstColumn * step);
    for (let column = firstColumn; column < lastColumn; ++column) {
        const from = column * step;
        const next = lowerBoundNear(spans.start, from + step, index);
        draw(column, from, from + step, index, next);
        index = next;
    }
}

const keyLengths = new Float64Array(1024);  // scratch of keyOfColumn

/** The key of the color that covers most of spans [from, to), from at most 8 of them. */
function keyOfColumn(lane, from, to, view) {
    if (to - from <= 1) {
        return colorKey(lane, Math.max(0, to - 1), view);
    }
    const {start, end} = lane.spans;
    const step = (to - from) / Math.min(8, to - from);
    let best = 0;
    for (let at = from; at < to; at += step) {
        const i = Math.floor(at);
        const key = colorKey(lane, i, view) & 1023;
        keyLengths[key] += end[i] - start[i];
        best = keyLengths[key] > keyLengths[best] ? key : best;
    }
    keyLengths.fill(0, 0, 64);
    for (let at = from; at < to; at += step) {
        keyLengths[colorKey(lane, Math.floor(at), view) & 1023] = 0;
    }
    return best;
}

/** Fills columns of pixels; neighbors of one color and height become one rectangle. */
class ColumnPainter {
    constructor(context, base) {
        this.context = context;
        this.base = base;
        this.width = 0;
    }
    add(x, height, color) {
        const rounded = Math.round(height * 2) / 2;
        if (this.width > 0 && x === this.x + this.width && rounded === this.height && color === this.color) {
            ++this.width;
            return;
        }
        this.flush();
        [this.x, this.width, this.height, this.color] = [x, 1, rounded, color];
    }
    flush() {
        if (this.width > 0) {
            this.context.fillStyle = this.color;
            this.context.fillRect(this.x, this.base - this.height, this.width, this.height);
        }
        this.width = 0;
    }
}

function drawCoverage(context, lane, view, scale) {
    const {spans} = lane;
    drawTiles(context, lane, view, scale, (painter, firstColumn, lastColumn, step) => {
        let before = NaN;
        forEachColumn(spans, firstColumn, lastColumn, step, (column, from, to, index, next) => {
            before = Number.isNaN(before) ? sumBefore(spans, spans.lengthSums, from, index) : before;
            const after = sumBefore(spans, spans.lengthSums, to, next);
            const share = Math.min(1, (after - before) / (to - from));
            before = after;
            if (share > 0) {
                painter.add(column - firstColumn, Math.max(2, share * (lane.height - 2)), colorOfKey(lane, keyOfColumn(lane, next > index ? index : index - 1, next, view), view));
            }
        });
    });
}

function drawCounter(context, lane, view, scale) {
    drawTiles(context, lane, view, scale, (painter, firstColumn, lastColumn, step) => {
        const sums = new Float64Array(lastColumn - firstColumn + 1);
        for (const {spans, [lane.sums]: weights} of lane.engines) {
            let index = lowerBound(spans.start, firstColumn * step);
            for (let k = 0; k < sums.length; ++k) {
                const time = (firstColumn + k) * step;
                index = lowerBoundNear(spans.start, time, index);
                sums[k] += sumBefore(spans, weights, time, index);
            }
        }
        for (let k = 0; k + 1 < sums.length; ++k) {
            const share = Math.min(1, (sums[k + 1] - sums[k]) / (step * lane.mostPerNs));
            if (share > 1e-4) {
                painter.add(k, Math.max(1, share * (lane.height - 2)), cssColor("--accent"));
            }
        }
    });
}

/** A red band from the decision until the job is off the device, with a triangle on top. */
function drawPreemptions(context, model, view, scale) {
    const {preemptions} = model;
    context.fillStyle = cssColor("--bad");
    let lastX = -10;
    const starts = model.preemptionStarts;
    for (let i = Math.max(0, lowerBound(starts, view.from) - 1); i < preemptions.length && preemptions[i].from <= view.to;) {
        const from = scale.x(preemptions[i].from);
        const width = Math.max(1, scale.x(preemptions[i].to) - from);
        lastX = from;
        context.globalAlpha = 0.28;
        context.fillRect(from, kTimelineTop, width, view.height);
        context.globalAlpha = 1;
        context.beginPath();
        context.moveTo(from - 4, kTimelineTop - 8);
        context.lineTo(from + 4, kTimelineTop - 8);
        context.lineTo(from, kTimelineTop - 1);
        context.fill();
        i = Math.max(i + 1, lowerBound(starts, scale.time(lastX + 3)));
    }
}

/** Faults, the end of what was kept, the selection, the measured range, the pointer. */
function drawMarks(context, model, view, scale) {
    context.fillStyle = cssColor("--bad");
    for (const fault of model.faults) {
        context.fillRect(scale.x(fault.at) - 1, kTimelineTop - 4, 2, view.height);
    }
    if (model.keptUntil !== null && model.keptUntil < view.to) {
        context.fillStyle = cssColor("--idle");
        context.globalAlpha = 0.35;
        context.fillRect(scale.x(model.keptUntil), kTimelineTop, view.width, view.height);
        context.globalAlpha = 1;
    }
    if (view.selected) {
        const {lane, index} = view.selected;
        const from = scale.x(lane.spans.start[index]);
        context.strokeStyle = cssColor("--ink");
        context.lineWidth = 2;
        const rowHeight = lane.height / lane.spans.rowCount;
        context.strokeRect(from - 1, lane.y + lane.spans.row[index] * rowHeight, Math.max(3, scale.x(lane.spans.end[index]) - from + 1), rowHeight);
        context.lineWidth = 1;
    }
    if (view.range) {
        context.fillStyle = cssColor("--accent");
        context.globalAlpha = 0.2;
        const from = scale.x(Math.min(...view.range));
        context.fillRect(from, kTimelineTop, scale.x(Math.max(...view.range)) - from, view.height);
        context.globalAlpha = 1;
    }
    if (view.pointer !== null) {
        context.fillStyle = cssColor("--muted");
        context.fillRect(Math.round(scale.x(view.pointer)), kTimelineTop - 6, 1, view.height);
    }
}

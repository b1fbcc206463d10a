// SPDX-License-Identifier: Apache-2.0
// The timeline on the page: zooming, panning, choosing, with pointer and keyboard.

const kKeys = [
    ["← →", "pan"], ["+ −", "zoom"], ["0", "show all"], ["↑ ↓", "choose a lane"], [", .", "previous, next command or frame of the lane"],
    ["n N", "next, previous preemption"], ["Enter", "zoom to what is selected"], ["Esc", "select nothing"], ["t", "light or dark"],
];
const kRestMs = 100;  // chosen: more than a few frames
const kMouse = [
    ["drag", "pan"], ["wheel", "zoom, once the timeline was clicked; Ctrl and wheel always"], ["Shift and wheel", "pan"], ["Shift and drag", "measure a time"],
    ["double click", "zoom in"], ["click", "select"],
];

async function drawTimeline(run) {
    const part = section("timeline", "Timeline");
    if (run.timeline.lanes.length === 0 && run.frameCount === 0) {
        part.append(note("Nothing happened."));
        return;
    }
    const model = await timelineModel(run);
    model.preemptionStarts = Float64Array.from(model.preemptions, (preemption) => preemption.from);
    run.timelineView = new TimelineView(run, model, part);
}

/** Shows a part of the time, from another part of the page. */
function showInTimeline(run, from, to) {
    document.getElementById("timeline").scrollIntoView();
    run.timelineView?.show(from, to);
}

/** Shows and selects a layer's first command. */
function showLayerInTimeline(run, client, operation) {
    const view = run.timelineView;
    let best = null;
    for (const lane of view?.model.lanes ?? []) {
        if (lane.kind !== "engine") {
            continue;
        }
        const index = lane.client.findIndex((value, i) => value === client && lane.operation[i] === operation);
        if (index >= 0 && (best === null || lane.spans.start[index] < best.lane.spans.start[best.index])) {
            best = {lane, index};
        }
    }
    if (best) {
        document.getElementById("timeline").scrollIntoView();
        view.select(best.lane, best.index);
        view.zoomToSelected();
    }
}

class TimelineView {
    constructor(run, model, part) {
        this.run = run;
        this.model = model;
        this.view = {
            from: model.from, to: model.to, width: 0, height: placeLanes(model), pointer: null, range: null, selected: null, lane: null,
            coloring: run.clients.length > 1 ? "client" : "operation",
        };
        this.canvas = el("canvas", {class: "lanes", tabindex: 0, role: "application", "aria-label": "timeline; arrow keys pan, plus and minus zoom, comma and dot choose commands"});
        this.overview = el("canvas", {class: "overview", "aria-hidden": "true"});
        this.where = el("span", {class: "count", "aria-live": "off"});
        this.details = el("div", {class: "details", "aria-live": "polite"});
        this.legend = el("div");
        const button = (text, title, action) => el("button", {type: "button", title, onclick: action}, text);
        const hasPreemptions = model.preemptions.length > 0;
        part.append(
            el("div", {class: "controls"},
                button("−", "zoom out", () => this.zoom(2)), button("+", "zoom in", () => this.zoom(0.5)), button("all", "show the whole run (key 0)", () => this.show(model.from, model.to)),
                button("◂ preemption", "key N", () => this.goToPreemption(-1)), button(`preemption ▸ (${integer(model.preemptions.length)})`, "key n", () => this.goToPreemption(1)),
                choice("color", [["client", "by client"], ["operation", "by operation"]], this.view.coloring, (value) => {
                    this.view.coloring = value;
                    this.redraw();
                }), this.where),
            this.legend, el("div", {class: "timeline"}, this.overview, this.canvas), this.details, this.help());
        if (!hasPreemptions) {
            part.querySelectorAll(".controls button").forEach((each) => {
                each.disabled = each.textContent.includes("preemption");
            });
        }
        if (model.keptUntil !== null) {
            part.insertBefore(el("p", {class: "warning"}, `The lanes hold the first ${integer(run.timeline.events)} of ${integer(run.timeline.events + run.timeline.left_out)} events, up to ${moment(model.keptUntil)}. All other parts of the page cover the whole run.`), this.legend);
        }
        listenToTimeline(this);
        new ResizeObserver(() => this.resize()).observe(this.canvas.parentElement);
        this.resize();
        drawThemed(() => {
            inkColors.clear();
            this.legend.replaceChildren(legend([
                ...run.clients.map((client, i) => [seriesColor(i), client.name]), [seriesColor(-1), "no client"],
                [cssColor("--bad"), "preemption (▾), missed deadline (×), deadline of a frame, fault"]]));
            this.drawOverview();
            this.redraw();
        });
        this.showDetails();
    }

    help() {
        const rows = (list) => el("table", {class: "keys"}, el("tbody", {}, list.map(([key, text]) => el("tr", {}, el("td", {}, el("kbd", {}, key)), el("td", {}, text)))));
        return el("details", {}, el("summary", {}, "keys, and what is drawn"), el("div", {class: "details"}, el("div", {class: "columns"}, rows(kKeys), rows(kMouse)),
            note("Frames: pale from call to answer, a solid line on top while the job is on the device, a line at the bottom while the frame waits for its client. A thin line before a command is its wait for other engines. " +
                "Where there are more commands than pixels, the height of a column is the share of its time that is covered, and its color that of the most frequent client or operation.")));
    }

    resize() {
        const ratio = devicePixelRatio || 1;
        const width = Math.max(400, this.canvas.parentElement.clientWidth - 2);
        for (const [canvas, height] of [[this.canvas, this.view.height], [this.overview, 34]]) {
            canvas.width = width * ratio;
            canvas.height = height * ratio;
            canvas.style.height = `${height}px`;
            canvas.getContext("2d").setTransform(ratio, 0, 0, ratio, 0, 0);
        }
        this.view.width = width;
        this.drawOverview();
        this.draw();
    }

    /** Draws at the next frame of the screen; several calls before it draw once. */
    redraw() {
        this.frame ??= requestAnimationFrame(() => {
            this.frame = null;
            this.draw();
        });
    }

    draw() {
        const {view, model} = this;
        drawTimelineLanes(this.canvas.getContext("2d"), model, view);
        this.drawWindow();
        clearTimeout(this.telling);
        this.telling = setTimeout(() => this.tellWhere(), this.where.textContent ? kRestMs : 0);
    }

    /** Says what is shown. Text is a change of the page, which takes longer than the canvas, so it waits until the view rests. */
    tellWhere() {
        const {view} = this;
        this.where.textContent = `${moment(view.from)} to ${moment(view.to)}: ${duration(view.to - view.from)}` + (view.range ? `; measured ${duration(Math.abs(view.range[1] - view.range[0]))}` : "");
    }

    /** The whole run in one line: work of the array and of the DRAM. */
    drawOverview() {
        const picture = document.createElement("canvas");
        picture.width = this.view.width;
        picture.height = 34;
        const context = picture.getContext("2d");
        const whole = {from: this.model.from, to: this.model.to, width: this.view.width, height: 34};
        const scale = viewScale(whole);
        context.fillStyle = cssColor("--faint");
        context.fillRect(0, 0, whole.width, 34);
        for (const lane of this.model.lanes.filter((each) => each.kind === "counter" || each.kind === "firmware")) {
            const copy = {...lane, y: 0, height: 34};
            context.globalAlpha = lane.kind === "firmware" ? 0.45 : 1;
            if (lane.kind === "firmware") {
                drawCoverage(context, copy, whole, scale);
            } else if (lane.name === "MAC use") {
                drawCounter(context, copy, whole, scale);
            }
        }
        context.globalAlpha = 1;
        this.overviewPicture = picture;
    }

    drawWindow() {
        const context = this.overview.getContext("2d");
        const {view, model} = this;
        context.clearRect(0, 0, view.width, 34);
        if (this.overviewPicture) {
            context.drawImage(this.overviewPicture, 0, 0);
        }
        const scale = viewScale({from: model.from, to: model.to, width: view.width});
        const from = scale.x(view.from);
        const to = Math.max(from + 3, scale.x(view.to));
        context.fillStyle = cssColor("--back");
        context.globalAlpha = 0.6;
        context.fillRect(kTimelineLeft, 0, from - kTimelineLeft, 34);
        context.fillRect(to, 0, view.width - to, 34);
        context.globalAlpha = 1;
        context.strokeStyle = cssColor("--accent");
        context.lineWidth = 2;
        context.strokeRect(from, 1, to - from, 32);
        context.lineWidth = 1;
        context.font = "11.5px system-ui, 'DejaVu Sans', sans-serif";
        context.textBaseline = "middle";
        context.textAlign = "right";
        context.fillStyle = cssColor("--ink");
        context.fillText("whole run", kTimelineLeft - 8, 17);
    }

    /** Shows [from, to], or the nearest part that exists and is not shorter than 50 ns. */
    show(from, to) {
        const {model, view} = this;
        const most = model.to - model.from;
        const span = Math.min(most, Math.max(50, to - from));
        const begin = Math.max(model.from, Math.min((from + to - span) / 2, model.to - span));
        view.from = begin;
        view.to = begin + span;
        this.redraw();
        if (span < most / 4) {
            this.loadVisible();
        }
    }

    /** Loads the details of all commands, for tooltips and waits; once. */
    loadVisible() {
        this.loading ??= Promise.all(this.model.lanes.map((lane) => lane.load?.())).then(() => {
            this.redraw();
            this.showDetails();
        });
        return this.loading;
    }

    zoom(factor, center = (this.view.from + this.view.to) / 2) {
        const {from, to} = this.view;
        const span = Math.max(50, (to - from) * factor);
        const share = (center - from) / (to - from);
        this.show(center - share * span, center + (1 - share) * span);
    }

    pan(share) {
        const by = share * (this.view.to - this.view.from);
        const moved = Math.max(this.model.from - this.view.from, Math.min(by, this.model.to - this.view.to));
        this.show(this.view.from + moved, this.view.to + moved);
    }

    goToPreemption(direction) {
        const {preemptions, preemptionStarts} = this.model;
        if (preemptions.length === 0) {
            return;
        }
        const middle = (this.view.from + this.view.to) / 2;
        const near = (this.view.to - this.view.from) * 1e-6 + 1;
        const index = direction > 0 ? lowerBound(preemptionStarts, middle + near) : lowerBound(preemptionStarts, middle - near) - 1;
        const preemption = preemptions[(index + preemptions.length) % preemptions.length];
        const span = Math.min(this.view.to - this.view.from, Math.max(200_000, 8 * (preemption.to - preemption.from)));
        this.show(preemption.from - span / 2, preemption.from + span / 2);
        this.showRows(`${preemption.how === "preempted" ? "Preemption" : "Stop"} of ${preemption.job < 0 ? "a job" : `job ${this.run.jobs.id[preemption.job]} of ${clientName(this.run, clientOfJob(this.run, preemption.job))}`}`, [
            ["decided", moment(preemption.from)], ["off the device", moment(preemption.to)], ["took", duration(preemption.to - preemption.from)],
            ...(preemption.job >= 0 ? [["job's costs", `${this.run.jobs.preemptions[preemption.job]} preemptions, ${this.run.jobs.restarts[preemption.job]} restarts, ${integer(this.run.jobs.saved_bytes[preemption.job])} bytes saved, ${integer(this.run.jobs.switch_cycles[preemption.job])} cycles of switching`]] : [])]);
    }

    select(lane, index) {
        this.view.selected = index < 0 ? null : {lane, index};
        this.view.lane = lane;
        this.loadVisible();
        this.showDetails();
        this.redraw();
    }

    zoomToSelected() {
        if (this.view.selected) {
            const {lane: {spans}, index} = this.view.selected;
            const span = Math.max(200, (spans.end[index] - spans.start[index]) * 12);
            const middle = (spans.start[index] + spans.end[index]) / 2;
            this.show(middle - span / 2, middle + span / 2);
        }
    }

    showDetails() {
        if (!this.view.selected) {
            this.details.replaceChildren(note("Click a frame or a command to see it here. The keys are listed below."));
            return;
        }
        const {lane, index} = this.view.selected;
        this.showRows(...lane.tip(index), lane.name);
    }

    showRows(title, rows, place = "") {
        const half = Math.ceil(rows.length / 2);
        this.details.replaceChildren(el("b", {}, place ? `${place}: ${title}` : title), el("div", {class: "columns"}, facts(rows.slice(0, half)), facts(rows.slice(half))));
    }

    /** What is at a place of the canvas: {lane, index, time}; index -1 for nothing. */
    at(x, y) {
        const scale = viewScale(this.view);
        const time = scale.time(x);
        const lane = this.model.lanes.find((each) => y >= each.y - 1 && y < each.y + each.height + kLaneGap) ?? null;
        if (!lane?.spans || x < kTimelineLeft) {
            return {lane, index: -1, time};
        }
        const row = Math.min(lane.spans.rowCount - 1, Math.floor((y - lane.y) / (lane.height / lane.spans.rowCount)));
        return {lane, index: findSpan(lane.spans, time, row, 3 / scale.perNs), time};
    }

    showTipAt(event, {lane, index, time}) {
        if (lane && index >= 0) {
            showTip(event, ...lane.tip(index));
        } else if (lane?.kind === "counter") {
            showTip(event, lane.name, [["at", moment(time)], [lane.title, percent(this.counterAt(lane, time))]]);
        } else if (lane && event.offsetX < kTimelineLeft) {
            showTip(event, lane.name, [["shows", lane.title ?? ""]]);
        } else {
            hideTip();
        }
    }

    /** The mean of a counter over the pixel at `time`. */
    counterAt(lane, time) {
        const step = 1 / viewScale(this.view).perNs;
        const sum = (at) => sumOf(lane.engines, (engine) => sumBefore(engine.spans, engine[lane.sums], at, lowerBound(engine.spans.start, at)));
        return (sum(time + step / 2) - sum(time - step / 2)) / (step * lane.mostPerNs);
    }
}

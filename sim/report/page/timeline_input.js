// SPDX-License-Identifier: Apache-2.0
// Pointer and keyboard of the timeline.

/** Makes a TimelineView follow the pointer and the keyboard. */
function listenToTimeline(timeline) {
    const {canvas, view} = timeline;
    let drag = null;

    canvas.addEventListener("wheel", (event) => {
        const isSideways = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
        if (!isSideways && !event.ctrlKey && document.activeElement !== canvas) {
            return;  // the page scrolls
        }
        event.preventDefault();
        if (isSideways) {
            timeline.pan((event.deltaX || event.deltaY) / view.width);
        } else {
            timeline.zoom(1.0015 ** (event.deltaY * (event.deltaMode === 1 ? 30 : 1)), viewScale(view).time(Math.max(kTimelineLeft, event.offsetX)));
        }
    }, {passive: false});

    canvas.addEventListener("pointerdown", (event) => {
        canvas.setPointerCapture(event.pointerId);
        canvas.focus({preventScroll: true});
        drag = {x: event.offsetX, from: view.from, to: view.to, isMoved: false, isRange: event.shiftKey};
        if (drag.isRange) {
            view.range = [viewScale(view).time(event.offsetX), viewScale(view).time(event.offsetX)];
        }
        hideTip();
    });
    canvas.addEventListener("pointermove", (event) => {
        view.pointer = viewScale(view).time(event.offsetX);
        if (drag?.isRange) {
            view.range[1] = view.pointer;
            timeline.redraw();
        } else if (drag) {
            drag.isMoved ||= Math.abs(event.offsetX - drag.x) > 3;
            const by = (drag.x - event.offsetX) / viewScale(view).perNs;
            if (drag.isMoved) {
                timeline.show(Math.max(timeline.model.from, drag.from + by), Math.max(timeline.model.from, drag.from + by) + drag.to - drag.from);
            }
        } else {
            timeline.loadVisible();
            timeline.showTipAt(event, timeline.at(event.offsetX, event.offsetY));
            timeline.redraw();
        }
    });
    canvas.addEventListener("pointerup", (event) => {
        if (drag && !drag.isMoved && !drag.isRange) {
            const found = timeline.at(event.offsetX, event.offsetY);
            view.range = null;
            timeline.select(found.lane, found.index);
        }
        drag = null;
    });
    canvas.addEventListener("pointercancel", () => {
        drag = null;
    });
    canvas.addEventListener("pointerleave", () => {
        view.pointer = null;
        hideTip();
        timeline.redraw();
    });
    canvas.addEventListener("dblclick", (event) => timeline.zoom(0.25, viewScale(view).time(event.offsetX)));
    canvas.addEventListener("keydown", (event) => onTimelineKey(timeline, event));

    const moveTo = (event) => {
        const whole = viewScale({from: timeline.model.from, to: timeline.model.to, width: view.width});
        const middle = whole.time(event.offsetX);
        const span = view.to - view.from;
        timeline.show(middle - span / 2, middle + span / 2);
    };
    timeline.overview.addEventListener("pointerdown", (event) => {
        timeline.overview.setPointerCapture(event.pointerId);
        moveTo(event);
    });
    timeline.overview.addEventListener("pointermove", (event) => {
        if (event.buttons === 1) {
            moveTo(event);
        }
    });
}

function onTimelineKey(timeline, event) {
    const actions = {
        ArrowLeft: () => timeline.pan(-0.15), ArrowRight: () => timeline.pan(0.15), ArrowUp: () => chooseLane(timeline, -1), ArrowDown: () => chooseLane(timeline, 1),
        "+": () => timeline.zoom(0.6), "=": () => timeline.zoom(0.6), "-": () => timeline.zoom(1 / 0.6), 0: () => timeline.show(timeline.model.from, timeline.model.to), Home: () => timeline.show(timeline.model.from, timeline.model.to),
        ",": () => chooseNeighbor(timeline, -1), ".": () => chooseNeighbor(timeline, 1), n: () => timeline.goToPreemption(1), N: () => timeline.goToPreemption(-1),
        Enter: () => timeline.zoomToSelected(), Escape: () => timeline.select(null, -1),
    };
    if (event.ctrlKey || event.metaKey || event.altKey || !(event.key in actions)) {
        return;
    }
    event.preventDefault();
    actions[event.key]();
}

/** Selects a span in the middle of the view, in the previous or next lane. */
function chooseLane(timeline, direction) {
    const lanes = timeline.model.lanes.filter((lane) => lane.spans && lane.spans.count > 0);
    const now = lanes.indexOf(timeline.view.lane);
    const lane = lanes[Math.max(0, Math.min(lanes.length - 1, now < 0 ? 0 : now + direction))];
    if (lane) {
        const middle = (timeline.view.from + timeline.view.to) / 2;
        const index = Math.min(lane.spans.count - 1, lowerBound(lane.spans.start, middle));
        timeline.select(lane, index);
    }
}

function chooseNeighbor(timeline, direction) {
    const {selected, from, to} = timeline.view;
    if (!selected) {
        chooseLane(timeline, 0);
        return;
    }
    const {spans} = selected.lane;
    const index = Math.max(0, Math.min(spans.count - 1, selected.index + direction));
    timeline.select(selected.lane, index);
    const middle = (spans.start[index] + spans.end[index]) / 2;
    if (middle < from || middle > to) {
        timeline.show(middle - (to - from) / 2, middle + (to - from) / 2);
    }
}

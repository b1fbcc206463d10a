// SPDX-License-Identifier: Apache-2.0
// The page of a validation: verdicts, ratios, the parts of the differences, curves.

const kVerdicts = {pass: ["--good", "✓ pass", "pass"], "by parts": ["--accent", "≈ by parts", ""], FAIL: ["--bad", "✗ FAIL", "fail"], "-": ["--muted", "– none", ""]};

async function drawValidatePage(data) {
    document.getElementById("title").textContent = "validation";
    const main = document.getElementById("main");
    const count = (verdict) => data.checks.filter((row) => row.verdict === verdict).length;
    main.append(el("div", {class: "tiles"},
        tile("checks", data.checks.length, `${new Set(data.checks.map((row) => row.rung)).size} rungs`),
        tile("pass", count("pass"), "by number alone", "good"), tile("by parts", count("by parts"), "parts of the difference hold"),
        tile("FAIL", count("FAIL"), "numbers or parts", count("FAIL") ? "bad" : "good"), tile("none", count("-"), "without a verdict")));
    section("summary", "Summary", el("pre", {}, data.summary, data.bands ? `\n${data.bands}` : ""));
    drawChecks(data);
    drawRatios(data);
    drawParts(data);
    drawCurves(data);
    if (data.notes.length > 0) {
        section("notes", "Notes", data.notes.map((text) => note(text)));
    }
}

const kCheckKeys = ["kind", "rung", "verdict"];

function toleranceText(row) {
    return row.verdict === "-" ? "none" : row.limit ? row.limit : row.tolerance === 0 ? "equal" : percent(row.tolerance, 0);
}

function drawChecks(data) {
    const order = ["FAIL", "by parts", "pass", "-"];
    const columns = [
        {name: "verdict", value: (row) => order.indexOf(row.verdict), isText: true, text: (value, row) => row.verdict,
            draw: (value, row) => el("span", {class: `verdict ${kVerdicts[row.verdict][2]}`}, kVerdicts[row.verdict][1])},
        {name: "rung", key: "rung", isText: true}, {name: "subject", key: "subject", isText: true}, {name: "quantity", key: "quantity", isText: true},
        {name: "model", key: "model"}, {name: "reference", key: "reference"},
        {name: "ratio", key: "ratio", text: (value) => value === null ? "∞" : value.toFixed(3), title: "model over reference"},
        {name: "tolerance", key: "tolerance", text: (value, row) => toleranceText(row), title: "largest distance of the ratio from 1"},
        {name: "note", value: (row) => [row.is_broken ? "no numbers" : "", row.note, row.gap?.text].filter(Boolean).join("; "), isText: true, isWide: true, draw: clampedText}];
    const table = dataTable({
        columns, rows: data.checks, caption: "checks", search: true, sortBy: "verdict",
        controls: rowFilters(data.checks, kCheckKeys, (rows) => table.show(rows)),
    });
    section("checks", "Checks",
        note("pass: the numbers are within the tolerance, and the parts of their difference hold. by parts: further apart, but the parts hold. FAIL: the parts do not hold, even if the numbers agree; or there are none and the numbers differ."),
        table);
}

/** Model over reference of all checks by rung, on a logarithmic axis. */
function drawRatios(data) {
    const rows = data.checks.filter((row) => row.ratio !== null && row.ratio > 0);
    if (rows.length === 0) {
        return;
    }
    const rungs = [...new Set(rows.map((row) => row.rung))];
    const holder = el("div");
    const spread = (rung) => {
        const mine = rows.filter((row) => row.rung === rung);
        return new Map(mine.map((row, i) => [row, mine.length === 1 ? 0 : (i / (mine.length - 1) - 0.5) * 0.7]));
    };
    const places = new Map(rungs.flatMap((rung) => [...spread(rung)]));
    drawThemed(() => holder.replaceChildren(plot({
        width: 1160, height: 340, x: {label: "rung", kind: "band", names: rungs}, y: {label: "model / reference", kind: "log", values: [0.9, 1.1, ...rows.map((row) => row.ratio)], room: 1.1},
        marks: [
            (scales) => [svg("line", {x1: scales.left, x2: scales.right, y1: scales.y(1), y2: scales.y(1), stroke: cssColor("--ink"), "stroke-width": 1.2})],
            ...Object.entries(kVerdicts).map(([verdict, [color]], shape) => (scales) => dotMark(
                rows.filter((row) => row.verdict === verdict).map((row) => ({x: row, y: row.ratio, tip: [`${row.subject}: ${row.quantity}`, [
                    ["verdict", row.verdict], ["model", shortNumber(row.model)], ["reference", shortNumber(row.reference)], ["ratio", row.ratio.toFixed(3)], ["tolerance", toleranceText(row)]]]})),
                cssColor(color), shape)({...scales, x: (row) => scales.x(row.rung) + places.get(row) * scales.x.width}))],
    }), legend(Object.values(kVerdicts).map(([color, text]) => [cssColor(color), text]))));
    section("ratios", "Ratios", note("Each check is a dot; the order within a rung is that of the table."), holder);
}

/** The parts of each difference as bars to the right (the model takes longer) and to the left. */
function drawParts(data) {
    const rows = data.checks.filter((row) => row.gap && row.gap.parts.length > 0);
    if (rows.length === 0) {
        return;
    }
    const names = [...new Set(rows.flatMap((row) => row.gap.parts.map((part) => part.name)))];
    const holder = el("div");
    const colors = el("div");
    let shown = rows;
    const draw = () => {
        colors.replaceChildren(legend([...names.map((name, i) => [seriesColor(i), name]), [cssColor("--idle"), "rest"]]));
        holder.replaceChildren(gapBars(shown, names));
    };
    section("parts", "Parts of the differences",
        note("Cycles of the model less those of the reference, as shares of the reference's. Bars to the right: the model takes longer. A red frame: the part is outside its bounds. The mark is the sum."),
        el("div", {class: "controls"}, rowFilters(rows, kCheckKeys, (fitting) => {
            shown = fitting;
            draw();
        })), colors, el("div", {class: "scroll", tabindex: 0}, holder));
    drawThemed(draw);
}

const kGapTop = 20;  // height of the ticks

function gapBars(rows, names) {
    const width = 1160;
    const left = 330;
    const height = 24;
    const sides = rows.map(({gap}) => [...gap.parts.map((part) => part.cycles), gap.rest].map((cycles) => cycles / gap.reference)).map((shares) =>
        [sumOf(shares, (share) => Math.min(0, share)), sumOf(shares, (share) => Math.max(0, share))]);
    const scale = linearScale(Math.min(0, ...sides.map(([low]) => low)), Math.max(0.01, ...sides.map(([, high]) => high)), left + 8, width - 90);
    const ticks = scale.ticks.map((tick) => [
        svg("line", {x1: scale(tick), x2: scale(tick), y1: kGapTop, y2: kGapTop + rows.length * height}),
        svg("text", {x: scale(tick), y: 14, "text-anchor": "middle"}, percent(tick, 0))]);
    return svg("svg", {class: "bars", viewBox: `0 0 ${width} ${rows.length * height + kGapTop + 4}`, role: "img", "aria-label": "parts of the differences"},
        svg("g", {class: "axis"}, ticks, svg("line", {class: "base", x1: scale(0), x2: scale(0), y1: kGapTop, y2: kGapTop + rows.length * height})),
        rows.map((row, i) => gapBar(row, names, kGapTop + i * height, height, left, scale)));
}

function gapBar(row, names, y, height, left, scale) {
    const {gap} = row;
    const ends = [0, 0];
    const parts = [...gap.parts, {name: "rest", cycles: gap.rest, holds: gap.sums, bounds: []}].filter((part) => part.cycles !== 0);
    const rects = parts.map((part) => {
        const share = part.cycles / gap.reference;
        const side = share < 0 ? 0 : 1;
        const from = ends[side];
        ends[side] += share;
        const [x1, x2] = [scale(from), scale(ends[side])].sort((a, b) => a - b);
        return svg("rect", {
            x: x1, width: Math.max(0.8, x2 - x1), y: y + 4, height: height - 8, class: "bar", tabindex: 0, "aria-label": `${row.subject}: ${part.name}`,
            fill: part.name === "rest" ? cssColor("--idle") : seriesColor(names.indexOf(part.name)), stroke: part.holds ? "none" : cssColor("--bad"), "stroke-width": part.holds ? 0 : 2.5,
            ...tipOn(`${row.subject}: ${part.name}`, [
                ["cycles", `${part.cycles > 0 ? "+" : ""}${integer(part.cycles)} (${share > 0 ? "+" : ""}${percent(share)})`],
                ...part.bounds.map((bound) => [bound.figure, `${bound.holds ? "" : "✗ "}${trimmed(bound.ratio, 3)} (${trimmed(bound.low, 3)} to ${bound.high === null ? "∞" : trimmed(bound.high, 3)})`]),
                part.name === "rest" ? ["largest allowed", percent(gap.tolerance)] : null].filter(Boolean)),
        });
    });
    const total = (gap.model - gap.reference) / gap.reference;
    return svg("g", {},
        svg("text", {x: left, y: y + 16, "text-anchor": "end"}, shortened(row.subject, 50), svg("title", {}, `${row.rung}: ${row.subject}`)), rects,
        svg("path", {d: `M${scale(total)} ${y + 2}v${height - 4}`, stroke: cssColor("--ink"), "stroke-width": 2.5}),
        svg("text", {x: scale(Math.max(ends[1], 0)) + 8, y: y + 16}, `${total > 0 ? "+" : ""}${percent(total, 0)} ${gap.holds ? "" : "✗"}`));
}

function drawCurves(data) {
    if (data.curves.length === 0) {
        return;
    }
    const holder = el("div", {class: "grid"});
    drawThemed(() => holder.replaceChildren(...data.curves.map((curve) => {
        const points = curve.points.map(([x, model, closedForm]) => ({x, model, closedForm}));
        return plot({
            title: curve.title, x: {label: curve.x_label, kind: "log", values: points.map((point) => point.x)}, y: {label: curve.y_label, kind: "log", values: points.flatMap((point) => [point.model, point.closedForm])},
            marks: [
                lineMark(points.map((point) => ({x: point.x, y: point.closedForm})), cssColor("--muted")),
                verticalMark(curve.knee, `knee ${trimmed(curve.knee, 3)}`, cssColor("--muted")),
                verticalMark(curve.measured_knee, `measured ${trimmed(curve.measured_knee, 3)}`, seriesColor(0), {row: 1}),
                dotMark(points.map((point) => ({x: point.x, y: point.model, tip: [curve.title, [
                    [curve.x_label, trimmed(point.x, 4)], [`${curve.y_label}, model`, shortNumber(point.model)], ["closed form", shortNumber(point.closedForm)], ["ratio", trimmed(point.model / point.closedForm, 4)]]]})), seriesColor(0))],
        });
    })));
    section("curves", "Curves", note("Dots: the model. Gray line: the closed form."), holder);
}

// SPDX-License-Identifier: Apache-2.0
// The plot of a sweep: an axis or a figure on x, a figure on y, series by color and shape, facets side by side.

const kMostSeries = 24;  // chosen: more have no colors and shapes of their own

/** What the page shows first: the numeric axis with most values on x, the next axis as series, a third one as facets. */
function firstChoice(sweep) {
    const order = sweep.axes.map((axis, i) => i).sort((a, b) =>
        sweep.axes[b].isNumeric - sweep.axes[a].isNumeric || sweep.axes[b].labels.length - sweep.axes[a].labels.length || a - b);
    const varied = order.filter((i) => sweep.axes[i].labels.length > 1);
    const [x = 0, , facet = -1] = varied;
    return {
        x: `axis:${x}`, y: sweep.columns.find((name) => sweep.figures.has(name)) ?? [...sweep.figures.keys()][0] ?? "", what: "mean", facet,
        series: sweep.axes.map((axis, i) => i !== x && i !== facet), filters: sweep.axes.map(() => ""), isLogX: false, isLogY: false, isZero: false,
    };
}

function drawSweepPlot(sweep) {
    const chosen = firstChoice(sweep);
    const holder = el("div");
    const filters = el("div", {class: "controls"});
    const draw = () => holder.replaceChildren(...sweepFacets(sweep, chosen));
    const set = (key, convert = (value) => value) => (value) => {
        chosen[key] = convert(value);
        drawFilters();
        draw();
    };
    const figures = [...sweep.figures.keys()].map((name) => [name, name]);
    const axes = sweep.axes.map((axis, i) => [String(i), axis.name]);

    function drawFilters() {
        filters.replaceChildren(...sweep.axes.map((axis, i) => axis.labels.length < 2 ? null : el("span", {class: "control"},
            choice(axis.name, [["", "all"], ...axis.labels.map((label) => [label, label])], chosen.filters[i], (value) => {
                chosen.filters[i] = value;
                draw();
            }),
            isOnX(chosen, i) || chosen.facet === i ? el("span", {}, isOnX(chosen, i) ? "(on x)" : "(facets)")
                : check("series", chosen.series[i], (isOn) => {
                    chosen.series[i] = isOn;
                    draw();
                }))).filter(Boolean));
    }

    section("plot", "Plot",
        el("div", {class: "controls"},
            choice("y", figures, chosen.y, set("y")),
            sweep.has_baseline ? choice("as", [["mean", "mean"], ["ratio", "ratio to the baseline"]], "mean", set("what")) : null,
            choice("x", [...sweep.axes.map((axis, i) => [`axis:${i}`, axis.name]), ...figures.map(([name]) => [`figure:${name}`, `figure ${name}`])], chosen.x, set("x")),
            choice("facets", [["-1", "none"], ...axes], String(chosen.facet), set("facet", Number)),
            check("log x", false, set("isLogX")), check("log y", false, set("isLogY")), check("y from 0", false, set("isZero"))),
        filters, holder);
    drawFilters();
    drawThemed(draw);
}

function isOnX(chosen, axis) {
    return chosen.x === `axis:${axis}`;
}

/** One plot for each value of the facets' axis, with the same scales. */
function sweepFacets(sweep, chosen) {
    const rows = sweep.rows.filter((row) => chosen.filters.every((label, i) => label === "" || row.labels[i] === label));
    const xAxis = chosen.x.startsWith("axis:") ? sweep.axes[Number(chosen.x.slice(5))] : null;
    const xFigure = xAxis ? null : chosen.x.slice(7);
    const xIndex = xAxis ? sweep.axes.indexOf(xAxis) : -1;
    const inSeries = sweep.axes.map((axis, i) => i).filter((i) => i !== xIndex && i !== chosen.facet && chosen.series[i] && sweep.axes[i].labels.length > 1);
    const points = rows.map((row) => ({
        row, x: xFigure ? sweepValue(sweep, xFigure, "mean", row.index).value : xAxis.isNumeric ? Number(row.labels[xIndex]) : row.labels[xIndex],
        ...sweepValue(sweep, chosen.y, chosen.what, row.index),
        series: inSeries.map((i) => row.labels[i]).join(", "), facet: chosen.facet < 0 ? "" : row.labels[chosen.facet],
    })).filter((point) => Number.isFinite(point.value) && (typeof point.x === "string" || Number.isFinite(point.x)));
    const series = [...new Set(points.map((point) => point.series))];
    const facets = chosen.facet < 0 ? [""] : sweep.axes[chosen.facet].labels.filter((label) => points.some((point) => point.facet === label));
    if (points.length === 0) {
        return [note("No row has both values.")];
    }
    const isBand = xAxis !== null && !xAxis.isNumeric;
    const x = isBand ? {kind: "band", names: xAxis.labels.filter((label) => points.some((point) => point.x === label))}
        : {kind: chosen.isLogX ? "log" : "linear", values: points.map((point) => point.x)};
    const isLogY = chosen.isLogY && points.some((point) => point.value > 0);
    const y = {
        label: chosen.what === "ratio" ? `${chosen.y}, ratio to the baseline` : chosen.y, kind: isLogY ? "log" : "linear", zero: chosen.isZero,
        values: points.flatMap((point) => [point.value, point.low, point.high]), room: isLogY ? 1.2 : 0.07,
    };
    const isWide = facets.length === 1;
    const figures = facets.map((facet) => plot({
        title: facet === "" ? null : `${sweep.axes[chosen.facet].name} = ${facet}`, width: isWide ? 1160 : 620, height: isWide ? 430 : 320,
        x: {...x, label: xAxis ? xAxis.name : xFigure}, y,
        marks: series.flatMap((name, i) => seriesMarks(sweep, chosen, points.filter((point) => point.facet === facet && point.series === name), i, series.length, {isBand, xFigure})),
    }));
    return [
        note(`${chosen.y}: ${explainFigure(chosen.y) || "a figure of the run"}. Dots are means over the seeds, whiskers their range.`),
        el("div", {class: isWide ? "" : "grid"}, figures),
        series.length > 1 ? legend(series.map((name, i) => [seriesColor(i), `${inSeries.map((k) => sweep.axes[k].name).join(", ")} = ${name}`])) : null,
        series.length > kMostSeries ? note(`${series.length} series are more than there are colors: choose a filter, or take an axis out of the series.`) : null,
    ].filter(Boolean);
}

function seriesMarks(sweep, chosen, points, i, count, {isBand, xFigure}) {
    const shift = (scales) => isBand && count > 1 ? (i - (count - 1) / 2) * Math.min(14, scales.x.width * 0.7 / count) : 0;
    const shifted = (mark) => (scales) => mark(isBand ? {...scales, x: (value) => scales.x(value) + shift(scales)} : scales);
    const color = seriesColor(i);
    const placed = points.map((point) => ({
        x: point.x, y: point.value, r: Math.max(3, 5.5 - 0.6 * i), low: point.low, high: point.high,
        tip: [sweep.axes.map((axis, k) => `${axis.name} = ${point.row.labels[k]}`).join(", "), [
            [chosen.y, trimmed(point.value, 5)], point.low !== point.high ? ["range over the seeds", `${trimmed(point.low, 5)} to ${trimmed(point.high, 5)}`] : null,
            xFigure ? [xFigure, trimmed(point.x, 5)] : null, ["seeds", point.seeds]].filter(Boolean)],
    }));
    const isLine = !isBand && !xFigure;
    const ordered = isLine ? [...placed].sort((a, b) => a.x - b.x) : placed;
    const isUnique = new Set(ordered.map((point) => point.x)).size === ordered.length;
    return [
        isLine && isUnique ? lineMark(ordered, color, {width: 1.8, dash: ["", "7 5", "2 4"][i % 3]}) : () => [],
        shifted(rangeMark(placed.filter((point) => point.low !== point.high), color)),
        shifted(dotMark(placed, color, i)),
    ];
}

// SPDX-License-Identifier: Apache-2.0
// A plot with two axes as SVG.

const kPlotMargin = {left: 64, right: 16, top: 14, bottom: 44};

/** An axis: {label, kind: "linear" | "log" | "band", values (for its range) or names (band), zero, format}. */
function scaleOf(axis, from, to) {
    if (axis.kind === "band") {
        return bandScale(axis.names, from, to);
    }
    if (axis.kind === "log") {
        const [low, high] = extent(axis.values.filter((value) => value > 0));
        const room = axis.room ?? 1.15;
        return logScale(Math.max(low, Number.MIN_VALUE) / room, high * room, from, to);
    }
    const [low, high] = extent(axis.zero ? [0, ...axis.values] : axis.values);
    const room = high > low ? (high - low) * (axis.room ?? 0.04) : Math.abs(high) * 0.1 || 1;
    return linearScale(axis.zero && low === 0 ? 0 : low - room, high + room, from, to);
}

function tickText(axis, value, ticks) {
    if (axis.format || axis.kind === "band") {
        return axis.format ? axis.format(value) : value;
    }
    const step = axis.kind === "log" || ticks.length < 2 ? Infinity : ticks[1] - ticks[0];
    return Math.abs(value) < 1e4 && step < 1 ? value.toFixed(Math.ceil(-Math.log10(step) - 1e-9)) : shortNumber(value).replace(" ", "");
}

/** Cuts a text that is too long for its place. */
function shortened(text, length) {
    return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}

/**
 * A plot: {title, width, height, x, y, marks}. A mark gets the scales and returns SVG elements; see lineMark, dotMark, ...
 * Marks are drawn in order.
 */
function plot({title, width = 620, height = 300, x, y, marks, margin = {}}) {
    const edge = {...kPlotMargin, ...margin};
    const right = width - edge.right;
    const bottom = height - edge.bottom;
    const scales = {
        x: scaleOf(x, edge.left, right), y: scaleOf(y, bottom, edge.top),
        left: edge.left, right, top: edge.top, bottom,
    };
    const clip = `clip-${++plot.count}`;
    const bandCharacters = x.kind === "band" ? Math.floor(scales.x.width / 6.5) : 0;
    return el("figure", {class: "plot"},
        title ? el("figcaption", {}, title) : null,
        svg("svg", {viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": title ?? `${y.label} over ${x.label}`},
            svg("clipPath", {id: clip}, svg("rect", {x: edge.left - 1, y: edge.top - 6, width: right - edge.left + 2, height: bottom - edge.top + 7})),
            svg("g", {class: "axis"},
                scales.y.ticks.map((value) => [
                    svg("line", {x1: edge.left, x2: right, y1: scales.y(value), y2: scales.y(value)}),
                    svg("text", {x: edge.left - 7, y: scales.y(value) + 4, "text-anchor": "end"}, shortened(tickText(y, value, scales.y.ticks), Math.floor(edge.left / 6.2)))]),
                scales.x.ticks.map((value) => [
                    x.kind === "band" ? null : svg("line", {x1: scales.x(value), x2: scales.x(value), y1: edge.top, y2: bottom}),
                    svg("text", {x: scales.x(value), y: bottom + 16, "text-anchor": "middle"},
                        bandCharacters ? shortened(tickText(x, value, scales.x.ticks), Math.max(2, bandCharacters)) : tickText(x, value, scales.x.ticks),
                        bandCharacters ? svg("title", {}, tickText(x, value, scales.x.ticks)) : null)]),
                svg("line", {class: "base", x1: edge.left, x2: right, y1: bottom, y2: bottom}),
                svg("text", {class: "label", x: (edge.left + right) / 2, y: height - 8, "text-anchor": "middle"}, x.label),
                svg("text", {class: "label", transform: `translate(13 ${(edge.top + bottom) / 2}) rotate(-90)`, "text-anchor": "middle"}, y.label)),
            svg("g", {"clip-path": `url(#${clip})`}, marks.flatMap((mark) => mark(scales)))));
}
plot.count = 0;

function pathOf(points, scales) {
    let path = "";
    let isOpen = false;
    for (const {x, y} of points) {
        if (!Number.isFinite(y)) {
            isOpen = false;
            continue;
        }
        path += `${isOpen ? "L" : "M"}${scales.x(x).toFixed(2)} ${scales.y(y).toFixed(2)}`;
        isOpen = true;
    }
    return path;
}

/** A line through {x, y} points; a missing y makes a gap. */
function lineMark(points, color, {dash = "", width = 2} = {}) {
    return (scales) => [svg("path", {d: pathOf(points, scales), fill: "none", stroke: color, "stroke-width": width, "stroke-dasharray": dash})];
}

/** The shapes of series, so that colors are not the only difference. */
const kShapes = [
    (r) => `M${-r} 0a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`,
    (r) => `M${-r} ${-r}h${2 * r}v${2 * r}h${-2 * r}z`,
    (r) => `M0 ${-1.3 * r}L${1.2 * r} ${r}H${-1.2 * r}z`,
    (r) => `M0 ${-1.4 * r}L${1.4 * r} 0L0 ${1.4 * r}L${-1.4 * r} 0z`,
    (r) => `M0 ${1.3 * r}L${1.2 * r} ${-r}H${-1.2 * r}z`,
    (r) => `M${-r} ${-0.4 * r}h${0.6 * r}v${-0.8 * r}h${0.8 * r}v${0.8 * r}h${0.6 * r}v${0.8 * r}h${-0.6 * r}v${0.8 * r}h${-0.8 * r}v${-0.8 * r}h${-0.6 * r}z`,
];

/** A dot at each {x, y, r, tip: [title, rows]}; reached with the Tab key. `shape` counts as in kShapes. */
function dotMark(points, color, shape = 0) {
    return (scales) => points.filter((point) => Number.isFinite(point.y)).map((point) => svg("path", {
        class: "dot", d: kShapes[Math.max(0, shape) % kShapes.length](point.r ?? 4), fill: color, tabindex: point.tip ? 0 : undefined,
        transform: `translate(${scales.x(point.x).toFixed(2)} ${scales.y(point.y).toFixed(2)})`,
        "aria-label": point.tip?.[0], onclick: point.onClick, ...(point.tip ? tipOn(...point.tip) : {}),
    }));
}

/** A vertical range at each {x, low, high}. */
function rangeMark(points, color) {
    return (scales) => points.map(({x, low, high}) => svg("path", {
        d: `M${scales.x(x)} ${scales.y(low)}V${scales.y(high)}m-4 0h8M${scales.x(x) - 4} ${scales.y(low)}h8`, stroke: color, fill: "none", opacity: 0.75,
    }));
}

/** Bars from the base to y at {from, to, y, tip}. */
function barMark(bars, color) {
    return (scales) => bars.map((bar) => {
        const left = scales.x(bar.from);
        const top = scales.y(bar.y);
        return svg("rect", {
            x: left + 0.5, width: Math.max(1, scales.x(bar.to) - left - 1), y: top, height: Math.max(0, scales.bottom - top), fill: bar.color ?? color,
            class: "bar", ...(bar.tip ? tipOn(...bar.tip) : {}),
        });
    });
}

/** A vertical line with a text at its top; `row` counts the lines of text from the top. */
function verticalMark(x, text, color, {dash = "5 3", row = 0} = {}) {
    return (scales) => {
        const at = scales.x(x);
        const isRight = at > (scales.left + scales.right) / 2;
        return [
            svg("line", {x1: at, x2: at, y1: scales.top - 4, y2: scales.bottom, stroke: color, "stroke-width": 1.5, "stroke-dasharray": dash}),
            svg("text", {class: "mark", x: at + (isRight ? -5 : 5), y: scales.top + 9 + 14 * row, style: `fill:${color}`, "text-anchor": isRight ? "end" : "start"}, text)];
    };
}

/** Horizontal bars of parts: rows of {name, parts: [{value, color, tip}], text}; each bar is as long as the sum of its parts. */
function partBars(rows, {width = 1160, labelWidth = 190, textWidth = 200} = {}) {
    const most = Math.max(...rows.map((row) => row.parts.reduce((sum, part) => sum + part.value, 0)), 1e-300);
    const barWidth = width - labelWidth - textWidth;
    const height = 28;
    return svg("svg", {class: "bars", viewBox: `0 0 ${width} ${rows.length * height}`, role: "img"}, rows.map((row, i) => {
        let at = labelWidth;
        const y = i * height;
        const total = row.parts.reduce((sum, part) => sum + part.value, 0);
        const scale = barWidth / (row.isRelative ? Math.max(total, 1e-300) : most);
        return svg("g", {},
            svg("text", {x: labelWidth - 8, y: y + 18, "text-anchor": "end"}, shortened(row.name, 28), svg("title", {}, row.name)),
            row.parts.filter((part) => part.value > 0).map((part) => {
                const rect = svg("rect", {x: at, y: y + 3, width: Math.max(0.75, part.value * scale), height: height - 7, fill: part.color, class: "bar", tabindex: 0, "aria-label": part.tip[0], ...tipOn(...part.tip)});
                at += part.value * scale;
                return rect;
            }),
            svg("text", {x: at + 8, y: y + 18}, row.text ?? ""));
    }));
}

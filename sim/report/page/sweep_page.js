// SPDX-License-Identifier: Apache-2.0
// The page of a sweep: plots with a choice of axes, and the table of all rows.

async function loadSweep(data) {
    const axes = await Promise.all(data.axes.map((axis) => unpackTable(axis)));
    const figures = new Map((await Promise.all(data.figures.map((figure) => unpackTable(figure)))).map((figure) => [figure.name, figure]));
    const points = await unpack(data.points);
    const rows = Array.from(points, (count, i) => ({index: i, points: count, labels: axes.map((axis) => axis.labels[axis.label[i]])}));
    axes.forEach((axis) => {
        axis.isNumeric = axis.labels.every((label) => label !== "" && Number.isFinite(Number(label)));
    });
    return {...data, axes, figures, rows};
}

async function drawSweepPage(data) {
    const sweep = await loadSweep(data);
    document.getElementById("title").textContent = `sweep ${sweep.name}`;
    const main = document.getElementById("main");
    const failedRows = new Set(sweep.failures.map(([row]) => row)).size;
    main.append(el("div", {class: "tiles"},
        tile("rows", integer(sweep.rows.length), sweep.rows.length < sweep.row_count ? `of ${sweep.row_count}; the others were not run` : "combinations of the axes"),
        tile("points", integer(sweep.points_done), sweep.points_done < sweep.point_count ? `of ${sweep.point_count}: interrupted` : `${sweep.seeds.length} seeds a row`),
        tile("failures", integer(sweep.failures.length), `in ${failedRows} rows`, sweep.failures.length ? "bad" : "good"),
        ...sweep.axes.map((axis) => tile(axis.name, axis.labels.length, shortened(axis.labels.join(", "), 60)))));
    if (sweep.rows.length === 0) {
        section("plot", "Plot", note("No row has a result."));
    } else {
        drawSweepPlot(sweep);
        drawSweepTable(sweep);
    }
    drawSweepFailures(sweep);
}

/** The values of a figure that are shown: "mean" or "ratio", with the range over the seeds. */
function sweepValue(sweep, name, what, row) {
    const figure = sweep.figures.get(name);
    const scale = what === "ratio" ? figure.ratio[row] / figure.mean[row] : 1;
    return {value: figure[what][row], low: figure.min[row] * scale, high: figure.max[row] * scale, seeds: figure.seeds[row]};
}

function explainFigure(name) {
    const base = name.match(/^[^.@[]+/)?.[0] ?? name;
    return kFigures[base] ?? kFigures[base.replace(/_?\d+$/, "")] ?? "";
}

function drawSweepTable(sweep) {
    const known = [...sweep.figures.keys()];
    const standard = sweep.columns.filter((name) => sweep.figures.has(name));
    const columnsOf = (names) => [
        ...sweep.axes.map((axis, i) => ({name: axis.name, isText: !axis.isNumeric, value: (row) => axis.isNumeric ? Number(row.labels[i]) : row.labels[i]})),
        {name: "seeds", key: "points", title: "points without an error"},
        ...names.flatMap((name) => [
            {name, title: explainFigure(name), value: (row) => sweep.figures.get(name).mean[row.index], text: (value, row) => rangeText(sweepValue(sweep, name, "mean", row.index))},
            ...(sweep.has_baseline ? [{name: `${name} of base`, title: "ratio of the means to that of the baseline's row", value: (row) => sweep.figures.get(name).ratio[row.index], text: (value) => Number.isNaN(value) ? "–" : `×${trimmed(value, 3)}`}] : [])])];
    const table = dataTable({
        columns: columnsOf(standard), rows: sweep.rows, caption: "rows", search: true,
        controls: [choice("add a figure", [["", "choose"], ...known.map((name) => [name, name])], "", (name) => {
            if (name && !standard.includes(name)) {
                standard.push(name);
                table.setColumns(columnsOf(standard));
            }
        })],
    });
    section("table", "Table", note("Means over the seeds, with the range in parentheses where the seeds differ."), table);
}

function rangeText({value, low, high}) {
    if (Number.isNaN(value)) {
        return "–";
    }
    return low === high ? trimmed(value, 4) : `${trimmed(value, 4)} (${trimmed(low, 3)}..${trimmed(high, 3)})`;
}

function drawSweepFailures(sweep) {
    if (sweep.failures.length > 0) {
        section("failures", "Failures", dataTable({caption: "failures", rows: sweep.failures, columns: [
            {name: "row", value: (row) => row[0], isText: true}, {name: "seed", value: (row) => row[1]}, {name: "reason", value: (row) => row[2], isText: true, isWide: true}]}));
    }
}

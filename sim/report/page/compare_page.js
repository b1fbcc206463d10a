// SPDX-License-Identifier: Apache-2.0
// The page of a comparison: changes with bars, settings that differ, rows added and removed, quantities with their tolerances.

const kChangeVerdicts = {REGRESSION: ["--bad", "✗ REGRESSION", "fail"], improvement: ["--good", "✓ improvement", "pass"], changed: ["--muted", "• changed", ""]};

const kBetter = {"lower is better": "lower", "higher is better": "higher", "any change is a regression": "the same"};

async function drawComparePage(data) {
    const subject = data.after.subject || data.results;
    document.getElementById("title").textContent = `compare ${subject}`;
    const all = [...data.changes, ...data.settings];
    const count = (verdict) => all.filter((row) => row.verdict === verdict).length;
    const regressions = count("REGRESSION");
    document.getElementById("main").append(
        el("p", {class: "lead"}, `Results of ${data.results}: `, el("b", {}, data.before.source), " (before) → ", el("b", {}, data.after.source), " (after)",
            data.before.subject === data.after.subject ? "" : `; before it was ${data.before.subject}`),
        el("div", {class: "tiles"},
            tile("regressions", integer(regressions), "beyond their tolerance", regressions ? "bad" : "good"),
            tile("improvements", integer(count("improvement")), "beyond their tolerance"),
            tile("changed", integer(count("changed")), "without better or worse"),
            tile("compared", integer(data.figures), `values of ${integer(data.rows)} rows`),
            tile("added", integer(data.added.length), data.is_strict ? "rows; regressions (--strict)" : "rows", data.is_strict && data.added.length ? "bad" : ""),
            tile("removed", integer(data.removed.length), data.is_strict ? "rows; regressions (--strict)" : "rows", data.is_strict && data.removed.length ? "bad" : "")));
    drawChanges(data);
    drawChangedSettings(data);
    drawAddedRows(data);
    drawQuantities(data);
}

/** A number in full, a word as it is; a missing one is the table's dash. */
function comparedText(value) {
    return typeof value === "number" ? trimmed(value, 6) : String(value);
}

/** A value of a column that may hold numbers and words. */
function comparedColumn(name) {
    return {name, key: name, text: comparedText};
}

/** "+10.00 %"; a factor from a doubling on, as on the console. */
function changeText(row) {
    if (row.is_from_zero) {
        return "from 0";
    }
    if (row.relative === null) {
        return "–";
    }
    return row.relative >= 1 ? `× ${trimmed(row.relative + 1, 4)}` : `${row.relative > 0 ? "+" : ""}${percent(row.relative, 2)}`;
}

const kLongestBar = Math.log(2);  // chosen: a doubling or a halving, so that a layer that is 10 % slower is still to be seen

/** How long the bar of a change is, before scaling: the logarithm of the ratio. From and to 0, or through 0, there is none: infinite. */
function barLength(row) {
    if (row.relative === null) {
        return row.is_from_zero ? Infinity : 0;
    }
    const ratio = 1 + row.relative;
    return ratio > 0 && row.before > 0 ? Math.abs(Math.log(ratio)) : Infinity;
}

/** A bar from the middle, to the right for a rise, to the left for a fall; in the color of its verdict. */
function changeBar(row, longest) {
    const length = barLength(row);
    const share = Math.min(1, length / longest);
    const isRise = row.is_from_zero ? row.after > 0 : row.relative > 0;
    const bar = length === 0 ? null : el("i", {style: `width:${(50 * share).toFixed(2)}%;${isRise ? "left:50%" : "right:50%"};background:var(${kChangeVerdicts[row.verdict][0]})`});
    return el("span", {class: "change"}, el("span", {class: "change-bar", "aria-hidden": "true"}, bar), el("span", {class: "change-text"}, changeText(row)));
}

function verdictColumn() {
    const order = Object.keys(kChangeVerdicts);
    return {name: "verdict", value: (row) => order.indexOf(row.verdict), isText: true, text: (value, row) => row.verdict,
        draw: (value, row) => el("span", {class: `verdict ${kChangeVerdicts[row.verdict][2]}`}, kChangeVerdicts[row.verdict][1])};
}

function drawChanges(data) {
    if (data.changes.length === 0) {
        section("changes", "Changes", note("Nothing changed by more than its tolerance."));
        return;
    }
    const longest = Math.min(kLongestBar, data.changes.reduce((most, row) => Math.max(most, barLength(row)), 1e-9));
    const hasNotes = data.changes.some((row) => row.note !== "");
    const meanings = new Map(data.quantities.map((row) => [row.quantity, `${row.meaning}; ${row.better}`]));
    const columns = [
        verdictColumn(), {name: "kind", key: "kind", isText: true},
        {name: "row", key: "row", isText: true, draw: (value) => el("span", {class: "name"}, value)},
        {name: "quantity", key: "quantity", isText: true, draw: (value) => el("span", {title: meanings.get(value)}, value)},
        comparedColumn("before"), comparedColumn("after"),
        {name: "change", value: (row) => row.is_from_zero ? Infinity : row.relative, text: (value, row) => changeText(row), draw: (value, row) => changeBar(row, longest),
            title: "after over before, less 1"},
        {name: "allowed", key: "allowed", isText: true, title: "the tolerance: a share of the value before, a number in the quantity's unit, or the sum of both"},
        ...(hasNotes ? [{name: "note", key: "note", isText: true, isWide: true, draw: clampedText}] : [])];
    const table = dataTable({
        columns, rows: data.changes, caption: "changes", search: true, sortBy: "verdict",
        controls: rowFilters(data.changes, ["verdict", "kind", "quantity"], (rows) => table.show(rows)),
    });
    section("changes", "Changes",
        note("Values that changed by more than is allowed; regressions first, then the largest change. Bars to the right are rises, to the left falls. Their lengths are logarithms, so that a doubling and a halving are equally long; larger changes have the same length."),
        table);
}

function drawChangedSettings(data) {
    if (data.settings.length === 0) {
        return;
    }
    section("settings", "Settings that differ",
        note("The two results were made with different settings, so that other changes may come from these."),
        dataTable({caption: "settings", rows: data.settings, columns: [
            {name: "setting", value: (row) => row.kind === "config" ? row.quantity : `${row.row}: ${row.quantity}`, isText: true},
            comparedColumn("before"), comparedColumn("after"),
            {name: "change", value: (row) => row.relative, text: (value, row) => changeText(row)}]}));
}

function valuesText(values) {
    return Object.entries(values).map(([name, value]) => `${name} ${comparedText(value)}`).join(", ");
}

function drawAddedRows(data) {
    const rows = [...data.added, ...data.removed];
    if (rows.length === 0) {
        return;
    }
    section("rows", "Rows added and removed",
        note(data.is_strict ? "With --strict, each is a regression." : "Rows that only one of the results has. A new case that fails is a regression; the others are none without --strict."),
        dataTable({caption: "rows added and removed", rows, columns: [
            {name: "what", key: "what", isText: true}, {name: "kind", key: "kind", isText: true}, {name: "row", key: "row", isText: true},
            {name: "values", value: (row) => [row.note, valuesText(row.values)].filter(Boolean).join("; "), isText: true, isWide: true, draw: clampedText}]}));
}

function drawQuantities(data) {
    section("tolerances", "Quantities and tolerances",
        note("What was compared, and how far a value may change before the change counts. Quantities that are equal in all rows are listed, too."),
        dataTable({caption: "quantities", rows: data.quantities, search: true, columns: [
            {name: "kind", key: "kind", isText: true}, {name: "quantity", key: "quantity", isText: true},
            {name: "better", value: (row) => kBetter[row.better] ?? "–", isText: true}, {name: "allowed", key: "allowed", isText: true},
            {name: "given by", key: "place", isText: true, title: "the option or file, or the default of vnpu compare --help"},
            {name: "values", key: "values", title: "compared"}, {name: "regressions", key: "regressions"}, {name: "improvements", key: "improvements"},
            {name: "changed", key: "changed", title: "without better or worse"},
            {name: "meaning", key: "meaning", isText: true, isWide: true, draw: clampedText}]}));
}

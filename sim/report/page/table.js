// SPDX-License-Identifier: Apache-2.0
// A table that can be sorted and searched.

const kRowsAtOnce = 400;  // chosen: more rows make a page slow; the button below the table adds as many

/**
 * A table: {columns: [{name, key, text, isText, title, value, draw, isHidden}], rows, onRow, sortBy, sortDown, caption, search}.
 * value(row) is what a column sorts by (default: row[key]); text(value, row) its text; draw(value, row) an element instead.
 * Returns an element with methods show(rows) and setColumns(columns).
 */
function dataTable(options) {
    const state = {rows: options.rows, columns: options.columns, sortBy: options.sortBy ?? null, isDown: options.sortDown ?? false, search: "", shown: kRowsAtOnce};
    const body = el("tbody");
    const head = el("thead");
    const count = el("span", {class: "count", "aria-live": "polite"});
    const more = el("button", {type: "button", class: "more", onclick: () => {
        state.shown += kRowsAtOnce;
        drawRows();
    }}, "more rows");
    const search = el("input", {type: "search", placeholder: "search", "aria-label": `search ${options.caption ?? "the table"}`, oninput: () => {
        state.search = search.value.toLowerCase();
        drawRows();
    }});

    const valueOf = (column, row) => column.value ? column.value(row) : row[column.key];
    const textOf = (column, row) => {
        const value = valueOf(column, row);
        if (value === null || value === undefined) {
            return "–";
        }
        return column.text ? column.text(value, row) : column.isText ? String(value) : shortNumber(value);
    };

    const compare = (a, b) => {
        const column = state.columns.find((candidate) => candidate.name === state.sortBy);
        if (!column) {
            return 0;
        }
        const [x, y] = [valueOf(column, a), valueOf(column, b)];
        if (x === y) {
            return 0;
        }
        if (x === null || x === undefined || Number.isNaN(x)) {
            return 1;
        }
        if (y === null || y === undefined || Number.isNaN(y)) {
            return -1;
        }
        const areWords = typeof x === "string" || typeof y === "string";
        const order = areWords ? String(x).localeCompare(String(y), "en", {numeric: true}) : x - y;
        return state.isDown ? -order : order;
    };

    function drawHead() {
        head.replaceChildren(el("tr", {}, state.columns.map((column) => {
            const isSorted = state.sortBy === column.name;
            return el("th", {
                scope: "col", class: column.isText ? "text" : "", title: column.title,
                "aria-sort": isSorted ? (state.isDown ? "descending" : "ascending") : "none",
            }, el("button", {type: "button", onclick: () => {
                state.isDown = isSorted ? !state.isDown : !column.isText;
                state.sortBy = column.name;
                draw();
            }}, column.name, el("span", {class: "arrow", "aria-hidden": "true"}, isSorted ? (state.isDown ? "▾" : "▴") : "")));
        })));
    }

    function drawRows() {
        const rows = state.rows.filter((row) => !state.search || state.columns.some((column) => textOf(column, row).toLowerCase().includes(state.search)));
        rows.sort(compare);
        body.replaceChildren(...rows.slice(0, state.shown).map((row) => el("tr", {
            class: [options.onRow ? "link" : "", options.rowClass?.(row) ?? ""].join(" "), tabindex: options.onRow ? 0 : undefined,
            onclick: () => options.onRow?.(row),
            onkeydown: (event) => {
                if (event.key === "Enter") {
                    options.onRow?.(row);
                }
            },
        }, state.columns.map((column) => el("td", {class: `${column.isText ? "text" : ""} ${column.isWide ? "wide" : ""}`},
            column.draw ? column.draw(valueOf(column, row), row) : textOf(column, row))))));
        count.textContent = rows.length === state.rows.length ? `${rows.length} rows` : `${rows.length} of ${state.rows.length} rows`;
        more.hidden = rows.length <= state.shown;
    }

    function draw() {
        drawHead();
        drawRows();
    }

    const isSearched = options.search ?? options.rows.length > 8;
    const element = el("div", {class: "data-table"},
        el("div", {class: "controls"}, isSearched ? search : null, options.controls ?? [], isSearched ? count : null),
        el("div", {class: "scroll", tabindex: 0, role: "region", "aria-label": options.caption ?? "table"}, el("table", {class: "data"}, head, body)), more);
    draw();
    element.show = (rows) => {
        state.rows = rows;
        drawRows();
    };
    element.setColumns = (columns) => {
        state.columns = columns;
        draw();
    };
    return element;
}

/** Choices among the values of these keys; `show` gets the rows that fit all of them. */
function rowFilters(rows, keys, show) {
    const chosen = Object.fromEntries(keys.map((key) => [key, ""]));
    return keys.map((key) => choice(key, [["", "all"], ...[...new Set(rows.map((row) => row[key]))].map((value) => [value, value])], "", (value) => {
        chosen[key] = value;
        show(rows.filter((row) => Object.entries(chosen).every(([name, wanted]) => wanted === "" || row[name] === wanted)));
    }));
}

/** A long text, of which two lines are shown until it is clicked. */
function clampedText(text) {
    const box = el("div", {class: "clamp", title: "click for all of it", tabindex: text ? 0 : undefined, onclick: () => box.classList.toggle("clamp")}, text);
    box.addEventListener("keydown", (event) => {
        if (event.key === "Enter") {
            box.classList.toggle("clamp");
        }
    });
    return box;
}

// SPDX-License-Identifier: Apache-2.0
// Unpacking columns (report/html/packed_column.h) and tables of CSV.

async function inflate(base64) {
    const text = atob(base64);
    const packed = new Uint8Array(text.length);
    for (let i = 0; i < text.length; ++i) {
        packed[i] = text.charCodeAt(i);
    }
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
}

function decodeIntegers(bytes, count, isDelta) {
    const out = new Float64Array(count);
    let at = 0;
    let last = 0;
    for (let i = 0; i < count; ++i) {
        let value = bytes[at] & 0x7f;
        for (let scale = 128; bytes[at++] & 0x80; scale *= 128) {
            value += (bytes[at] & 0x7f) * scale;
        }
        if (isDelta) {
            last += value % 2 === 1 ? -(value + 1) / 2 : value / 2;
            value = last;
        }
        out[i] = value;
    }
    return out;
}

/** The values of a packed column. */
async function unpack(column) {
    const bytes = await inflate(column.data);
    if (column.coding === "double") {
        const view = new DataView(bytes.buffer);
        return Float64Array.from({length: column.count}, (_, i) => view.getFloat64(8 * i, true));
    }
    return decodeIntegers(bytes, column.count, column.coding === "delta");
}

/** The named columns of an object of packed columns; other members stay as they are. */
async function unpackTable(table, names = Object.keys(table)) {
    const isColumn = (value) => value !== null && typeof value === "object" && "coding" in value;
    const entries = await Promise.all(names.map(async (name) =>
        [name, isColumn(table[name]) ? await unpack(table[name]) : table[name]]));
    return Object.fromEntries(entries);
}

/** The cells of a CSV (RFC 4180), without the line feed at its end. */
function parseCsv(text) {
    const rows = [[]];
    let cell = "";
    let isQuoted = false;
    for (let i = 0; i < text.length; ++i) {
        const c = text[i];
        if (isQuoted) {
            if (c === '"' && text[i + 1] === '"') {
                cell += text[++i];
            } else if (c === '"') {
                isQuoted = false;
            } else {
                cell += c;
            }
        } else if (c === '"') {
            isQuoted = true;
        } else if (c === "," || c === "\n") {
            rows.at(-1).push(cell);
            cell = "";
            if (c === "\n") {
                rows.push([]);
            }
        } else if (c !== "\r") {
            cell += c;
        }
    }
    rows.pop();
    return rows;
}

/** The rows of a CSV with a header, as objects; cells that are numbers become numbers. */
function csvObjects(text, textColumns = []) {
    const [names, ...rows] = parseCsv(text);
    return rows.map((cells) => Object.fromEntries(names.map((name, i) =>
        [name, textColumns.includes(name) ? cells[i] : cells[i] === "" ? null : Number(cells[i])])));
}

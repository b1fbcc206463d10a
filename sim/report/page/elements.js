// SPDX-License-Identifier: Apache-2.0
// Making elements. Text only ever becomes text nodes and attributes, so that no name in the data can become markup.

const kSvg = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
    for (const [name, value] of Object.entries(attributes)) {
        if (name.startsWith("on")) {
            node.addEventListener(name.slice(2), value);
        } else if (value === true) {
            node.setAttribute(name, "");
        } else if (value !== false && value !== undefined && value !== null) {
            node.setAttribute(name, value);
        }
    }
    node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
    return node;
}

/** An HTML element; attributes named "onEVENT" are listeners. */
function el(tag, attributes = {}, ...children) {
    return fill(document.createElement(tag), attributes, children);
}

/** The same for SVG. */
function svg(tag, attributes = {}, ...children) {
    return fill(document.createElementNS(kSvg, tag), attributes, children);
}

/** A part of the page with a heading and an entry in the contents. */
function section(id, title, ...children) {
    document.getElementById("contents").append(el("a", {href: `#${id}`}, title));
    const part = el("section", {id, "aria-labelledby": `${id}-title`}, el("h2", {id: `${id}-title`}, title), ...children);
    document.getElementById("main").append(part);
    return part;
}

/** A small paragraph that explains what is shown. */
function note(...text) {
    return el("p", {class: "note"}, ...text);
}

/** A labeled choice; `choices` holds [value, text] pairs; `onChange` gets the chosen value. */
function choice(label, choices, value, onChange) {
    const select = el("select", {onchange: () => onChange(select.value)},
        choices.map(([key, text]) => el("option", {value: key, selected: key === value}, text)));
    return el("label", {class: "control"}, label, select);
}

/** A labeled check box. */
function check(label, isOn, onChange) {
    const box = el("input", {type: "checkbox", checked: isOn, onchange: () => onChange(box.checked)});
    return el("label", {class: "control"}, box, label);
}

/** A table of names and values. */
function facts(rows) {
    return el("table", {class: "facts"}, el("tbody", {}, rows.map(([name, value]) =>
        el("tr", {}, el("th", {scope: "row"}, name), el("td", {}, value)))));
}

/** A figure of the summary: a large value, its name, and what stands behind it. */
function tile(name, value, detail, state = "") {
    return el("div", {class: `tile ${state}`}, el("div", {class: "tile-name"}, name),
        el("div", {class: "tile-value"}, value), el("div", {class: "tile-detail"}, detail ?? ""));
}

/** Entries of colors and names. */
function legend(entries) {
    return el("div", {class: "legend"}, entries.map(([color, name, title]) =>
        el("span", {title}, el("i", {style: `background:${color}`}), name)));
}

/** Shows a tooltip near the pointer: a title, then [name, value] rows. */
function showTip(event, title, rows) {
    const tip = document.getElementById("tip");
    tip.replaceChildren(el("b", {}, title), facts(rows.filter(Boolean)));
    tip.hidden = false;
    const box = tip.getBoundingClientRect();
    const right = event.clientX + 14 + box.width;
    const left = right < innerWidth ? event.clientX + 14 : event.clientX - 14 - box.width;
    const top = Math.min(event.clientY + 14, innerHeight - box.height - 8);
    tip.style.left = `${Math.max(4, left)}px`;
    tip.style.top = `${Math.max(4, top)}px`;
}

function hideTip() {
    document.getElementById("tip").hidden = true;
}

/** Listeners that show a tooltip on an element, with the pointer and with the keyboard. */
function tipOn(title, rows) {
    const atElement = (event) => {
        const box = event.target.getBoundingClientRect();
        showTip({clientX: box.right, clientY: box.bottom}, title, rows);
    };
    return {
        onpointermove: (event) => showTip(event, title, rows), onpointerleave: hideTip,
        onfocus: atElement, onblur: hideTip,
    };
}

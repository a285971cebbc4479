// Creates the elements of the page, and formats their texts.

const svg = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
    for (const [name, value] of Object.entries(attributes)) {
        if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
        else if (typeof value === "boolean") element.toggleAttribute(name, value);
        else if (value !== null) element.setAttribute(name, value);
    }
    element.append(...children.filter((child) => child !== null));
    return element;
}

/** An element of HTML with its attributes (`onclick` and the like are listeners) and its children. */
export function html(name, attributes = {}, ...children) {
    return fill(document.createElement(name), attributes, children);
}

/** Creates an element of SVG in the same way. */
export function graphic(name, attributes = {}, ...children) {
    return fill(document.createElementNS(svg, name), attributes, children);
}

/** Sets a text only if it has changed, so that screen readers do not repeat it. */
export function setText(element, text) {
    if (element.textContent !== text) element.textContent = text;
}

export function setClass(element, text) {
    if (element.getAttribute("class") !== text) element.setAttribute("class", text);
}

/** `14:03:07`, UTC, of milliseconds since 1970. */
export function timeOfDay(milliseconds) {
    return new Date(milliseconds).toISOString().slice(11, 19);
}

export function bitRate(bitsPerSecond) {
    if (bitsPerSecond === undefined || bitsPerSecond === null) return "–";
    return bitsPerSecond >= 1e6 ? `${(bitsPerSecond / 1e6).toFixed(1)} Mbit/s` : `${Math.round(bitsPerSecond / 1e3)} kbit/s`;
}

export function byteCount(bytes) {
    const units = ["B", "kB", "MB", "GB", "TB"];
    const unit = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
    return `${(bytes / 1000 ** unit).toFixed(unit > 0 ? 1 : 0)} ${units[unit]}`;
}

/** `1 channel`, `2 channels`. */
export function counted(count, noun) {
    return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}

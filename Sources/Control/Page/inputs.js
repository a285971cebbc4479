// The inputs of one channel: the state of each, and a button to put it on air.

import { bitRate, html, setClass, setText } from "./elements.js";
import { Picture } from "./pictures.js";

/** The age of the last key frame, in seconds, from which on a thumbnail counts as old. */
const oldAge = 15;

class InputRow {
    #picture;
    #name = html("strong");
    #badge = html("span", { class: "badge" });
    #score = html("meter", { min: 0, max: 100, low: 60, high: 90, optimum: 100 });
    #number = html("span", { class: "number" });
    #rate = html("span", { class: "number" });
    #reasons = html("p", { class: "reasons" });
    #button;

    constructor(channel, name, choose) {
        const path = `channels/${encodeURIComponent(channel)}/inputs/${encodeURIComponent(name)}/thumbnail.jpg`;
        this.#picture = new Picture(path, `What ${name} delivers`, 12);
        this.#button = html("button", { type: "button", onclick: () => choose(this.input) }, "Put on air…");
        this.#button.setAttribute("aria-label", `Put ${name} on air on ${channel}`);
        this.#score.setAttribute("aria-label", `Health of ${name}`);
        this.element = html("li", {},
            this.#picture.element,
            html("div", { class: "input" },
                html("p", { class: "line" }, this.#name, this.#badge),
                html("p", { class: "line" }, this.#score, this.#number, this.#rate)),
            this.#button,
            this.#reasons);
    }

    show(input, isHeld, hasAlternative) {
        this.input = input;
        this.#button.hidden = !hasAlternative;
        setText(this.#name, input.name);
        setClass(this.element, input.connected ? (input.selected ? "selected" : "") : "away");
        setText(this.#badge, input.selected ? (isHeld ? "on air, held" : "on air")
            : input.standsByFor ? `stands by for ${input.standsByFor}` : input.role);
        this.#score.value = input.score;
        setText(this.#number, String(input.score));
        setText(this.#rate, input.connected ? bitRate(input.bitrate) : "not connected");
        const reasons = [...input.reasons];
        if (input.alignment) reasons.push(input.alignment.method);
        setText(this.#reasons, reasons.join(" · "));
        this.#reasons.hidden = reasons.length === 0;
        // The thumbnail may be the last one before a loss.
        this.#picture.element.classList.toggle("old", (input.lastKeyFrameAge ?? 0) > oldAge);
        this.#picture.update();
    }
}

/** A list of rows, one for each input, in the order of the packager. */
export class Inputs {
    element = html("ul", { class: "inputs" });
    #rows = new Map();
    #channel;
    #choose;

    /** `choose(input)` is called by the button of an input. */
    constructor(channel, choose) {
        this.#channel = channel;
        this.#choose = choose;
    }

    show({ inputs, selection }) {
        const names = new Set(inputs.map(({ name }) => name));
        for (const [name, row] of this.#rows) {
            if (names.has(name)) continue;
            row.element.remove();
            this.#rows.delete(name);
        }
        for (const input of inputs) {
            let row = this.#rows.get(input.name);
            if (!row) {
                row = new InputRow(this.#channel, input.name, this.#choose);
                this.#rows.set(input.name, row);
                this.element.append(row.element);
            }
            const primary = input.standsByFor ?? input.name;
            const hasAlternative = inputs.some(({ standsByFor }) => standsByFor === primary);
            row.show(input, selection.mode === "held" && selection.input === input.name, hasAlternative);
        }
    }
}

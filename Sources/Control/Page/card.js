// One channel on the operator's screen.

import { get, post, Refused } from "./api.js";
import { confirmAutomatic, confirmSelection, tell } from "./dialogs.js";
import { bitRate, byteCount, html, graphic, setClass, setText, timeOfDay } from "./elements.js";
import { Inputs } from "./inputs.js";
import { Picture } from "./pictures.js";
import { classOfSource, describeTimeline, drawTimeline, nameOfSource, rowsOf } from "./timeline.js";

/** The kinds of events that the timeline of a card shows; all kinds are in the list of events. */
const marked = new Set(["switched", "gap", "filler", "media", "selected", "discontinuity", "splice"]);

export class Card {
    #name;
    #picture;
    #inputs;
    #state = html("span", { class: "badge" });
    #score = html("span", { class: "score" });
    #source = html("span", { class: "source" });
    #edge = html("span", { class: "edge" });
    #reasons = html("ul", { class: "reasons" });
    #automatic;
    #timeline = graphic("svg", { class: "timeline", role: "img" });
    #rowNames = html("p", { class: "rows" });
    #ruler = html("div", { class: "ruler", "aria-hidden": "true" });
    #renditions = html("tbody");
    #status = null;
    #rows = [];
    #events = [];
    #span = 3600;
    #drawnAt = 0;
    #historyWanted = false;
    #said;

    /** `said(text)` tells the operator what was done. */
    constructor(name, said) {
        this.#name = name;
        this.#said = said;
        this.#picture = new Picture(`${this.#path}/thumbnail.jpg`, `What viewers of ${name} see`, 4);
        this.#picture.element.append(html("p", { class: "over" }, this.#state, this.#score));
        this.#inputs = new Inputs(name, (input) => this.#choose(input));
        this.#automatic = html("button", { type: "button", hidden: true, onclick: () => this.#release() },
            "Choose automatically…");
        const columns = ["Rendition", "Filled by", "Segments", "Gaps", "Peak", "Average"].map((text) => html("th", { scope: "col" }, text));
        this.element = html("article", { "aria-label": name },
            this.#picture.element,
            html("div", { class: "body" },
                html("h2", {}, name),
                html("p", { class: "now" }, this.#source, this.#edge, this.#automatic),
                this.#reasons,
                this.#timeline, this.#ruler, this.#rowNames,
                this.#inputs.element,
                html("details", {}, html("summary", {}, "Renditions"),
                    html("div", { class: "scroll" },
                        html("table", {}, html("thead", {}, html("tr", {}, ...columns)), this.#renditions)))));
        new ResizeObserver(() => this.#draw(true)).observe(this.#timeline);
        this.refreshHistory();
    }

    get #path() {
        return `channels/${encodeURIComponent(this.#name)}`;
    }

    set span(seconds) {
        this.#span = seconds;
        this.#draw(true);
    }

    /** Shows the current state of the channel. */
    show(status) {
        this.#status = status;
        const hasGap = status.renditions.some(({ source }) => source === "none");
        const filler = status.renditions.find(({ source }) => classOfSource(source) === "filler");
        const state = status.state !== "live" ? status.state : hasGap ? "gap" : filler ? "filler" : "live";
        setText(this.#state, state === "filler" ? nameOfSource(filler.source) : state);
        setClass(this.#state, `badge ${state}`);
        setText(this.#score, String(status.score));
        const health = status.state === "starting" ? "" : status.score >= 90 ? "good" : status.score >= 60 ? "fair" : "poor";
        setClass(this.#score, `score ${health}`.trim());
        this.#score.title = `Health of the channel: ${status.score} of 100`;
        setText(this.#source, this.#onAir(status));
        const edge = status.liveEdgeAge === undefined ? "nothing is published yet"
            : `live edge ${Math.max(0, status.liveEdgeAge).toFixed(1)} s old`;
        setText(this.#edge, `${edge} · ${watched(status.audience)}`);
        this.#automatic.hidden = status.selection.mode !== "held";
        this.#showReasons(status);
        this.#inputs.show(status);
        this.#showRenditions(status.renditions);
        this.#picture.update();
        // The start of a channel is not a change.
        const isNews = status.renditions.some(({ id, source }) =>
            this.#rows.find(({ ids }) => ids.includes(id))?.runs.at(-1)?.source !== source);
        if (isNews) this.refreshHistory();
        this.#draw(false);
    }

    /** Adds an event of this channel to the timeline. */
    hear(event) {
        if (!marked.has(event.kind)) return;
        this.#events.push(event);
        if (this.#events.length > 400) this.#events.shift();
        this.refreshHistory();
    }

    /** Loads the history of sources on air; between two changes, only the newest run grows. */
    async refreshHistory() {
        if (this.#historyWanted) return;
        this.#historyWanted = true;
        // A slot may cause several events.
        await new Promise((resolve) => setTimeout(resolve, 300));
        this.#historyWanted = false;
        const history = await get(`${this.#path}/on-air`).catch(() => null);
        if (!history) return;
        this.#rows = rowsOf(history.renditions);
        this.#draw(true);
    }

    #onAir({ renditions, selection }) {
        const sources = [...new Set(renditions.map(({ source }) => source))];
        if (sources.length === 0) return "Nothing is on air";
        const held = selection.mode === "held" ? ", held by an operator" : "";
        return `On air: ${sources.map(nameOfSource).join(", ")}${held}`;
    }

    #showReasons({ reasons, failures, journal, recording, output, push, memory, peer, state }) {
        const texts = [
            ...failures.map((failure) => `Playlists are withheld (503): ${failure}`),
            ...reasons,
            journal && !journal.healthy ? `Journal: ${journal.problem ?? "not written"}` : null,
            recording && !recording.healthy ? `Recording: ${recording.problem ?? "not written"}` : null,
            recording?.healing?.problem ? `Recording waits for its peer: ${recording.healing.problem}` : null,
            output && !output.healthy ? `Files: ${output.problem ?? "not written"}` : null,
            ...(push ?? []).map(({ url, healthy, problem }) => (healthy ? null : `Push to ${url}: ${problem ?? "not taken"}`)),
            memory?.problem ? `Memory: ${memory.problem} (${byteCount(memory.bytes)} of ${byteCount(memory.limit)})` : null,
            peer?.problem ? `Peer ${peer.url}: ${peer.problem}` : null,
            state === "live" && this.#isStale ? "The live edge does not move" : null,
        ].filter(Boolean);
        if (this.#reasons.dataset.texts === texts.join("\n")) return;
        this.#reasons.dataset.texts = texts.join("\n");
        this.#reasons.replaceChildren(...texts.map((text) => html("li", {}, text)));
    }

    get #isStale() {
        return (this.#status?.liveEdgeAge ?? 0) > 30;
    }

    #showRenditions(renditions) {
        this.#renditions.replaceChildren(...renditions.map(({ id, source, segments, gaps, peak, average }) => {
            const cells = [nameOfSource(source), segments, gaps, bitRate(peak), bitRate(average)];
            return html("tr", {}, html("th", { scope: "row" }, id), ...cells.map((text) => html("td", {}, String(text))));
        }));
    }

    /** Draws the timeline, at most every four seconds unless the history has changed. */
    #draw(isNews) {
        const now = Date.now();
        if (!isNews && now - this.#drawnAt < 4000) return;
        this.#drawnAt = now;
        const edge = this.#status?.liveEdge ? Date.parse(this.#status.liveEdge) : null;
        for (const { ids, runs } of this.#rows) {
            const isThere = this.#status?.renditions.some(({ id }) => ids.includes(id));
            if (edge && isThere && runs.length > 0) runs.at(-1).end = Math.max(edge, runs.at(-1).end);
        }
        const { step, start, x } = drawTimeline(this.#timeline, {
            rows: this.#rows, events: this.#events, span: this.#span, now,
        });
        this.#timeline.setAttribute("aria-label", describeTimeline(this.#rows, this.#span, now));
        const times = [];
        for (let time = Math.ceil(start / step) * step; time < now; time += step) {
            // The label would be cut off.
            if (x(time) < 0.04 || x(time) > 0.96) continue;
            const label = html("span", {}, timeOfDay(time).slice(0, 5));
            // The policy of this page has no style attributes; through the object model they may be set.
            label.style.left = `${x(time) * 100}%`;
            times.push(label);
        }
        this.#ruler.replaceChildren(...times);
        setText(this.#rowNames, this.#rows.length > 1 ? this.#rows.map(({ ids }) => ids.join(", ")).join(" — ") : "");
    }

    async #choose(input) {
        const choice = await confirmSelection(this.#name, input);
        if (!choice) return;
        await this.#select({ input: input.name, hold: choice.hold },
            `${input.name} was put on air on ${this.#name}${choice.hold ? ", and is held" : ""}.`);
    }

    async #release() {
        const held = this.#status?.selection.input ?? "an input";
        if (!(await confirmAutomatic(this.#name, held))) return;
        await this.#select({ mode: "automatic" }, `${this.#name} chooses its input again.`);
    }

    async #select(command, done) {
        try {
            await post(`${this.#path}/select`, command);
            this.#said(done);
        } catch (error) {
            const problems = error instanceof Refused ? error.problems : [error.message];
            await tell("Nothing has changed", problems);
        }
    }
}

/** The number of viewers, and the number of those that stalled within the last minute, if any. */
function watched({ viewers = 0, stalled = 0 } = {}) {
    const count = `${viewers} ${viewers === 1 ? "viewer" : "viewers"}`;
    return stalled > 0 ? `${count}, ${stalled} stalled` : count;
}

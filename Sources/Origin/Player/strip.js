// The live window as a picture: one cell per slot and track, and per part of the slot that is not over; key periods above, time and
// date ranges below.

import { describe } from "./date-ranges.js";

const rows = {
    key: [0, 16], video: [20, 32], audio: [56, 22], buffer: [83, 4], ruler: [92, 20], range: [116, 6], interstitial: [125, 6],
};
const keyColours = ["#7aa2f7", "#bb86fc", "#f29e6d", "#6bc46d", "#e879a9", "#5cc8e0"];
const smallestCell = 12;

/** Draws a player's live window on a canvas, tells about the cell under the pointer, and seeks on a click. */
export class Strip {
    #canvas;
    #tooltip;
    #player;
    #view = null;
    #pointer = null;
    #keyOrder = new Map();
    #colours;

    constructor(canvas, tooltip) {
        this.#canvas = canvas;
        this.#tooltip = tooltip;
        const style = getComputedStyle(document.documentElement);
        this.#colours = (name) => style.getPropertyValue(`--${name}`).trim();
        canvas.addEventListener("pointermove", (event) => this.#point(event.offsetX, event.offsetY));
        // A touch does not hover.
        canvas.addEventListener("pointerdown", (event) => this.#point(event.offsetX, event.offsetY));
        canvas.addEventListener("pointerleave", () => this.#point(null));
        canvas.addEventListener("click", (event) => {
            if (event.offsetY < rows.range[0]) this.#seek(this.#timeAt(event.offsetX));
        });
        canvas.addEventListener("keydown", (event) => this.#key(event));
    }

    /** Shows another player from now on. */
    show(player) {
        this.#player = player;
        this.#keyOrder.clear();
        this.#view = null;
    }

    /** Draws the current state. */
    draw() {
        const canvas = this.#canvas;
        const view = this.#frame(canvas.clientWidth);
        // While the rendition changes, the previous picture stays.
        if (!view && this.#view) return;
        const scale = devicePixelRatio || 1;
        const width = canvas.clientWidth;
        const height = canvas.clientHeight;
        if (canvas.width !== Math.round(width * scale) || canvas.height !== Math.round(height * scale)) {
            canvas.width = Math.round(width * scale);
            canvas.height = Math.round(height * scale);
        }
        const context = canvas.getContext("2d");
        context.setTransform(scale, 0, 0, scale, 0, 0);
        context.clearRect(0, 0, width, height);
        this.#view = view;
        if (!view) return;

        for (const track of this.#player.tracks.all) this.#drawTrack(context, track);
        this.#drawKeys(context);
        this.#drawRuler(context, width);
        this.#drawRanges(context, width);
        this.#drawBuffer(context);
        this.#drawPlayhead(context);
        this.#describe();
    }

    /** The part of the window that fits: all of it, or the newest part where cells would get too narrow. */
    #frame(width) {
        const player = this.#player;
        const segments = player?.tracks.all[0]?.rendition?.playlist?.segments;
        const edge = player?.tracks.edge ?? null;
        if (!segments?.length || edge === null) return null;
        const end = edge + 0.5;
        const typical = segments.at(-1).duration || 4;
        const span = Math.min(end - segments[0].start, (width / smallestCell) * typical);
        return { start: end - span, end, pixelsPerSecond: width / span };
    }

    #x(utc) {
        return (utc - this.#view.start) * this.#view.pixelsPerSecond;
    }

    #timeAt(x) {
        return this.#view ? this.#view.start + x / this.#view.pixelsPerSecond : null;
    }

    #drawTrack(context, track) {
        const cells = cellsOf(track);
        const [top, height] = rows[track.kind];
        for (const segment of cells) {
            if (segment.end <= this.#view.start) continue;
            const left = this.#x(segment.start);
            const width = Math.max(1, this.#x(segment.end) - left - 1.5);
            const state = this.#stateOf(track, segment);
            if (state === "gap") {
                hatch(context, left, top, width, height, this.#colours("gap"));
            } else {
                context.fillStyle = this.#colours(state);
                context.globalAlpha = state === "lost" ? 0.3 : 1;
                rounded(context, left, top, width, height);
                context.globalAlpha = 1;
                if (state === "lost") outline(context, left, top, width, height, this.#colours("lost"));
            }
            if (segment.discontinuity && !segment.index) {
                context.strokeStyle = this.#colours("discontinuity");
                context.lineWidth = 2;
                context.setLineDash([4, 3]);
                line(context, left - 0.75, top - 3, left - 0.75, top + height + 3);
                context.setLineDash([]);
            }
        }
        // The segment or part in progress is not in the playlist yet.
        const last = cells.at(-1);
        const right = this.#x(this.#view.end - 0.5);
        if (last && right - this.#x(last.end) > 3) {
            context.setLineDash([3, 3]);
            outline(context, this.#x(last.end), top, right - this.#x(last.end) - 1.5, height, this.#colours("line"));
            context.setLineDash([]);
        }
    }

    #stateOf(track, segment) {
        if (segment.gap) return "gap";
        if (track.lost.has(segment.url)) return "lost";
        const { utc } = this.#player;
        const middle = (segment.start + segment.end) / 2;
        const appended = track.appended.some(({ start, end }) => start <= middle && middle < end);
        if (appended && utc !== null && segment.end <= utc) return "played";
        return appended ? "buffered" : "listed";
    }

    #drawKeys(context) {
        const [top, height] = rows.key;
        context.font = "600 10.5px ui-monospace, Menlo, Consolas, monospace";
        context.textBaseline = "middle";
        for (const period of periodsOf(this.#player.tracks.all[0].rendition.playlist.segments)) {
            const left = Math.max(0, this.#x(period.start));
            const width = this.#x(period.end) - left - 1.5;
            if (width <= 0) continue;
            if (!period.keyID) {
                context.fillStyle = this.#colours("line");
                rounded(context, left, top + 11, width, 3);
                continue;
            }
            const colour = this.#keyColour(period.keyID);
            context.fillStyle = colour;
            rounded(context, left, top + 12, width, 4);
            const digits = period.keyID.slice(0, width > 66 ? 8 : width > 34 ? 4 : 0);
            context.fillText(digits, left + 1, top + 5);
        }
    }

    /** Colours follow each other in the order of the periods, so neighbours always differ. */
    #keyColour(keyID) {
        if (!this.#keyOrder.has(keyID)) this.#keyOrder.set(keyID, this.#keyOrder.size);
        return keyColours[this.#keyOrder.get(keyID) % keyColours.length];
    }

    #drawRuler(context, width) {
        const [top] = rows.ruler;
        const steps = [2, 4, 10, 20, 30, 60, 120, 300, 600, 1800];
        const step = steps.find((seconds) => seconds * this.#view.pixelsPerSecond >= 84) ?? 3600;
        context.font = "11px system-ui, sans-serif";
        context.textBaseline = "middle";
        context.fillStyle = this.#colours("quiet");
        context.strokeStyle = this.#colours("line");
        context.lineWidth = 1;
        for (let utc = Math.ceil(this.#view.start / step) * step; utc < this.#view.end; utc += step) {
            const x = this.#x(utc);
            line(context, x, top - 3, x, top + 2);
            const text = new Date(utc * 1000).toISOString().slice(11, 19);
            const half = context.measureText(text).width / 2;
            if (x > half && x < width - half) context.fillText(text, x - half, top + 11);
        }
    }

    get #ranges() {
        return this.#player?.tracks.all[0]?.rendition?.playlist?.ranges ?? [];
    }

    /** Draws a mark for each date range; a range without an end is open on the right. */
    #drawRanges(context, width) {
        for (const range of this.#ranges) {
            const [top, height] = rows[range.kind === "interstitial" ? "interstitial" : "range"];
            const left = Math.max(0, this.#x(range.start));
            const right = Math.min(width, range.end === null ? width : this.#x(range.end));
            if (right < 0 || left > width) continue;
            const colour = this.#colours(["break", "interstitial"].includes(range.kind) ? range.kind : "other");
            context.fillStyle = colour;
            context.globalAlpha = range.isOver ? 1 : 0.55;
            rounded(context, left, top, Math.max(3, right - left - 1), height);
            context.globalAlpha = 1;
        }
    }

    /** The ranges under the pointer; a mark may be narrower than a finger. */
    #rangesAt(x, y) {
        if (!this.#view || y < rows.range[0] - 3) return [];
        const isInterstitial = y >= rows.interstitial[0] - 1;
        return this.#ranges.filter(({ kind, start, end }) => (kind === "interstitial") === isInterstitial
            && this.#x(start) - 6 <= x && x <= (end === null ? Infinity : this.#x(end)) + 6);
    }

    #drawBuffer(context) {
        const { video, timeline } = this.#player;
        if (timeline.origin === null) return;
        const [top, height] = rows.buffer;
        context.fillStyle = this.#colours("accent");
        for (let i = 0; i < video.buffered.length; i += 1) {
            const left = Math.max(0, this.#x(timeline.utc(video.buffered.start(i))));
            const right = this.#x(timeline.utc(video.buffered.end(i)));
            if (right > left) rounded(context, left, top, right - left, height);
        }
    }

    #drawPlayhead(context) {
        const { utc } = this.#player;
        if (utc === null) return;
        const x = Math.max(1, this.#x(utc));
        context.fillStyle = this.#colours("playhead");
        context.fillRect(x - 1, rows.video[0] - 4, 2, rows.ruler[0] - rows.video[0] + 2);
        context.beginPath();
        context.moveTo(x - 5, rows.video[0] - 5);
        context.lineTo(x + 5, rows.video[0] - 5);
        context.lineTo(x, rows.video[0] + 2);
        context.fill();
    }

    /** Says to assistive technology what the picture shows. */
    #describe() {
        const { utc, behind, tracks } = this.#player;
        const segments = tracks.all[0].rendition.playlist.segments;
        const set = (name, value) => {
            if (this.#canvas.getAttribute(name) !== value) this.#canvas.setAttribute(name, value);
        };
        set("aria-valuemin", String(Math.round(segments[0].start)));
        set("aria-valuemax", String(Math.round(segments.at(-1).end)));
        if (utc === null) return;
        set("aria-valuenow", String(Math.round(utc)));
        const gaps = segments.filter((segment) => segment.gap).length;
        const text = `${Math.round(behind)} seconds behind live, ${segments.length} segments, ${gaps} gaps`;
        set("aria-valuetext", text);
        if (this.#pointer) this.#showTooltip();
    }

    #point(x, y) {
        this.#pointer = x === null ? null : { x, y };
        if (this.#pointer) this.#showTooltip();
        else this.#tooltip.hidden = true;
    }

    #showTooltip() {
        const ranges = this.#rangesAt(this.#pointer.x, this.#pointer.y);
        if (this.#pointer.y >= rows.range[0] - 3) {
            this.#tooltip.hidden = ranges.length === 0;
            return this.#fillTooltip(ranges.flatMap((range) => [[range.title, ...describe(range)]]));
        }
        const utc = this.#timeAt(this.#pointer.x);
        const [audioTop] = rows.audio;
        const tracks = this.#player?.tracks.all ?? [];
        const track = (this.#pointer.y >= audioTop - 2 && tracks.find(({ kind }) => kind === "audio")) || tracks[0];
        const segment = cellsOf(track).find(({ start, end }) => start <= utc && utc < end);
        this.#tooltip.hidden = !segment;
        if (!segment) return;
        const lines = [
            `${track.kind}, ${this.#stateOf(track, segment).replace("lost", "not received")}`,
            new Date(Math.round(segment.start * 1000)).toISOString().replace("T", " "),
            `${segment.duration.toFixed(3)} s`,
        ];
        const source = this.#player.sourceAt(track, (segment.start + segment.end) / 2);
        if (source) lines.push(`from ${source}`);
        if (segment.discontinuity) lines.push(`discontinuity ${segment.discontinuitySequence}`);
        if (segment.key) lines.push(`${segment.key.method} ${segment.key.keyID}`);
        const title = segment.index === undefined ? "Segment" : `Part ${segment.index} of`;
        this.#fillTooltip([[`${title} ${segment.sequence}`, ...lines]]);
    }

    /** Shows paragraphs of a title and its lines. */
    #fillTooltip(paragraphs) {
        const created = (name, text) => {
            const element = document.createElement(name);
            element.textContent = text;
            return element;
        };
        this.#tooltip.replaceChildren(...paragraphs.flatMap(([title, ...lines]) =>
            [created("strong", title), ...lines.map((text) => created("span", text))]));
        const room = this.#canvas.parentElement.clientWidth - this.#tooltip.offsetWidth - 8;
        this.#tooltip.style.left = `${Math.max(8, Math.min(room, this.#pointer.x - this.#tooltip.offsetWidth / 2))}px`;
    }

    #seek(utc) {
        if (utc === null || this.#player.utc === null) return;
        this.#player.follows = false;
        this.#player.seek(utc);
    }

    #key(event) {
        const utc = this.#player?.utc ?? null;
        if (utc === null || !this.#view) return;
        // The page or the browser handles all other keys.
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        const { windowStart: start, edge, targetDuration } = this.#player.tracks;
        if (event.key === "ArrowLeft") this.#seek(Math.max(start, utc - targetDuration));
        else if (event.key === "ArrowRight") this.#seek(Math.min(edge - targetDuration, utc + targetDuration));
        else if (event.key === "Home") this.#seek(start);
        else if (event.key === "End") this.#player.goLive();
        else return;
        event.preventDefault();
    }
}

/** The segments of a track, and the parts of the one that is not over. */
function cellsOf(track) {
    const { segments, open } = track?.rendition?.playlist ?? {};
    return [...(segments ?? []), ...(open?.parts ?? [])];
}

/** Runs of segments under one key, as `{keyID, start, end}`. */
function periodsOf(segments) {
    const periods = [];
    for (const { key, start, end } of segments) {
        const keyID = key?.keyID ?? null;
        if (periods.length > 0 && periods.at(-1).keyID === keyID) periods.at(-1).end = end;
        else periods.push({ keyID, start, end });
    }
    return periods;
}

function rounded(context, x, y, width, height) {
    context.beginPath();
    context.roundRect(x, y, width, height, Math.min(3, width / 2, height / 2));
    context.fill();
}

function outline(context, x, y, width, height, colour) {
    context.strokeStyle = colour;
    context.lineWidth = 1;
    context.strokeRect(x + 0.5, y + 0.5, Math.max(0, width - 1), height - 1);
}

function hatch(context, x, y, width, height, colour) {
    context.save();
    context.beginPath();
    context.rect(x, y, width, height);
    context.clip();
    context.strokeStyle = colour;
    context.lineWidth = 1.5;
    // Anchored to the cell, so that the pattern moves with it.
    for (let left = x - height; left < x + width; left += 6) line(context, left, y + height, left + height, y);
    context.restore();
    outline(context, x, y, width, height, colour);
}

function line(context, x1, y1, x2, y2) {
    context.beginPath();
    context.moveTo(x1, y1);
    context.lineTo(x2, y2);
    context.stroke();
}

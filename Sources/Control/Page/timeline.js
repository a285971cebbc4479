// The timeline of sources on air: a row for all renditions with the same sources, and a mark for each event.

import { graphic, timeOfDay } from "./elements.js";

const rowHeight = 16;
const rowGap = 4;
const rulerHeight = 20;
const markHeight = 8;

const names = { none: "gap", slate: "slate", hold: "held picture" };

/** The display name of a source. */
export const nameOfSource = (source) => names[source] ?? source;

/** The CSS class of a source. */
export function classOfSource(source) {
    if (source === "none") return "gap";
    if (source === "slate" || source === "hold") return "filler";
    return source.startsWith("backup") ? "backup" : "input";
}

/** Renditions that were fed alike, as `{ids, runs}`; runs in milliseconds since 1970. */
export function rowsOf(renditions) {
    const rows = new Map();
    for (const { id, runs } of renditions) {
        const read = runs.map(({ source, start, end }) => ({ source, start: Date.parse(start), end: Date.parse(end) }));
        // Audio is cut some milliseconds beside the pictures.
        const key = read.map(({ source, start }) => `${source}@${Math.round(start / 1000)}`).join(" ");
        const row = rows.get(key);
        if (row) row.ids.push(id);
        else rows.set(key, { ids: [id], runs: read });
    }
    return [...rows.values()];
}

/** Draws rows and events of the last `span` seconds up to `now`, in milliseconds since 1970. */
export function drawTimeline(svg, { rows, events, span, now }) {
    const width = Math.max(100, svg.clientWidth);
    const start = now - span * 1000;
    const x = (time) => ((time - start) / (span * 1000)) * width;
    const height = markHeight + rows.length * (rowHeight + rowGap) + rulerHeight;
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    svg.setAttribute("height", height);
    const parts = [];
    rows.forEach(({ ids, runs }, index) => {
        const y = markHeight + index * (rowHeight + rowGap);
        parts.push(graphic("rect", { class: "nothing", x: 0, y, width, height: rowHeight }));
        for (const run of runs) {
            if (run.end <= start) continue;
            const left = Math.max(0, x(run.start));
            // A slot that was lost has to be seen among hours.
            const wide = Math.max(3, Math.min(width, x(run.end)) - left);
            const title = `${nameOfSource(run.source)}, ${timeOfDay(run.start)} to ${timeOfDay(run.end)}\n${ids.join(", ")}`;
            parts.push(graphic("rect", { class: classOfSource(run.source), x: left, y, width: wide, height: rowHeight },
                graphic("title", {}, title)));
        }
    });
    for (const event of events) {
        const at = x(Date.parse(event.time));
        if (at < 0 || at > width) continue;
        const mark = `M${at} ${markHeight - 1}l-3.5-7h7z`;
        parts.push(graphic("path", { class: `mark ${event.kind}`, d: mark },
            graphic("title", {}, `${timeOfDay(Date.parse(event.time))} ${event.message}`)));
    }
    const steps = [60, 120, 300, 600, 1200, 1800, 3600];
    const step = (steps.find((seconds) => span / seconds <= 6) ?? 7200) * 1000;
    for (let time = Math.ceil(start / step) * step; time < now; time += step) {
        parts.push(graphic("path", { class: "tick", d: `M${x(time)} ${height - rulerHeight}v4` }));
    }
    svg.replaceChildren(...parts);
    return { step, start, x: (time) => x(time) / width };
}

/** Describes the timeline in words, for screen readers. */
export function describeTimeline(rows, span, now) {
    const start = now - span * 1000;
    return rows.map(({ ids, runs }) => {
        const recent = runs.filter(({ end }) => end > start);
        const gaps = recent.filter(({ source }) => source === "none");
        const lost = gaps.reduce((sum, run) => sum + run.end - Math.max(start, run.start), 0) / 1000;
        const changes = Math.max(0, recent.length - 1);
        const latest = recent.at(-1);
        return `${ids.join(", ")}: ${latest ? nameOfSource(latest.source) : "nothing"} now, ${changes} changes, ${lost.toFixed(0)} s of gaps`;
    }).join("; ");
}

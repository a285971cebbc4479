// Moments in the addresses of pages: `#t=2026-11-23T14:03:05.2Z`.

/** UTC in seconds that a fragment names, or null. */
export function sharedMoment(fragment) {
    const text = new URLSearchParams(fragment.replace(/^#/, "")).get("t");
    const milliseconds = text === null ? NaN : Date.parse(text);
    return Number.isFinite(milliseconds) ? milliseconds / 1000 : null;
}

/** The address of a page at a UTC in seconds, or of the page alone (null). */
export function linkTo(page, utc) {
    const link = new URL(page);
    link.hash = utc === null ? "" : `t=${new Date(utc * 1000).toISOString().slice(0, 21)}Z`;
    return link.href;
}

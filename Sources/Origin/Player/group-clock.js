// Several players in time with each other: one clock, in UTC, that each of them follows. No I/O.

/** A distance from the clock that nobody sees, in seconds: less than half a picture. */
const tolerance = 0.015;
/** A distance that is jumped over, since it would take too long to play it away. */
const leap = 1;

/** The UTC that all players of a group are to show. */
export class GroupClock {
    /** UTC less the time of `look`, or null before all have begun. */
    #offset = null;

    /**
     * The UTC to show, or null while somebody has not begun; `now` in seconds. Each member has its `edge` in UTC, the
     * `holdBack` to it, and the `pace` in which it grows; one that has not begun has an `edge` of null, and one that has
     * stopped is left out.
     */
    look(now, members) {
        if (members.length === 0 || members.some(({ edge }) => edge === null)) return null;
        const latest = Math.min(...members.map(({ edge, holdBack }) => edge - holdBack));
        const pace = Math.max(...members.map((member) => member.pace));
        const shown = this.#offset === null ? null : now + this.#offset;
        // Edges come in steps; only what lasts moves the clock.
        if (shown === null || shown > latest + pace || shown < latest - 3 * pace) this.#offset = latest - now;
        return now + this.#offset;
    }
}

/** How to get from a UTC to a wanted one: `{seekTo}` a UTC, or `{rate}` a playback rate. */
export function steer(utc, wanted) {
    const late = wanted - utc;
    if (Math.abs(late) > leap) return { seekTo: wanted };
    if (Math.abs(late) < tolerance) return { rate: 1 };
    return { rate: 1 + Math.round(100 * Math.max(-0.1, Math.min(0.1, late / 2))) / 100 };
}

// Several players in time with each other: one clock, in UTC, that each of them follows. No I/O.

/** A distance from the clock that is left alone, in seconds: those of two players together are half a picture at most. */
const tolerance = 0.008;
/** What is left of a distance that has been played away. */
const accuracy = 0.002;
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

/** How to get from a UTC to a wanted one, at a playback rate now: `{seekTo}` a UTC, or `{rate}` a playback rate. */
export function steer(utc, wanted, rate) {
    const late = wanted - utc;
    const distance = Math.abs(late);
    if (distance > leap) return { seekTo: wanted };
    // Once off the normal rate, go on to the clock itself: two players that stop on either side of it stay apart.
    if (distance < (rate === 1 ? tolerance : accuracy)) return { rate: 1 };
    const percent = Math.max(1, Math.min(10, Math.round(50 * distance)));
    return { rate: 1 + Math.sign(late) * percent / 100 };
}

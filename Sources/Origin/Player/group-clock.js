// Synchronizes several players by one clock in UTC. No I/O.

/** The largest distance from the clock that is not corrected, in seconds: two players then differ by half a picture at most. */
const tolerance = 0.008;
/** The distance, in seconds, at which a correction by playback rate ends. */
const accuracy = 0.002;
/** The distance, in seconds, above which a player seeks: a correction by playback rate would take too long. */
const leap = 1;

/** Computes the UTC that all players of a group show. */
export class GroupClock {
    /** UTC minus the `now` of `look`, or null until all players have begun. */
    #offset = null;

    /**
     * The UTC to show, or null while a player has not begun; `now` in seconds. Each member has its `edge` in UTC, the
     * `holdBack` to it, and the `pace` in which it grows; one that has not begun has an `edge` of null, and one that has
     * stopped is left out.
     */
    look(now, members) {
        if (members.length === 0 || members.some(({ edge }) => edge === null)) return null;
        const latest = Math.min(...members.map(({ edge, holdBack }) => edge - holdBack));
        const pace = Math.max(...members.map((member) => member.pace));
        const shown = this.#offset === null ? null : now + this.#offset;
        // Live edges move in steps; only a lasting difference moves the clock.
        if (shown === null || shown > latest + pace || shown < latest - 3 * pace) this.#offset = latest - now;
        return now + this.#offset;
    }
}

/** Decides how a player at `utc` reaches `wanted`, by its present playback rate: `{seekTo}` a UTC, or `{rate}` a playback rate. */
export function steer(utc, wanted, rate) {
    const late = wanted - utc;
    const distance = Math.abs(late);
    if (distance > leap) return { seekTo: wanted };
    // A correction ends only at the clock: two players that stop on either side of it would stay apart.
    if (distance < (rate === 1 ? tolerance : accuracy)) return { rate: 1 };
    const percent = Math.max(1, Math.min(10, Math.round(50 * distance)));
    return { rate: 1 + Math.sign(late) * percent / 100 };
}

// Watches the media element for gaps in the buffer, stalls and missing pictures.

/** The longest gap in the buffer that decoders play across, in seconds. */
const tolerance = 0.1;
/** Seconds without progress after which playback counts as stuck. */
const patience = 10;

/**
 * Decides when to move the playhead. No I/O: `look` takes the state of playback and returns an action:
 * `{action: "none"}`, `{action: "jump", to}`, `{action: "stalled"}` once per stall, `{action: "stuck", reason}` once.
 */
export class Playhead {
    #position = null;
    #movedAt = 0;
    #frames = 0;
    #framesAt = 0;
    #framesPosition = 0;
    #moving = false;
    #stuck = false;

    /**
     * `now` in seconds; `position`; `ranges` where audio and video are both buffered; `edge` and `reserve`: a jump must
     * land at least `reserve` before the position of the live edge; `idle` while playback is not expected to move;
     * `seeking`; `frames` decoded so far, or null when none are expected; `waitingForKey`.
     */
    look({ now, position, ranges, edge, reserve, idle, seeking, frames, waitingForKey }) {
        const isLeap = this.#position === null || Math.abs(position - this.#position) > 1;
        if (position !== this.#position || idle) {
            if (!idle && !isLeap) this.#moving = true;
            this.#position = position;
            this.#movedAt = now;
        }
        // Waiting for media after a seek is not a stall.
        if (seeking) this.#moving = false;
        if (frames === null || frames !== this.#frames || idle || isLeap) {
            this.#frames = frames;
            this.#framesAt = now;
            this.#framesPosition = position;
        }
        if (idle) return { action: "none" };

        const current = ranges.find(([start, end]) => start - 0.01 <= position && position < end);
        const ahead = current ? current[1] - position : 0;
        const rested = now - this.#movedAt;
        // A seek just before a hole may not find enough to show a picture.
        if (ahead < tolerance || (ahead < 1 && rested > 0.5)) {
            // Tracks are filled in order, so media that is missing before later media will not come.
            const later = ranges.find(([start]) => start > position);
            // Too close to the live edge, playback would stall again at once, so it waits for the gap to be filled.
            if (later && edge - later[0] >= reserve) return this.#jump(later[0]);
        }
        if (rested > 0.5 && this.#moving) {
            this.#moving = false;
            return { action: "stalled" };
        }
        if (this.#stuck) return { action: "none" };
        if (ahead > 1 && rested > patience) {
            this.#stuck = true;
            const cause = waitingForKey ? "the decryption key is missing" : "the decoder does not decode it";
            const reason = `Playback is stuck although ${ahead.toFixed(0)} s are buffered: ${cause}`;
            return { action: "stuck", reason };
        }
        if (now - this.#framesAt > patience && position - this.#framesPosition > patience / 2) {
            this.#stuck = true;
            return { action: "stuck", reason: "Sound plays but no picture is decoded" };
        }
        return { action: "none" };
    }

    #jump(to) {
        this.#position = null;
        this.#moving = false;
        // A millisecond inside, because the browser rounds.
        return { action: "jump", to: to + 0.001 };
    }
}

/**
 * Decides how to stay near the live edge: `{seekTo}` a UTC, or `{rate}` a playback rate.
 *
 * `behind` is the distance to the edge, `holdBack` the wanted one (RFC 8216bis 4.4.3.8), `target` the target duration, or that of parts.
 */
export function followLive({ behind, holdBack, target, edge, rate }) {
    if (behind > holdBack + 5 * target) return { seekTo: edge - holdBack };
    if (behind > holdBack + 1.5 * target) return { rate: 1.05 };
    // Each jump over a gap brings the playhead closer to the live edge: slow down before the buffer is too short.
    if (behind < holdBack - 1.5 * target) return { rate: 0.95 };
    // Once off the normal rate, go on for half a target duration, or the rate would flutter.
    if (rate > 1 && behind > holdBack + target) return { rate };
    if (rate < 1 && behind < holdBack - target) return { rate };
    return { rate: 1 };
}

// The conversion between UTC and the media element's clock.

/**
 * The mapping between UTC and `currentTime`.
 *
 * Media timestamps count from 1970. They are brought near zero by one origin for all renditions; what then still
 * separates them from EXT-X-PROGRAM-DATE-TIME (a slewed clock) is measured at every segment.
 */
export class Timeline {
    /** Media time in whole seconds that plays at `currentTime` 0, or null before the first segment. */
    origin = null;

    #utcMinusMedia = 0;

    /** Fixes the origin so that even the first segment of the window would lie after zero. */
    begin(mediaStart, segment, windowStart) {
        this.origin ??= Math.floor(mediaStart - Math.max(0, segment.start - windowStart)) - 1;
    }

    /** Updates the mapping from a segment that begins at `mediaStart`. */
    measure(mediaStart, segment) {
        this.#utcMinusMedia = segment.start - mediaStart;
    }

    /** Position on the element's clock of a UTC in seconds. */
    position(utc) {
        return utc - this.#utcMinusMedia - this.origin;
    }

    /** UTC in seconds at a position on the element's clock. */
    utc(position) {
        return position + this.origin + this.#utcMinusMedia;
    }
}

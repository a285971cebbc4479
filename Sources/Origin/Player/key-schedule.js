// The key schedule: which keys the next crypto period has, and when to fetch them.

import { delay, fetchText } from "./network.js";

/**
 * Has the keys of each next period fetched at a random moment of the time that the schedule has for it: players that
 * all fetch when the keys change are a storm.
 *
 * `note(entries)` receives all entries of `keys.json`, and `fetchKey(entry)` one whose period is to come. Runs until
 * `signal` aborts.
 */
export async function followKeySchedule(url, note, fetchKey, signal) {
    while (!signal.aborted) {
        // Without a schedule, keys are fetched when a playlist names them.
        const entries = await fetchText(url, { signal }).then(JSON.parse, () => []);
        note(entries);
        const coming = entries.filter(({ start, fetchUntil }) => start && secondsUntil(fetchUntil) > 0);
        if (coming.length === 0) {
            await delay(2 + 3 * Math.random(), signal);
            continue;
        }
        const { fetchFrom, fetchUntil, start } = coming[0];
        const earliest = Math.max(0, secondsUntil(fetchFrom));
        await delay(earliest + (secondsUntil(fetchUntil) - earliest) * Math.random(), signal);
        if (!signal.aborted) coming.forEach(fetchKey);
        // Where viewers are kept behind, the period starts later for them than in the stream.
        await delay(Math.max(secondsUntil(start), secondsUntil(fetchUntil)) + 1 + 2 * Math.random(), signal);
    }
}

const secondsUntil = (date) => (Date.parse(date) - Date.now()) / 1000;

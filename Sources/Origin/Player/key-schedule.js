// The key schedule: the keys of the next crypto period, and the time to fetch them.

import { delay, fetchText } from "./network.js";

/**
 * Fetches the keys of each next period at a random moment within the time that the schedule allows. Otherwise all
 * players would fetch them at the same moment.
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
        // With a time delay, the period starts later for viewers than in the stream.
        await delay(Math.max(secondsUntil(start), secondsUntil(fetchUntil)) + 1 + 2 * Math.random(), signal);
    }
}

const secondsUntil = (date) => (Date.parse(date) - Date.now()) / 1000;

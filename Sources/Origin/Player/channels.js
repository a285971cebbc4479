// The channels of the origin, and the one that this page shows.

import { fetchText } from "./network.js";

/**
 * The channels of this origin: `{channels: [{name, url}], chosen}`.
 *
 * The page lies at `/` or at `/NAME/`, perhaps below a proxy's prefix, so only relative addresses are right.
 */
export async function findChannels(page = location.href) {
    const here = new URL(".", page);
    const name = decodeURIComponent(here.pathname.split("/").at(-2) ?? "");
    const above = new URL("..", here);
    if (name) {
        const names = await listAt(above);
        if (names?.includes(name)) return { channels: channelsAt(above, names), chosen: name };
    }
    const names = await listAt(here);
    if (names) return { channels: channelsAt(here, names), chosen: names[0] ?? null };
    if (name) return { channels: [{ name, url: here.href }], chosen: name };
    throw new Error("The origin does not answer with its channels");
}

async function listAt(directory) {
    try {
        const url = new URL("channels.json", directory).href;
        const { channels } = JSON.parse(await fetchText(url, { cache: "no-cache" }));
        return Array.isArray(channels) ? channels : null;
    } catch {
        return null;
    }
}

function channelsAt(directory, names) {
    return names.map((name) => ({ name, url: new URL(`${encodeURIComponent(name)}/`, directory).href }));
}

// The page's client of the control API: it makes all requests.

/** The key of the operator's token in the session storage, which lasts as long as the tab. */
const tokenPlace = "packager-token";

/** An error that the packager answers with, and its problems. */
export class Refused extends Error {
    constructor(status, problems) {
        super(problems.join("; "));
        this.name = "Refused";
        this.status = status;
        this.problems = problems;
    }
}

/** An error for a request without an answer. */
export class Unreachable extends Error {
    constructor(cause) {
        super("The packager does not answer", { cause });
        this.name = "Unreachable";
    }
}

let askForToken = null;
let asking = null;

/** `ask(wasRefused)` resolves to a token, or to null where nobody gives one. */
export function onTokenNeeded(ask) {
    askForToken = ask;
}

/** Asks once, however many requests wait for the answer. */
function freshToken(wasRefused) {
    asking ??= askForToken(wasRefused).then((token) => {
        if (token) sessionStorage.setItem(tokenPlace, token);
        return token;
    }).finally(() => (asking = null));
    return asking;
}

async function send(path, options) {
    for (;;) {
        const token = sessionStorage.getItem(tokenPlace);
        const headers = new Headers(options.headers);
        if (token) headers.set("Authorization", `Bearer ${token}`);
        let response;
        try {
            response = await fetch(path, { cache: "no-cache", ...options, headers });
        } catch (error) {
            if (options.signal?.aborted) throw error;
            throw new Unreachable(error);
        }
        const wantsToken = response.status === 401
            && /^bearer\b/i.test(response.headers.get("WWW-Authenticate") ?? "");
        if (!wantsToken) return response;
        // Another request may have obtained a token meanwhile.
        if (sessionStorage.getItem(tokenPlace) !== token) continue;
        if (!(await freshToken(token !== null))) throw new Refused(401, ["No token was given"]);
    }
}

async function checked(response) {
    if (response.ok) return response;
    const problems = await response.json().then((body) => body.problems).catch(() => null);
    throw new Refused(response.status, problems ?? [`${response.status} ${response.statusText}`]);
}

/** Gets the JSON of a path. Throws `Refused` and `Unreachable`. */
export async function get(path, signal) {
    return (await checked(await send(path, { signal }))).json();
}

/** Gets a picture, or null if there is none. */
export async function getPicture(path) {
    const response = await send(path, {});
    return response.ok ? response.blob() : null;
}

/** Posts to a path of the packager; returns the JSON of the answer. */
export async function post(path, body) {
    const options = body === undefined
        ? { method: "POST" }
        : { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
    return (await checked(await send(path, options))).json();
}

/**
 * Events as they happen, after the one with this number: calls `hear` with each until the connection ends.
 *
 * Uses fetch, because EventSource cannot send a token.
 */
export async function follow(after, hear) {
    const headers = { Accept: "text/event-stream", "Last-Event-ID": String(after) };
    const response = await checked(await send("events", { headers }));
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
        const { value, done } = await reader.read().catch((error) => {
            throw new Unreachable(error);
        });
        if (done) return;
        const messages = (rest + value).split("\n\n");
        rest = messages.pop();
        for (const message of messages) {
            const data = message.split("\n").filter((line) => line.startsWith("data: ")).map((line) => line.slice(6));
            if (data.length > 0) hear(JSON.parse(data.join("\n")));
        }
    }
}

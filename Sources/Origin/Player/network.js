// HTTP requests with a timeout, and the throughput of the connection.

/** An answer that is not 2xx. `retryAfter` is in seconds, or null. */
export class HTTPError extends Error {
    constructor(response) {
        super(`${response.status} ${response.statusText || "error"} for ${new URL(response.url).pathname}`);
        this.name = "HTTPError";
        this.status = response.status;
        const seconds = Number(response.headers.get("Retry-After") ?? NaN);
        this.retryAfter = Number.isFinite(seconds) ? seconds : null;
    }
}

/** An error for a request without an answer: the network or the server cannot be reached. */
export class Unreachable extends Error {
    constructor(url, cause) {
        super(`The server cannot be reached (${new URL(url).host})`, { cause });
        this.name = "Unreachable";
    }
}

/** A key that is not available now, and may be later. */
export class KeyUnavailable extends Error {
    constructor(keyID, cause) {
        super(`Key ${keyID} is not available: ${cause.message}`, { cause });
        this.name = "KeyUnavailable";
    }
}

/**
 * Fetches a URL, and returns the result of `read` for the answer.
 *
 * Throws `HTTPError` for an answer that is not 2xx, `AbortError` when `signal` aborts, `Unreachable` after `timeout`
 * seconds and when the network fails.
 */
async function fetchAnswer(url, { signal = null, timeout = 20, ...options } = {}, read) {
    const deadline = new AbortController();
    const abort = () => deadline.abort(signal.reason);
    const expire = () => deadline.abort(new DOMException(`no answer for ${new URL(url).pathname}`, "TimeoutError"));
    const timer = setTimeout(expire, timeout * 1000);
    signal?.addEventListener("abort", abort);
    try {
        signal?.throwIfAborted();
        const response = await fetch(url, { ...options, signal: deadline.signal });
        if (!response.ok) throw new HTTPError(response);
        return await read(response);
    } catch (error) {
        if (error.name === "TimeoutError" || error instanceof TypeError) throw new Unreachable(url, error);
        throw error;
    } finally {
        clearTimeout(timer);
        signal?.removeEventListener("abort", abort);
    }
}

/** The body of an answer as bytes; throws as `fetchAnswer` does. */
export function fetchBytes(url, options) {
    return fetchAnswer(url, options, async (response) => new Uint8Array(await response.arrayBuffer()));
}

/** The body of an answer as text, with the URL where it was found at last: `{url, text}`. */
export function fetchDocument(url, options) {
    return fetchAnswer(url, options, async (response) => ({ url: response.url, text: await response.text() }));
}

/** Fetches bytes in up to four attempts; an error of the client (4xx) other than 429 is final. */
export async function fetchPatiently(url, options = {}) {
    for (let attempt = 1; ; attempt += 1) {
        try {
            return await fetchBytes(url, options);
        } catch (error) {
            const isFinal = error instanceof HTTPError && error.status < 500 && error.status !== 429;
            if (isFinal || options.signal?.aborted || attempt === 4) throw error;
            await delay(error.retryAfter ?? 0.5 * attempt, options.signal);
        }
    }
}

/** The body of an answer as text. */
export async function fetchText(url, options) {
    return new TextDecoder().decode(await fetchBytes(url, options));
}

/** The protocol that a URL first came by, as ALPN names it: `http/1.1`, `h2`; null if the browser does not say. */
export function protocolOf(url) {
    return performance.getEntriesByName(url)[0]?.nextHopProtocol || null;
}

/** Resolves after `seconds`, or as soon as `signal` aborts. */
export function delay(seconds, signal = null) {
    return new Promise((resolve) => {
        if (signal?.aborted) return resolve();
        const end = () => {
            clearTimeout(timer);
            signal?.removeEventListener("abort", end);
            resolve();
        };
        const timer = setTimeout(end, seconds * 1000);
        signal?.addEventListener("abort", end);
    });
}

/** A moving average of the link's throughput in bit/s, weighted by how long each download took. */
export class Throughput {
    /** The estimate, or null before the first sample. */
    bitsPerSecond = null;

    /** Adds a download; its weight is halved after about four seconds of further downloading. */
    add(bytes, seconds) {
        // Tiny answers measure latency, not the link.
        if (bytes < 16_384 || !(seconds > 0)) return;
        const sample = (8 * bytes) / seconds;
        const keep = 0.5 ** (Math.max(seconds, 0.5) / 4);
        this.bitsPerSecond = this.bitsPerSecond === null ? sample : keep * this.bitsPerSecond + (1 - keep) * sample;
    }
}

#!/usr/bin/env python3
"""Has Chromium's Clear Key system ask for several keys at once, and gives it the licence.

The page of the channel is where the code runs; key IDs come from keys.json. Prints one line of JSON: how many keys were
asked for in one message, the statuses that the session has then, and what the licence says of a lease.
"""

import json
import sys

from playwright.sync_api import sync_playwright

from play import CHROMIUM, CHROMIUM_ARGUMENTS

ASK = """async () => {
    const entries = await (await fetch("keys.json")).json();
    const kids = entries.map(({ keyID }) => btoa(String.fromCharCode(...keyID.match(/../g).map((x) => parseInt(x, 16))))
        .replace(/\\+/g, "-").replace(/\\//g, "_").replace(/=+$/, ""));
    const access = await navigator.requestMediaKeySystemAccess("org.w3.clearkey", [{
        initDataTypes: ["keyids"],
        videoCapabilities: [{ contentType: 'video/mp4; codecs="avc1.64001f"' }],
    }]);
    const session = (await access.createMediaKeys()).createSession();
    const asked = new Promise((resolve) => session.addEventListener("message", resolve, { once: true }));
    await session.generateRequest("keyids", new TextEncoder().encode(JSON.stringify({ kids })));
    const { message } = await asked;
    const answer = await fetch("clearkey", { method: "POST", body: message });
    const licence = await answer.text();
    await session.update(new TextEncoder().encode(licence));
    return {
        classes: entries.map(({ trackClass }) => trackClass),
        asked: JSON.parse(new TextDecoder().decode(message)).kids.length,
        statuses: [...session.keyStatuses.values()],
        lease: JSON.parse(licence).lease ?? null,
    };
}"""

with sync_playwright() as playwright:
    browser = playwright.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_ARGUMENTS)
    page = browser.new_page()
    page.goto(sys.argv[1], wait_until="domcontentloaded")
    print(json.dumps(page.evaluate(ASK)))
    browser.close()

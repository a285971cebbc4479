// The usual keyboard shortcuts of players.

/** The actions of keys, by `KeyboardEvent.key`. */
const commands = {
    " ": ({ play }) => play(),
    k: ({ play }) => play(),
    m: ({ mute }) => mute(),
    f: ({ fullScreen }) => fullScreen(),
    l: ({ live }) => live(),
    ArrowLeft: ({ move }) => move(-5),
    ArrowRight: ({ move }) => move(5),
    ArrowUp: ({ louder }) => louder(0.1),
    ArrowDown: ({ louder }) => louder(-0.1),
};

/** True if the focused element handles the key itself. */
function isTaken({ target, key }) {
    if (target.closest("select, input, textarea, [contenteditable], [role=slider]")) return true;
    return key === " " && target.closest("button, a, summary") !== null;
}

/**
 * Calls `actions` for keys that no element of the page handles: `play`, `mute`, `fullScreen`, `live`, `move(seconds)`,
 * `louder(step)`, and `goTo(part)` with 0 to 0.9 for the digits.
 */
export function listenForKeys(target, actions) {
    target.addEventListener("keydown", (event) => {
        if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTaken(event)) return;
        const digit = /^[0-9]$/.test(event.key) ? Number(event.key) : null;
        const command = commands[event.key.length === 1 ? event.key.toLowerCase() : event.key];
        if (digit !== null) actions.goTo(digit / 10);
        else if (command) command(actions);
        else return;
        event.preventDefault();
    });
}

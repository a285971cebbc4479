// Judges the pass of a viewer, for nginx-tokens.conf.

import crypto from 'crypto';

// Pages and their files, keys and what is about them, and advertisements need none.
const open = new RegExp(
    '^/[^/]*$|^/[^/]+/([^/]+\\.(js|css|html|svg))?$'
    + '|^/[^/]+/((keys|names|on-air|steering|window|health|schedule|recorded)\\.json|clearkey|fairplay)$|^/[^/]+/(keys|ads)/'
);

/** `open` for what needs no pass, `none` where one is missing or a cookie may be renewed; else `good`, `expired` or `bad`. */
function judgement(r) {
    const uri = r.variables.uri;
    const shown = r.variables.packager_shown;
    if (open.test(uri)) return 'open';
    if (!shown) return 'none';
    const parts = shown.split('-');
    const signed = parts[1] + '/' + uri.split('/')[1];
    const code = crypto.createHmac('sha256', r.variables.packager_secret).update(signed).digest('hex');
    const isGenuine = parts.length === 2 && parts[0] === code;
    if (isGenuine && Number(parts[1]) * 1000 > Date.now()) return 'good';
    if (r.variables.packager_renews) return 'none';
    return isGenuine ? 'expired' : 'bad';
}

export default { judgement };

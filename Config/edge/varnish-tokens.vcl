# Varnish 7.1 (Debian 12) in front of packagers with token-media: viewers show a token once, and have a pass from then on. Varnish
# verifies passes itself, and keeps one object for all viewers.
#
#     apt install varnish-vmod-digest
#     varnishd -a :6081 -f varnish-tokens.vcl -s malloc,2G -p timeout_idle=65
#
# As Debian's service: copy this to /etc/varnish/default.vcl, varnish.vcl beside it, and the secret of token-media-secret to
# /etc/varnish/pass-secret, for the user vcache to read.

vcl 4.1;

import std;
import digest;

sub vcl_recv {
    unset req.http.X-Pass;
    unset req.http.X-Renews;
    # A pass is at the beginning of the path, or else in a cookie: SIGNATURE-EXPIRES.
    if (req.url ~ "^/t/[0-9a-f]{64}-[1-9][0-9]{0,11}/") {
        set req.http.X-Pass = regsub(req.url, "^/t/([^/]+)/.*$", "\1");
        set req.url = regsub(req.url, "^/t/[^/]+", "");
    } elseif (req.http.Cookie ~ "(^|; *)packager_pass=[0-9a-f]{64}-[1-9][0-9]{0,11}(;|$)") {
        set req.http.X-Pass = regsub(req.http.Cookie, "^(.*; *)?packager_pass=([0-9a-f]+-[0-9]+).*$", "\2");
        # An old cookie, perhaps with a new token: the packager gives another one for it.
        if (req.url ~ "[?]" || req.http.Authorization) {
            set req.http.X-Renews = "yes";
        }
    }
    # Pages and their files, keys and what is about them, and advertisements need none.
    if (req.url !~ "^/[^/?]*([?]|$)" && req.url !~ "^/[^/?]+/([^/?]+\.(js|css|html|svg)|)([?]|$)"
        && req.url !~ "^/[^/?]+/((keys|names|on-air|steering|window|health|schedule|recorded)\.json|clearkey|fairplay)([?]|$)"
        && req.url !~ "^/[^/?]+/(keys|ads)/") {
        if (req.url ~ "^[^?]*%") {
            return (synth(404));
        }
        # The packager gives a pass to those who have a token, and tells others why they get none.
        if (!req.http.X-Pass) {
            return (pass);
        }
        if (regsub(req.http.X-Pass, "^([^-]+)-.*$", "0x\1") != digest.hmac_sha256(
            regsub(std.fileread("/etc/varnish/pass-secret"), "\s+$", ""),
            regsub(req.http.X-Pass, "^[^-]+-", "") + regsub(req.url, "^(/[^/?]+)/.*$", "\1"))) {
            if (req.http.X-Renews) {
                return (pass);
            }
            return (synth(403, "this is not a pass or it is for another channel"));
        }
        if (std.time(regsub(req.http.X-Pass, "^[^-]+-", ""), now) <= now) {
            if (req.http.X-Renews) {
                return (pass);
            }
            return (synth(401, "the pass has expired"));
        }
    }
}

sub vcl_backend_fetch {
    # The packager gets the pass as a cookie, which is no part of the key of an object.
    if (bereq.http.X-Pass) {
        set bereq.http.Cookie = "packager_pass=" + bereq.http.X-Pass;
        unset bereq.http.X-Pass;
    }
}

include "./varnish.vcl";

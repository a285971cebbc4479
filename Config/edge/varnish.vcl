# Varnish 7.1 (Debian 12) in front of two packagers that publish the same bytes, for low-latency and for classic players.
# However many viewers ask for an object, a packager is asked for it once: also for a playlist or a part that is yet to come.
#
#     varnishd -a :6081 -f varnish.vcl -s malloc,2G -p timeout_idle=65
#
# As Debian's service: copy this to /etc/varnish/default.vcl, and put -s and -p into the command of its unit (systemctl edit
# varnish). Debian's Varnish speaks neither TLS nor HTTP/2 to viewers: haproxy.cfg, beside this file, does that in front of it.
# Of one packager, remove member b and what names it.

vcl 4.1;

import std;

probe live {
    # 503 until the first segment is there, and again when the channel fails closed.
    .request = "HEAD /live/index.m3u8 HTTP/1.1" "Host: packager" "Connection: close";
    .interval = 500ms;
    .timeout = 500ms;
    .window = 3;
    .threshold = 2;
}

backend a {
    .host = "10.0.0.1";
    .port = "8080";
    .connect_timeout = 250ms;
    .probe = live;
}

backend b {
    .host = "10.0.0.2";
    .port = "8080";
    .connect_timeout = 250ms;
    .probe = live;
}

sub vcl_recv {
    # Packagers refuse it as well: it has no place in a request, and hides the end of a path.
    if (req.url ~ "#") {
        return (synth(400));
    }
    # What packagers tell each other is not for viewers. No other URL of theirs needs percent signs but those of
    # advertisements, so that no spelling gets past this.
    if (req.url ~ "^[^?]*/(window|health|schedule|recorded)\.json([?]|$)") {
        return (synth(403));
    }
    if (req.url ~ "^[^?]*%" && req.url !~ "^/[^/?]+/ads/") {
        return (synth(404));
    }
    if (req.method !~ "^(GET|HEAD|POST|OPTIONS)$") {
        return (synth(405));
    }
    # Licences are posted, and keys are given to those who may have them.
    if (req.method == "POST" || req.method == "OPTIONS" || req.url ~ "^/[^/?]+/(keys/|clearkey|fairplay)") {
        return (pass);
    }
    # No other answer depends on who asks.
    unset req.http.Authorization;
    unset req.http.Cookie;
    call directives;
    # While a member is there nothing old is served: a playlist that does not grow stops a player. With nobody left, what
    # there is stays for a while.
    if (std.healthy(a) || std.healthy(b)) {
        set req.grace = 0s;
    }
    return (hash);
}

# A media playlist depends on three directives of the query, which make the key in this order; a multivariant playlist depends
# on ranges of the past and on filters. The rest of a query (CMCD, tokens) would make an object for each viewer.
sub directives {
    if (req.url ~ "[?]") {
        set req.http.X-Query = regsub(req.url, "^[^?]*[?]", "&");
        set req.url = regsub(req.url, "[?].*$", "");
        if (req.url ~ "/index(-imsc1)?\.m3u8$") {
            set req.http.X-Choice = regsuball(req.http.X-Query,
                "(?i)&(?!(start|end|codec|aws\.manifestfilter|(time|frame|dynamic|video|audio|subtitles?|trickplay)[-_][^=&]*)=)[^&]*",
                "");
            set req.url = req.url + regsub(req.http.X-Choice, "^&", "?");
            unset req.http.X-Choice;
        } elseif (req.url ~ "\.m3u8$") {
            set req.http.X-Directives = "";
            if (req.http.X-Query ~ "&_HLS_msn=") {
                set req.http.X-Directives = regsub(req.http.X-Query, "^.*?(&_HLS_msn=[^&]*).*$", "\1");
            }
            if (req.http.X-Query ~ "&_HLS_part=") {
                set req.http.X-Directives = req.http.X-Directives
                    + regsub(req.http.X-Query, "^.*?(&_HLS_part=[^&]*).*$", "\1");
            }
            if (req.http.X-Query ~ "&_HLS_skip=") {
                set req.http.X-Directives = req.http.X-Directives
                    + regsub(req.http.X-Query, "^.*?(&_HLS_skip=[^&]*).*$", "\1");
            }
            set req.url = req.url + regsub(req.http.X-Directives, "^&", "?");
            unset req.http.X-Directives;
        }
        unset req.http.X-Query;
    }
}

sub vcl_hash {
    # Whatever name viewers know this server by. If it serves other sites as well: hash_data(req.http.Host);
    hash_data(req.url);
    return (lookup);
}

sub vcl_backend_fetch {
    # a is asked while it is there, and at the next try the other one.
    if (bereq.retries == 0) {
        if (std.healthy(a)) {
            set bereq.backend = a;
        } else {
            set bereq.backend = b;
        }
    } elseif (bereq.backend == a) {
        set bereq.backend = b;
    } else {
        set bereq.backend = a;
    }
    # Packagers answer from memory: one that takes longer is as good as dead. But they keep what waits for media for three
    # target durations, 18 s with segments of 4 s, and then answer 503. With hold-next all playlists wait: bereq.url ~ "\.m3u8".
    if (bereq.url ~ "[?&]_HLS_msn=" || bereq.url ~ "/[0-9]+\.[0-9]+\.m4s$") {
        set bereq.first_byte_timeout = 60s;
    } else {
        set bereq.first_byte_timeout = 2s;
    }
}

sub vcl_backend_response {
    # An answer is worth as much as its packager does well (X-Packager-Health, 0 to 100), and nothing if it has not what
    # was asked for: one member publishes first. Below 75 the other one is asked, and the better answer is taken.
    set beresp.http.X-Worth = std.integer(beresp.http.X-Packager-Health, 100);
    if (beresp.status == 404 || beresp.status >= 500) {
        set beresp.http.X-Worth = "0";
    }
    if (bereq.retries == 0 && std.integer(beresp.http.X-Worth, 0) < 75 && std.healthy(a) && std.healthy(b)) {
        set bereq.http.X-Worth = beresp.http.X-Worth;
        return (retry);
    }
    if (bereq.retries == 1 && std.integer(beresp.http.X-Worth, 0) < std.integer(bereq.http.X-Worth, 0)) {
        return (retry);
    }
    unset beresp.http.X-Worth;

    # How long an object stays good is in Cache-Control. A part that is hinted may come although it is not there yet, or
    # come from the other member: its 404 says no-store. Requests for what may not be kept must not queue for it either.
    if (beresp.ttl <= 0s || beresp.http.Cache-Control ~ "no-cache|no-store|private") {
        set beresp.uncacheable = true;
        set beresp.ttl = 1s;
    } else {
        set beresp.grace = 60s;
    }
    return (deliver);
}

sub vcl_backend_error {
    # Nobody there, or the connection is lost: so it is with a member that dies while requests wait at it. An answer of the
    # other one that was worth little is better than none.
    if (bereq.retries == 0 || (bereq.retries == 1 && bereq.http.X-Worth)) {
        return (retry);
    }
    set beresp.http.Access-Control-Allow-Origin = "*";
    set beresp.http.Content-Type = "text/plain";
    set beresp.http.Retry-After = "1";
    set beresp.ttl = 1s;
    set beresp.body = "no packager is live" + {"
"};
    return (deliver);
}

sub vcl_synth {
    set resp.http.Access-Control-Allow-Origin = "*";
    set resp.http.Content-Type = "text/plain";
    set resp.body = resp.reason + {"
"};
    return (deliver);
}

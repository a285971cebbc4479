-- What is fetched once for all viewers of packagers, and for how long a packager is waited for: see records.config.

-- Seconds. Packagers answer from memory: one that takes longer is as good as dead. But they keep what waits for media for three
-- target durations, 18 s with segments of 4 s, and then answer 503. With hold-next all playlists wait.
local ANSWER, MEDIA = 2, 20

-- Parameters of the multivariant playlist: ranges of the past and filters.
local CHOICES = { ["start"] = true, ["end"] = true, ["codec"] = true, ["aws.manifestfilter"] = true }
local FILTERS = {
    time = true, frame = true, dynamic = true, video = true, audio = true, subtitle = true, subtitles = true, trickplay = true,
}
-- Directives of media playlists, which make the key in this order.
local DIRECTIVES = { "_HLS_msn", "_HLS_part", "_HLS_skip" }
-- What packagers tell each other.
local OF_PEERS = { ["window.json"] = true, ["health.json"] = true, ["schedule.json"] = true, ["recorded.json"] = true }

local function choice(query)
    local kept = {}
    for field in query:gmatch("[^&]+") do
        local name = (field:match("^([^=]*)=") or ""):lower()
        if CHOICES[name] or FILTERS[name:match("^(%a+)[-_]") or ""] then
            kept[#kept + 1] = field
        end
    end
    return table.concat(kept, "&")
end

local function directives(query)
    local kept = {}
    for _, name in ipairs(DIRECTIVES) do
        kept[#kept + 1] = ("&" .. query):match("&(" .. name .. "=[^&]*)")
    end
    return table.concat(kept, "&")
end

-- The part of a query on which an answer depends. The rest (CMCD, tokens) would make an object for each viewer.
local function key(path, query)
    if path:find("/index%.m3u8$") or path:find("/index%-imsc1%.m3u8$") then
        return choice(query)
    end
    return path:find("%.m3u8$") and directives(query) or ""
end

-- An answer of the first member is worth nothing if its channel does badly (X-Packager-Health, 0 to 100): the other is asked,
-- and the first again if there is no other.
function judge()
    local health = tonumber(ts.server_response.header["X-Packager-Health"] or "")
    if not ts.ctx.judged and health and health < 75 then
        ts.server_response.set_status(503)
    end
    ts.ctx.judged = true
end

-- When nobody was left to ask, in Unix time. It is a metric, since this script runs in many states, which share nothing else.
local lost = ts.stat_create("packager.lost", TS_LUA_RECORDDATATYPE_INT, TS_LUA_STAT_NON_PERSISTENT, TS_LUA_STAT_SYNC_COUNT)

-- Pages of other sites read errors, too.
function share()
    local status = ts.client_response.get_status()
    ts.client_response.header["Access-Control-Allow-Origin"] = "*"
    if status == 502 then lost:set_value(math.floor(ts.now())) end
    if status >= 500 then
        ts.client_response.header["Retry-After"] = "1"
    end
end

local function refuse(status)
    ts.http.set_resp(status, "refused\n")
    return TS_LUA_REMAP_NO_REMAP
end

function do_remap()
    local request = ts.client_request
    local path, method = request.get_uri(), request.get_method()
    ts.hook(TS_LUA_HOOK_SEND_RESPONSE_HDR, share)
    -- No other URL has percent signs but those of advertisements, so that no spelling gets past this.
    if OF_PEERS[path:match("[^/]*$")] then return refuse(403) end
    if path:find("%", 1, true) and not path:find("^/[^/]+/ads/") then return refuse(404) end
    if not (method == "GET" or method == "HEAD" or method == "POST" or method == "OPTIONS") then return refuse(405) end

    local set = ts.http.config_int_set
    local protocols = table.concat({ ts.http.get_client_protocol_stack() }, ",")
    request.header["X-Forwarded-Proto"] = protocols:find("tls", 1, true) and "https" or "http"
    set(TS_LUA_CONFIG_HTTP_TRANSACTION_NO_ACTIVITY_TIMEOUT_OUT, ANSWER)
    set(TS_LUA_CONFIG_HTTP_PARENT_PROXY_RETRY_TIME, 5)
    -- Licences are posted, keys are given to those who may have them, and lists have the address of this server in them.
    if method == "POST" or method == "OPTIONS" or path:find("^/[^/]+/keys/") or path:find("^/[^/]+/clearkey")
        or path:find("^/[^/]+/fairplay") or path:find("^/[^/]+/ads/[^/]+%.json$") then
        set(TS_LUA_CONFIG_HTTP_CACHE_HTTP, 0)
        return TS_LUA_REMAP_NO_REMAP
    end
    -- No other answer depends on who asks.
    request.header["Authorization"], request.header["Cookie"] = nil, nil
    local query = key(path, request.get_uri_args() or "")
    request.set_uri_args(query)
    ts.hook(TS_LUA_HOOK_READ_RESPONSE_HDR, judge)
    -- What waits for long is no request to try a lost member with, unless nobody is left.
    if query:find("_HLS_msn=", 1, true) or path:find("/%d+%.%d+%.m4s$") then
        set(TS_LUA_CONFIG_HTTP_TRANSACTION_NO_ACTIVITY_TIMEOUT_OUT, MEDIA)
        if ts.now() - lost:get_value() > 10 then
            set(TS_LUA_CONFIG_HTTP_PARENT_PROXY_RETRY_TIME, 86400)
        end
    end
    return TS_LUA_REMAP_NO_REMAP
end

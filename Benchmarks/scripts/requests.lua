-- wrk: gets the URL it is given, or posts to it.
--   SKEIN_BENCH_TOKEN   access token; none is sent without it
--   SKEIN_BENCH_BODIES  a file with one JSON body a line, posted in turn, each with a fresh Idempotency-Key; every
--                       "@key@" in a body becomes a fresh key too. Nothing is posted without it
-- Prints one line for skein-bench: how many answers came, how many of them were no success.

local token = os.getenv("SKEIN_BENCH_TOKEN")
local bodies = os.getenv("SKEIN_BENCH_BODIES")
local random, format = math.random, string.format
local before, after, turn = "", {}, 0

if token then wrk.headers["Authorization"] = "Bearer " .. token end

local function key()
    return format("%04x%04x-%04x-4%03x-%04x-%06x%06x",
        random(0, 0xffff), random(0, 0xffff), random(0, 0xffff), random(0, 0xfff), random(0x8000, 0xbfff),
        random(0, 0xffffff), random(0, 0xffffff))
end

if bodies then
    function init()
        local seed = io.open("/dev/urandom", "rb")
        local a, b, c, d = seed:read(4):byte(1, 4)
        seed:close()
        math.randomseed(a + 256 * (b + 256 * (c + 256 * d)))
        -- The request is put together here: wrk.format builds it anew from tables each time.
        before = "POST " .. wrk.path .. " HTTP/1.1\r\nHost: " .. wrk.host .. ":" .. wrk.port ..
            (token and "\r\nAuthorization: Bearer " .. token or "") ..
            "\r\nContent-Type: application/json\r\nIdempotency-Key: "
        for body in io.lines(bodies) do
            local length = #body:gsub("@key@", key)
            after[#after + 1] = { "\r\nContent-Length: " .. length .. "\r\n\r\n" .. body, length ~= #body }
        end
    end

    function request()
        turn = turn % #after + 1
        local rest, has_keys = after[turn][1], after[turn][2]
        if has_keys then rest = rest:gsub("@key@", key) end
        return before .. key() .. rest
    end
end

function done(summary)
    local errors = summary.errors
    io.write(format("skein-bench answers=%d refused=%d broken=%d microseconds=%d\n", summary.requests, errors.status,
        errors.connect + errors.read + errors.write + errors.timeout, summary.duration))
end

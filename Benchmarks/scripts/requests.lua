-- wrk: every request is a sighting of its own: POST /v1/sightings with a fresh Idempotency-Key.
--   SKEIN_BENCH_TOKEN   access token
--   SKEIN_BENCH_BODIES  a file with one JSON body a line, sent in turn
--   SKEIN_BENCH_KEYS    v4 or v7: the version of the keys
-- Prints one line for skein-bench: how many answers came, how many of them were no success.

local token = os.getenv("SKEIN_BENCH_TOKEN")
local version7 = os.getenv("SKEIN_BENCH_KEYS") == "v7"
local random, format = math.random, string.format
local before, after, turn = "", {}, 0

function init()
    local seed = io.open("/dev/urandom", "rb")
    local a, b, c, d = seed:read(4):byte(1, 4)
    seed:close()
    math.randomseed(a + 256 * (b + 256 * (c + 256 * d)))
    -- The request is put together here: wrk.format builds it anew from tables each time.
    before = "POST /v1/sightings HTTP/1.1\r\nHost: " .. wrk.host .. ":" .. wrk.port ..
        "\r\nAuthorization: Bearer " .. token ..
        "\r\nContent-Type: application/json\r\nIdempotency-Key: "
    for body in io.lines(os.getenv("SKEIN_BENCH_BODIES")) do
        after[#after + 1] = "\r\nContent-Length: " .. #body .. "\r\n\r\n" .. body
    end
end

local function key()
    local low, high = random(0, 0xfff), random(0x8000, 0xbfff)
    if version7 then
        local now = os.time() * 1000 + random(0, 999)
        return format("%08x-%04x-7%03x-%04x-%06x%06x",
            math.floor(now / 0x10000), now % 0x10000, low, high, random(0, 0xffffff), random(0, 0xffffff))
    end
    return format("%04x%04x-%04x-4%03x-%04x-%06x%06x",
        random(0, 0xffff), random(0, 0xffff), random(0, 0xffff), low, high, random(0, 0xffffff), random(0, 0xffffff))
end

function request()
    turn = turn % #after + 1
    return before .. key() .. after[turn]
end

function done(summary)
    local errors = summary.errors
    io.write(format("skein-bench answers=%d refused=%d broken=%d microseconds=%d\n", summary.requests, errors.status,
        errors.connect + errors.read + errors.write + errors.timeout, summary.duration))
end

/**
 * The rules of the database's functions `admit` and `admit_identity`, for Redis. Each organization is one hash, so that a cluster
 * keeps it in one place and a script changes all of it or none:
 * `minute`, `minute_used`, `month`, `month_used`, `exports_used`, `identities_minute`, `identities_used`, and for each key or
 * identity `<id>:minute`, `<id>:minute_used`, `<id>:month_used`. A month begins with an empty hash; a hash ends a day after its month.
 */

/** Uses the store's clock; a window moves back only if it is more than two minutes ahead, as `minute_window` of the database says. `minute` counts from 1970, `month` from year 0. */
const TIME = `
local function days(year, month)
  if month <= 2 then year = year - 1 end
  local era = math.floor(year / 400)
  local yoe = year - era * 400
  local doy = math.floor((153 * ((month + 9) % 12) + 2) / 5)
  return era * 146097 + yoe * 365 + math.floor(yoe / 4) - math.floor(yoe / 100) + doy - 719468
end
local function month_of(ms)
  local z = math.floor(ms / 86400000) + 719468
  local era = math.floor(z / 146097)
  local doe = z - era * 146097
  local yoe = math.floor((doe - math.floor(doe / 1460) + math.floor(doe / 36524) - math.floor(doe / 146096)) / 365)
  local doy = doe - (365 * yoe + math.floor(yoe / 4) - math.floor(yoe / 100))
  local mp = math.floor((5 * doy + 2) / 153)
  local month = (mp + 2) % 12 + 1
  local year = era * 400 + yoe
  if month <= 2 then year = year + 1 end
  return year * 12 + month - 1
end
local function month_end(month)
  return days(math.floor((month + 1) / 12), (month + 1) % 12 + 1) * 86400000
end
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local function number(value) return tonumber(value or 0) end
local function minute_window(stored)
  local minute = math.floor(now / 60000)
  return stored <= minute + 2 and math.max(stored, minute) or minute
end
local function month_window(stored)
  local month = month_of(now)
  return stored <= month_of(now + 120000) and math.max(stored, month) or month
end`

/**
 * KEYS: the organization's hash. ARGV: key id, then the limits: key, organization, month.
 * Answers {scope or '', limit, remaining, reset, ms to wait}.
 */
export const ADMIT = `${TIME}
local id = ARGV[1]
local key_limit, org_limit, month_limit = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local s = redis.call('HMGET', KEYS[1], 'minute', 'minute_used', 'month', 'month_used', 'exports_used',
  id .. ':minute', id .. ':minute_used', id .. ':month_used')
local w, m = minute_window(number(s[1])), month_window(number(s[3]))
local new_month = number(s[3]) ~= m
local org_used = number(s[1]) ~= w and 0 or number(s[2])
local month_used = new_month and 0 or number(s[4])
local exports_used = new_month and 0 or number(s[5])
local key_used = number(s[6]) ~= w and 0 or number(s[7])
local key_month = new_month and 0 or number(s[8])
local reset = (w + 1) * 60000
local function limited(scope, limit, at) return { scope, limit, 0, at, math.max(at - now, 1) } end
if month_used >= month_limit then return limited('monthly', month_limit, month_end(m)) end
if org_used >= org_limit then return limited('organization', org_limit, reset) end
if key_used >= key_limit then return limited('key', key_limit, reset) end
if new_month then redis.call('DEL', KEYS[1]) end
redis.call('HSET', KEYS[1], 'minute', w, 'minute_used', org_used + 1, 'month', m, 'month_used', month_used + 1,
  'exports_used', exports_used, id .. ':minute', w, id .. ':minute_used', key_used + 1,
  id .. ':month_used', key_month + 1)
if new_month then redis.call('PEXPIREAT', KEYS[1], month_end(m) + 86400000) end
local key_left, org_left = key_limit - key_used - 1, org_limit - org_used - 1
return { '', key_left <= org_left and key_limit or org_limit,
  math.min(key_left, org_left, month_limit - month_used - 1), reset, 0 }`

/**
 * KEYS: the organization's hash. ARGV: key id, then the limits: identity, all identities together.
 * Answers as `ADMIT` does.
 */
export const ADMIT_IDENTITY = `${TIME}
local id = ARGV[1]
local own, most = tonumber(ARGV[2]), tonumber(ARGV[3])
local s = redis.call('HMGET', KEYS[1], 'identities_minute', 'identities_used', 'month',
  id .. ':minute', id .. ':minute_used', id .. ':month_used')
local w, m = minute_window(number(s[1])), month_window(number(s[3]))
local new_month = number(s[3]) ~= m
local used = number(s[1]) ~= w and 0 or number(s[2])
local own_used = number(s[4]) ~= w and 0 or number(s[5])
local reset = (w + 1) * 60000
local function limited(scope, limit) return { scope, limit, 0, reset, math.max(reset - now, 1) } end
if used >= most then return limited('organization', most) end
if own_used >= own then return limited('identity', own) end
if new_month then redis.call('DEL', KEYS[1]) end
redis.call('HSET', KEYS[1], 'identities_minute', w, 'identities_used', used + 1, 'month', m,
  id .. ':minute', w, id .. ':minute_used', own_used + 1, id .. ':month_used', (new_month and 0 or number(s[6])) + 1)
if new_month then redis.call('PEXPIREAT', KEYS[1], month_end(m) + 86400000) end
local own_left, left = own - own_used - 1, most - used - 1
return { '', own_left <= left and own or most, math.min(own_left, left), reset, 0 }`

/** KEYS: the organization's hash. ARGV: exports a month. Answers {1 where one was taken, end of the month, ms until then}. */
export const TAKE_EXPORT = `${TIME}
local s = redis.call('HMGET', KEYS[1], 'month', 'exports_used')
local m = month_window(number(s[1]))
local new_month = number(s[1]) ~= m
local used = new_month and 0 or number(s[2])
local left = math.max(month_end(m) - now, 1)
if used >= tonumber(ARGV[1]) then return { 0, month_end(m), left } end
if new_month then redis.call('DEL', KEYS[1]) end
redis.call('HSET', KEYS[1], 'month', m, 'exports_used', used + 1)
if new_month then redis.call('PEXPIREAT', KEYS[1], month_end(m) + 86400000) end
return { 1, month_end(m), left }`

/** KEYS: the organization's hash. ARGV: ms within the month that an export was charged to. */
export const REFUND = `${TIME}
local s = redis.call('HMGET', KEYS[1], 'month', 'exports_used')
if number(s[1]) ~= month_of(tonumber(ARGV[1])) or number(s[2]) == 0 then return 0 end
return redis.call('HINCRBY', KEYS[1], 'exports_used', -1)`

/** KEYS: the organization's hash. ARGV: key id. Gives a request back to the running month of both. */
export const REFUND_MONTH = `${TIME}
local used = ARGV[1] .. ':month_used'
local s = redis.call('HMGET', KEYS[1], 'month', 'month_used', used)
if number(s[1]) ~= month_of(now) then return 0 end
if number(s[3]) > 0 then redis.call('HINCRBY', KEYS[1], used, -1) end
if number(s[2]) == 0 then return 0 end
return redis.call('HINCRBY', KEYS[1], 'month_used', -1)`

/**
 * KEYS: the organization's hash. ARGV: key ids. Answers {end of the minute, end of the month, minute_used, month_used,
 * exports_used}, then minute_used and month_used of each key.
 */
export const USAGE = `${TIME}
local s = redis.call('HMGET', KEYS[1], 'minute', 'minute_used', 'month', 'month_used', 'exports_used')
local w, m = minute_window(number(s[1])), month_window(number(s[3]))
local new_month = number(s[3]) ~= m
local function minute(at, used) return number(at) ~= w and 0 or number(used) end
local function month(used) return new_month and 0 or number(used) end
local reply = { (w + 1) * 60000, month_end(m), minute(s[1], s[2]), month(s[4]), month(s[5]) }
for _, id in ipairs(ARGV) do
  local k = redis.call('HMGET', KEYS[1], id .. ':minute', id .. ':minute_used', id .. ':month_used')
  table.insert(reply, minute(k[1], k[2]))
  table.insert(reply, month(k[3]))
end
return reply`

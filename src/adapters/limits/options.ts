import { assertOptions } from "../../core/common/InvalidOptions.ts"
import { revealed } from "../optionChecks.ts"

const redisUrl = (value: unknown) => {
  const found = revealed(value)
  return typeof found === "string" && /^rediss?:\/\/./.test(found) && URL.canParse(found)
    ? undefined
    : "must be redis://host:6379 or rediss://user:password@host:6379"
}

export const assertRedis = (options: unknown) => assertOptions("layerRedis", { url: redisUrl }, options, ["url"])

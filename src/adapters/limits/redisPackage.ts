import type * as Redis from "redis"
import { importPackage } from "../../core/common/optionalPackage.ts"

// In the package, `@effect/platform-node/NodeRedis` imports this module in place of `redis`, which bundlers would otherwise require.

export let createClient: typeof Redis.createClient
export let SocketTimeoutError: typeof Redis.SocketTimeoutError
export let ErrorReply: typeof Redis.ErrorReply

/** Gives the exports their values. Rejects with `PackageMissing`. */
export const loadRedis = async () => {
  const redis = await importPackage("redis", () => import("redis"))
  ;({ createClient, SocketTimeoutError, ErrorReply } = redis)
}

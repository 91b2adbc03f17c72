import type { Program } from "./support/servers.ts"

/** The names in the tables. */
export const OURS_NODE = "Sightline on Node"
export const OURS_BUN = "Sightline on Bun"
export const OURS_DENO = "Sightline on Deno"
export const BARE_NODE = "bare node:http + postgres.js"
export const BARE_FASTIFY = "bare Fastify + pg"
export const BARE_BUN = "bare Hono on Bun + postgres.js"
export const BARE_DENO = "bare Hono on Deno + postgres.js"
export const DUTY_NODE = "same-duty node:http + postgres.js"
export const DUTY_FASTIFY = "same-duty Fastify + pg"
export const EMPTY_DENO = "an empty deno serve"
export const FLOOR = "node:http, a constant"
export const EFFECT = "Effect's server and router, a constant"
export const STORED_FASTIFY = "bare Fastify + pg, stored JSON"
export const STORED_DUTY_FASTIFY = "same-duty Fastify + pg, stored JSON"

const CLI = "src/adapters/cli/main.js"
const ours = (runtime: Program["runtime"]): Program => ({ runtime, script: CLI, args: ["serve"] })
const node = (...args: ReadonlyArray<string>): Program => ({ runtime: "node", script: "bench/peers/node.ts", args })
const fastify = (...args: ReadonlyArray<string>): Program => ({
  runtime: "node",
  script: "bench/peers/fastify.ts",
  args,
})
const hono = (runtime: Program["runtime"]): Program => ({ runtime, script: "bench/peers/hono.ts" })

/** Sightline as `sightline serve` runs it with everything on, and the alternatives that a user would choose. */
export const PROGRAMS: Readonly<Record<string, Program>> = {
  [OURS_NODE]: ours("node"),
  [OURS_BUN]: ours("bun"),
  [OURS_DENO]: ours("deno"),
  [BARE_NODE]: node(),
  [BARE_FASTIFY]: fastify(),
  [BARE_BUN]: hono("bun"),
  [BARE_DENO]: hono("deno"),
  [DUTY_NODE]: node("--duties"),
  [DUTY_FASTIFY]: fastify("--duties"),
  [EMPTY_DENO]: { runtime: "denoServe", script: "bench/peers/empty.ts" },
  [FLOOR]: { runtime: "node", script: "bench/peers/constant.ts", args: [] },
  [EFFECT]: { runtime: "node", script: "bench/peers/effect.ts" },
  [STORED_FASTIFY]: fastify("--stored"),
  [STORED_DUTY_FASTIFY]: fastify("--duties", "--stored"),
}

#!/usr/bin/env node
// JavaScript, so that Node needs no compiler for types where what it compiled is kept: 25 MB and 25 ms.
import * as module from "node:module"
import process from "node:process"
import * as v8 from "node:v8"

const onBun = "Bun" in globalThis
if (!onBun && !("Deno" in globalThis)) module.enableCompileCache()
await import("../serving/withoutAsyncContext.ts")

/** V8 doubles its young generation while a start fills it, in the end to 100 MB. Requests leave little behind: 2 to 4 MB do. */
const keepYoungGenerationSmall = () => {
  if (onBun) return
  const young = v8.getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space")
  // Two halves, of which one is used at a time.
  if ((young?.space_size ?? 0) >= 2 * 2 * 1024 ** 2) v8.setFlagsFromString("--semi-space-growth-factor=1")
}

const args = process.argv.slice(2)
const json = args[1] === "--json"

// A server is started where seconds count, and seldom asked for help: its plain start spares it the command line's grammar.
if (args[0] === "serve" && args.length === (json ? 2 : 1)) {
  const { execute } = await import("./execute.ts")
  keepYoungGenerationSmall()
  const { serve } = await import("./serve/serve.ts")
  keepYoungGenerationSmall()
  process.exitCode = await execute(serve({ json }))
} else {
  const { run } = await import("./program.ts")
  keepYoungGenerationSmall()
  process.exitCode = await run(args)
}

// What is still open now, a socket of a driver say, must not keep the process; output is given time to drain.
setTimeout(() => process.exit(), 2_000).unref()

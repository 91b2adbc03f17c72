#!/usr/bin/env node
import process from "node:process"
import * as module from "node:module"

// Compiled code is kept between runs where the runtime can: a start is a third faster.
if (!("Bun" in globalThis || "Deno" in globalThis)) module.enableCompileCache()

const { run } = await import("./program.ts")
process.exitCode = await run(process.argv.slice(2))
// What is still open now, a socket of a driver say, must not keep the process; output is given time to drain.
setTimeout(() => process.exit(), 2_000).unref()

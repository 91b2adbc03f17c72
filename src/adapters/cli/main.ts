#!/usr/bin/env node
import process from "node:process"
import * as module from "node:module"

// Compiled code is kept between runs where the runtime can.
if (!("Bun" in globalThis || "Deno" in globalThis)) module.enableCompileCache()

const args = process.argv.slice(2)
const json = args[1] === "--json"

// A server is started where seconds count, and seldom asked for help: its plain start spares it the command line's grammar.
process.exitCode =
  args[0] === "serve" && args.length === (json ? 2 : 1)
    ? await (await import("./execute.ts")).execute((await import("./serve.ts")).serve({ json }))
    : await (await import("./program.ts")).run(args)

// What is still open now, a socket of a driver say, must not keep the process; output is given time to drain.
setTimeout(() => process.exit(), 2_000).unref()

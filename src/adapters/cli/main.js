#!/usr/bin/env node
// JavaScript, so that Node needs no compiler for types where what it compiled is kept: 25 MB and 25 ms.
import * as module from "node:module"
import process from "node:process"
import * as v8 from "node:v8"

if (!("Bun" in globalThis || "Deno" in globalThis)) {
  module.enableCompileCache()
  // A request leaves little behind: a young generation of 1 MB serves as fast as one of 32, which grows to 100 MB.
  v8.setFlagsFromString("--semi-space-growth-factor=1")
}

const args = process.argv.slice(2)
const json = args[1] === "--json"

// A server is started where seconds count, and seldom asked for help: its plain start spares it the command line's grammar.
process.exitCode =
  args[0] === "serve" && args.length === (json ? 2 : 1)
    ? await (await import("./execute.ts")).execute((await import("./serve.ts")).serve({ json }))
    : await (await import("./program.ts")).run(args)

// What is still open now, a socket of a driver say, must not keep the process; output is given time to drain.
setTimeout(() => process.exit(), 2_000).unref()

import { execFileSync } from "node:child_process"
import { rmSync } from "node:fs"
import { OURS_NODE, PROGRAMS } from "../programs.ts"
import { file, type Program, RUNTIMES } from "./servers.ts"

export const BUNDLED = "Sightline on Node, bundled"

const BUNDLE = "node_modules/.cache/bench/dist"

/** The command line as it is published, with the files of `sightline/deploy` beside it. */
export const bundle = (): Program => {
  deployment()
  rmSync(file(BUNDLE), { recursive: true, force: true })
  execFileSync(RUNTIMES.node.command, [file("build/bundles.ts"), file(BUNDLE)])
  return { ...PROGRAMS[OURS_NODE]!, script: `${BUNDLE}/cli/main.js` }
}

export const DEPLOYED = "Sightline on Deno, as deployed"

const DEPLOYMENT = "node_modules/.cache/bench/deploy"

/** `sightline/deploy` as it is published. */
export const deployment = (): Program => {
  rmSync(file(DEPLOYMENT), { recursive: true, force: true })
  execFileSync(RUNTIMES.node.command, [file("src/adapters/deploy/bundle.ts"), file(DEPLOYMENT)])
  return { runtime: "denoServe", script: `${DEPLOYMENT}/main.js` }
}

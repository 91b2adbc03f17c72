import { spawn } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert } from "@effect/vitest"
import { until } from "./until.ts"

export const root = fileURLToPath(new URL("../..", import.meta.url))
export const textOf = (page: string) => readFileSync(join(root, page), "utf8")
export const blocksOf = (page: string, language: string) =>
  [...textOf(page).matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, "g"))].map(([, block]) => block!)

/** The program with the sources of the package's entries, such as `sightline/pglite`, in place of their names. */
export const fromSources = (program: string) => {
  const { exports } = JSON.parse(textOf("package.json")) as {
    readonly exports: Readonly<Record<string, string | { readonly types: string }>>
  }
  const sourceOf = (entry: string) => {
    const found = exports[entry.replace("sightline", ".")]!
    const path = typeof found === "string" ? found : found.types
    return join(root, path.replace("dist", "src").replace(/(?:js|d\.ts)$/, "ts"))
  }
  return program.replaceAll(/"(sightline(?:\/[a-z-]+)*)"/g, (_, entry: string) => JSON.stringify(sourceOf(entry)))
}

/** A program that waits for its database as long as a busy machine needs. */
export const withPatience = (program: string) =>
  program.replace(/^ *const sightline = await open\w*\(.*\)$/m, "$&; await sightline.ready({ seconds: 600 })")

/** This process's environment without anything that configures Sightline. */
export const environment = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(SIGHTLINE_|PORT$|HOST$|BASE$|KEY$)/.test(name)),
)

/** One shell for many blocks, so that exports and functions carry over. A command that fails ends it. */
export const terminal = (cwd: string, settings: Record<string, string> = {}) => {
  const child = spawn("bash", ["--noprofile", "--norc"], { cwd, env: { ...environment, ...settings } })
  const scratch = mkdtempSync(join(tmpdir(), "sightline-blocks-"))
  let stdout = ""
  let stderr = ""
  let blocks = 0
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text))
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text))
  child.stdin.write("set -eo pipefail\n")
  return {
    paste: async (block: string) => {
      const file = join(scratch, `block-${++blocks}.sh`)
      writeFileSync(file, block)
      const before = stdout.length
      const end = `--- end of block ${blocks} ---`
      child.stdin.write(`. ${file} </dev/null\necho "${end}"\n`)
      await until("the block ends", () => stdout.includes(end) || child.exitCode !== null)
      assert.include(stdout, end, `${block}\n${stderr}`)
      return stdout.slice(before, stdout.indexOf(end))
    },
    close: () => {
      child.stdin.end()
      rmSync(scratch, { recursive: true, force: true })
    },
  }
}

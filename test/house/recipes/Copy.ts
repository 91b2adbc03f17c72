import { spawnSync } from "node:child_process"
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"

const ROOT = join(import.meta.dirname, "../../..")
const FOLDERS = ["build", "src", "test", "bench", "docs", "training"]
const COPIED = [...FOLDERS, "package.json", "tsconfig.json", "vitest.config.ts"]

/** A copy of the project in a temporary directory, with the project's packages, for edits and runs. */
export class Copy {
  readonly directory = mkdtempSync(join(tmpdir(), "sightline-recipes-"))

  constructor() {
    const filter = (path: string) => basename(path) !== "node_modules"
    for (const name of COPIED) cpSync(join(ROOT, name), join(this.directory, name), { recursive: true, filter })
    symlinkSync(join(ROOT, "node_modules"), join(this.directory, "node_modules"))
  }

  write(file: string, text: string): void {
    writeFileSync(join(this.directory, file), text)
  }

  /** Inserts text after the first `anchor`; throws if there is none. */
  insertAfter(file: string, anchor: string, text: string): void {
    const old = readFileSync(join(this.directory, file), "utf8")
    const at = old.indexOf(anchor)
    if (at === -1) throw new Error(`${file} has no ${JSON.stringify(anchor)}: the recipe leads nowhere`)
    const end = at + anchor.length
    this.write(file, old.slice(0, end) + text + old.slice(end))
  }

  /** Type-checks the copy; returns the files that do not compile, with their errors. */
  typeErrors(): ReadonlyMap<string, string> {
    const tsc = join(ROOT, "node_modules/.bin/tsc")
    const { stdout } = spawnSync(tsc, ["--incremental", "false"], { cwd: this.directory, encoding: "utf8" })
    const errors = stdout.split("\n").filter((line) => /^\S+\(\d+,\d+\): error/.test(line))
    return new Map(errors.map((line) => [line.slice(0, line.indexOf("(")), line]))
  }

  /** Runs a script of the copy with Node; returns the last line that it prints. */
  run(script: string): string {
    const { status, stdout, stderr } = spawnSync("node", [script], { cwd: this.directory, encoding: "utf8" })
    if (status !== 0) throw new Error(`${script} ended with ${status}:\n${stderr}`)
    return stdout.trimEnd().split("\n").at(-1) ?? ""
  }

  remove(): void {
    rmSync(this.directory, { recursive: true, force: true })
  }
}

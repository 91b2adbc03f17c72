import { execFileSync, fork } from "node:child_process"
import { mkdtempSync, readdirSync, rmdirSync, rmSync, statfsSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { run } from "../adapters/processes.ts"
// For test/pooler.
import { type Command, type Setup, SIGNING_SECRET, type State } from "./protocol.ts"

/** How often to cause each fault: `FAULTS`, by default once. */
export const TIMES = Number(process.env["FAULTS"] ?? 1)

/** Adds a line to the table that `npm run faults` prints. */
export const report = (fault: string, engine: string, counts: Readonly<Record<string, number | string>>) =>
  console.log(
    `${fault.padEnd(36)} ${engine.padEnd(11)} ${Object.entries(counts)
      .map(([name, count]) => `${name} ${count}`)
      .join(" · ")}`,
  )

export const temporary = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "sightline-faults-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true })),
)

/** Mounts a disk of the given MiB at `directory`. */
export const mountDisk = (directory: string, mib: number) =>
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${mib}m`, "tmpfs", directory], { stdio: "ignore" })

/** Whether this user may mount a disk. */
export const canMount = (): boolean => {
  const directory = mkdtempSync(join(tmpdir(), "sightline-mount-"))
  try {
    mountDisk(directory, 1)
    unmountDisk(directory)
    return true
  } catch {
    return false
  } finally {
    rmdirSync(directory)
  }
}

export const unmountDisk = (directory: string) => execFileSync("umount", ["-l", directory])

/** Writes `file` until the given number of bytes is free on its disk, even while others write there. */
export const fill = (file: string, left: number) => {
  writeFileSync(file, "")
  for (let size = 1024 * 1024; size >= 4096;) {
    const { bavail, bsize } = statfsSync(file)
    try {
      if (bavail * bsize - left < size) size /= 2
      else writeFileSync(file, new Uint8Array(size), { flag: "a" })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error
      size /= 2
    }
  }
}

/** Creates an organization in a separate process, because an embedded database would block this one. */
export const newOrganization = (databaseUrl: string | undefined, directory: string) =>
  Effect.promise(async () => {
    const settings = {
      SIGHTLINE_DATA_DIR: directory,
      SIGHTLINE_SIGNING_SECRET: SIGNING_SECRET,
      ...(databaseUrl !== undefined && { SIGHTLINE_DATABASE_URL: databaseUrl }),
    }
    const { code, stdout, stderr } = await run(
      ["orgs", "create", "--name", "Acme", "--plan", "enterprise", "--json"],
      settings,
    )
    assert.strictEqual(code, 0, stderr)
    return JSON.parse(stdout).id as string
  })

const WORKER = fileURLToPath(new URL("./worker.ts", import.meta.url))

/** Starts `worker.ts` and kills it when the scope closes. */
export const startWorker = (setup: Setup) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const child = fork(WORKER, [JSON.stringify(setup)], { stdio: ["ignore", "ignore", "inherit", "ipc"] })
      const waiting = new Map<number, (answer: { value?: unknown; error?: string }) => void>()
      let last = 0
      const answered = (n: number) =>
        new Promise<{ value?: unknown; error?: string }>((resolve) => waiting.set(n, resolve))
      child.on("message", ({ n, ...answer }: { n: number }) => waiting.get(n)?.(answer))
      child.on("exit", () => waiting.get(0)?.({}))
      await answered(0)
      const ask = async <A>(command: Command): Promise<A> => {
        const answer = answered(++last)
        child.send({ n: last, command })
        const { value, error } = await answer
        if (error !== undefined) throw new Error(`${command.do}: ${error}`)
        return value as A
      }
      return {
        ask,
        state: () => ask<State>({ do: "state" }),
        signal: (name: NodeJS.Signals) => child.kill(name),
        kill: () =>
          new Promise<void>((resolve) => {
            child.once("exit", () => resolve())
            child.kill("SIGKILL")
          }),
      }
    }),
    (worker) => Effect.sync(() => worker.signal("SIGKILL")),
  )
export type Worker = Effect.Success<ReturnType<typeof startWorker>>

/** Lists the files of a store under `directory`. */
export const filesUnder = (directory: string) =>
  readdirSync(join(directory, "blobs"), { recursive: true, withFileTypes: true })
    // The partial file of a killed put stays in a separate folder for a day.
    .filter((entry) => entry.isFile() && !entry.parentPath.endsWith(".incoming"))
    .map(({ name }) => name)

/** Whether all jobs ended. */
export const ended = async (worker: Worker) =>
  (await worker.state()).jobs.every(({ state }) => !["queued", "running"].includes(state))

/** Deals with text that could break a spreadsheet. */
export const deals = (count: number) =>
  Array.from({ length: count }, (_, n) => ({
    type: "deal",
    id: `deal_${n}`,
    name: `${n % 7 === 0 ? "=" : ""}Deal "${n}",\nof größe ${n % 13}`,
    amount: n * 1.25,
    status: n % 2 === 0 ? "Won" : "Lost",
    created_at: "2026-01-01T00:00:00Z",
    competitors: [{ competitor: `Rival ${n % 5}`, is_primary: true }],
  }))

export const COLUMNS = ["id", "name", "amount", "deal_status", "competitors"]

export const text = (word: string) =>
  Array.from(
    { length: 12 },
    (_, n) => `# Part ${n} of ${word}\n\n${`Sentence ${n} says it again. `.repeat(60)}\n`,
  ).join("\n")

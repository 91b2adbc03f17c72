import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from "node:fs"
import { hostname } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/** Another process has the data directory open. Two writers would lose rows without a word. */
export class DirectoryLocked extends Schema.TaggedError<DirectoryLocked>()("DirectoryLocked", {
  message: Schema.String,
}) {}

interface Holder {
  readonly pid: number
  readonly host: string
  readonly since: string
  /** When the kernel says that process began: tells a process from a later one of the same number. */
  readonly began: string | undefined
}

/** Holds `directory` for this process until the scope closes. A lock whose process is gone is taken over. */
export const lockDirectory = (directory: string) => {
  const path = join(directory, "..", `${basename(directory)}.lock`)
  return Effect.acquireRelease(
    Effect.suspend(() => {
      mkdirSync(directory, { recursive: true })
      const mine: Holder = {
        pid: process.pid,
        host: hostname(),
        since: new Date().toISOString(),
        began: began(process.pid),
      }
      for (let attempt = 0; attempt < 2; attempt++) {
        try {
          const file = openSync(path, "wx")
          writeSync(file, JSON.stringify(mine))
          closeSync(file)
          return Effect.void
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== "EEXIST") return Effect.die(error)
          const holder = read(path)
          if (holder === undefined || isAlive(holder)) return Effect.fail(refusal(directory, path, holder))
          rmSync(path, { force: true })
        }
      }
      return Effect.fail(refusal(directory, path, undefined))
    }),
    () => Effect.sync(() => rmSync(path, { force: true })),
  )
}

const refusal = (directory: string, path: string, holder: Holder | undefined) =>
  new DirectoryLocked({
    message:
      `${directory} is in use by ` +
      (holder === undefined ? "another process" : `process ${holder.pid} on ${holder.host} since ${holder.since}`) +
      `; stop it, use another SIGHTLINE_DATA_DIR, or share one PostgreSQL through SIGHTLINE_DATABASE_URL. ` +
      `If that process is gone, remove ${path}`,
  })

const basename = (path: string) => path.replace(/\/+$/, "").split("/").at(-1) ?? "data"

const read = (path: string): Holder | undefined => {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as Holder
  } catch {
    return undefined
  }
}

/** A process on another host cannot be asked: it counts as alive. */
const isAlive = (holder: Holder): boolean => {
  if (holder.host !== hostname()) return true
  if (holder.began !== undefined && holder.began !== began(holder.pid)) return false
  try {
    process.kill(holder.pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"
  }
}

/** The start time in `/proc`, where there is one. */
const began = (pid: number): string | undefined => {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ")[19]
  } catch {
    return undefined
  }
}

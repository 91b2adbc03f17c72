import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { hostname } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import { DatabaseUnavailable } from "../../core/ports/DatabaseUnavailable.ts"
import { DirectoryUnusable, reason } from "./dataDirectory.ts"

/** Another process has the data directory open. Two writers would silently lose rows. */
export class DirectoryLocked extends Schema.TaggedError<DirectoryLocked>()("DirectoryLocked", {
  message: Schema.String,
}) {}

interface Holder {
  readonly pid: number
  readonly host: string
  readonly since: string
  /** The URL of the process, once it listens: `http://127.0.0.1:8787`. */
  readonly url?: string | undefined
  /** The kernel's start time of the process, because process ids are reused. */
  readonly began: string | undefined
}

/** How long to wait for another instance of this process to let go of a directory. A request waits a little longer. */
const OWN_LOCK_SECONDS = 20
const OWN_LOCK_POLL_MS = 50

/**
 * Locks `directory` for this process until the scope closes. Takes over the lock of a dead process, and waits for that of an instance in
 * this process, which may be closing.
 */
export const lockDirectory = (directory: string, ownLockSeconds = OWN_LOCK_SECONDS) =>
  tryToLock(directory).pipe(
    Effect.retry({
      while: ({ _tag }) => _tag === "DatabaseUnavailable",
      schedule: Schedule.spaced(`${OWN_LOCK_POLL_MS} millis`),
      times: (ownLockSeconds * 1000) / OWN_LOCK_POLL_MS,
    }),
  )

const tryToLock = (directory: string) => {
  const path = lockOf(directory)
  const mine = JSON.stringify({
    pid: process.pid,
    host: hostname(),
    since: new Date().toISOString(),
    began: began(process.pid),
  } satisfies Holder)
  return Effect.acquireRelease(
    Effect.suspend((): Effect.Effect<void, DatabaseUnavailable | DirectoryLocked> => {
      mkdirSync(directory, { recursive: true })
      if (create(path, mine)) return Effect.void
      const found = read(path)
      const holder = found === undefined ? undefined : parse(found)
      if (isOurs(holder)) return Effect.fail(openHere(directory))
      if (found === undefined || holder === undefined || isAlive(holder) || !takeOver(path, found, holder, mine)) {
        return Effect.fail(refusal(directory, path, holder))
      }
      return Effect.void
    }).pipe(
      Effect.catchDefect((cause) =>
        Effect.fail(new DirectoryUnusable({ message: `cannot write next to ${directory}: ${reason(cause)}` })),
      ),
    ),
    () => Effect.sync(() => isOf(path, mine) && rmSync(path, { force: true })),
  )
}

/** Records the address of this process in its lock, for the command line. */
export const announce = (directory: string, url: string) =>
  Effect.sync(() => {
    const path = lockOf(directory)
    const holder = parse(read(path) ?? "")
    if (!isOurs(holder)) return
    const next = `${path}.next`
    writeFileSync(next, JSON.stringify({ ...holder, url }))
    renameSync(next, path)
  }).pipe(Effect.catchDefect((cause) => Effect.logWarning("the lock does not say where this server listens", cause)))

/** The live process of this machine that holds `directory`, if any. */
export const findHolder = (directory: string) =>
  Effect.sync(() => {
    const holder = parse(read(lockOf(directory)) ?? "")
    return holder !== undefined && holder.host === hostname() && isAlive(holder) ? holder : undefined
  })

const lockOf = (directory: string) => join(directory, "..", `${basename(directory)}.lock`)

/** Whether the lock is the one created with `mine`, whatever was added since. */
const isOf = (path: string, mine: string): boolean => {
  const holder = parse(read(path) ?? "")
  return holder !== undefined && JSON.stringify({ ...holder, url: undefined }) === mine
}

/** Creates a lock; false if the file exists. Removes one that is empty for lack of space, because it would lock forever. */
const create = (path: string, content: string): boolean => {
  try {
    writeFileSync(path, content, { flag: "wx" })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false
    rmSync(path, { force: true })
    throw error
  }
}

/**
 * Replaces the lock of a dead process. Of several processes that find it, only the one that claims this very lock
 * may replace it; a late one finds another lock and leaves it.
 */
const takeOver = (path: string, found: string, holder: Holder, mine: string): boolean => {
  const claim = `${path}.after-${holder.pid}-${Date.parse(holder.since)}`
  if (!create(claim, mine)) return false
  try {
    if (read(path) !== found) return false
    renameSync(claim, path)
    return true
  } finally {
    rmSync(claim, { force: true })
  }
}

const isOurs = (holder: Holder | undefined) =>
  holder !== undefined &&
  holder.pid === process.pid &&
  holder.host === hostname() &&
  holder.began === began(process.pid)

const openHere = (directory: string) =>
  new DatabaseUnavailable({
    message: `${directory} is open in this process already: dispose that instance first. A module that is evaluated again, as development servers do, opens with openOnce`,
  })

const refusal = (directory: string, path: string, holder: Holder | undefined) =>
  new DirectoryLocked({
    message:
      `${directory} is in use by ` +
      (holder === undefined ? "another process" : `process ${holder.pid} on ${holder.host} since ${holder.since}`) +
      `; stop it, use another \`directory\` (SIGHTLINE_DATA_DIR), or share one PostgreSQL by \`layerPostgres\` (SIGHTLINE_DATABASE_URL). ` +
      `If that process is gone, remove ${path}`,
  })

const basename = (path: string) => path.replace(/\/+$/, "").split("/").at(-1) ?? "data"

/** Reads a lock; undefined if there is no file. */
const read = (path: string): string | undefined => {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return undefined
  }
}

const parse = (content: string): Holder | undefined => {
  try {
    return JSON.parse(content) as Holder
  } catch {
    return undefined
  }
}

/** A process on another host cannot be checked: it counts as alive. */
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

/** The process's start time from `/proc`, if available. */
const began = (pid: number): string | undefined => {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ")[19]
  } catch {
    return undefined
  }
}

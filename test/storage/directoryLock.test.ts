import { assert, describe, it } from "@effect/vitest"
import { spawn } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { hostname, tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import { lockDirectory } from "../../src/adapters/directory/directoryLock.ts"

const directory = Effect.acquireRelease(
  Effect.sync(() => join(mkdtempSync(join(tmpdir(), "sightline-lock-")), "data")),
  (path) => Effect.sync(() => rmSync(join(path, ".."), { recursive: true, force: true })),
)
const lockOf = (path: string) => `${path}.lock`
const findHolder = (path: string) => JSON.parse(readFileSync(lockOf(path), "utf8"))
const stale = (more: object) =>
  JSON.stringify({ pid: 999_999_999, host: hostname(), since: "2026-01-01T00:00:00.000Z", ...more })

/** Another process that says when it is ready, tries the lock on a signal, prints the outcome, and holds the lock until it is killed. */
const contender = (path: string) => {
  const script = `
    import { lockDirectory } from ${JSON.stringify(new URL("../../src/adapters/directory/directoryLock.ts", import.meta.url).href)}
    import * as Effect from "effect/Effect"
    const told = new Promise((go) => process.stdin.once("data", go))
    process.stdout.write("ready")
    await told
    const exit = await Effect.runPromiseExit(Effect.scoped(Effect.andThen(lockDirectory(${JSON.stringify(path)}),
      Effect.andThen(Effect.sync(() => process.stdout.write("won")), Effect.never))))
    if (exit._tag === "Failure") process.stdout.write("lost")
    process.exit(0)`
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["pipe", "pipe", "inherit"],
    cwd: new URL("../..", import.meta.url).pathname,
  })
  const says = () =>
    new Promise<string>((resolve) => {
      child.stdout.once("data", (text) => resolve(String(text)))
      child.once("exit", () => resolve("nothing"))
    })
  const ready = says()
  const attempt = () => {
    const said = says()
    child.stdin.write("go")
    return said
  }
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()))
  return { ready, attempt, kill: () => child.kill("SIGKILL"), ended, pid: child.pid }
}

describe("the lock of a data directory", () => {
  it.live("refuses a second opener in another process", () =>
    Effect.gen(function* () {
      const path = yield* directory
      const other = contender(path)
      yield* Effect.promise(() => other.ready)
      assert.strictEqual(yield* Effect.promise(other.attempt), "won")
      const refusal = yield* Effect.flip(Effect.scoped(lockDirectory(path)))
      assert.strictEqual(refusal._tag, "DirectoryLocked")
      for (const part of [path, `process ${other.pid}`, hostname(), "SIGHTLINE_DATA_DIR", lockOf(path)]) {
        assert.include(refusal.message, part)
      }
      assert.isTrue(existsSync(lockOf(path)), "a refused opener leaves the lock")
      other.kill()
      yield* Effect.promise(() => other.ended)
    }).pipe(Effect.scoped),
  )

  it.effect("lets a second opener in the same process wait until the first has released it, for a time", () =>
    Effect.gen(function* () {
      const path = yield* directory
      const first = yield* Scope.make()
      yield* Scope.provide(lockDirectory(path), first)
      const impatient = yield* Effect.forkScoped(Effect.flip(Effect.scoped(lockDirectory(path, 1))))
      const patient = yield* Effect.forkScoped(lockDirectory(path))
      yield* TestClock.adjust("2 seconds")
      const refusal = yield* Fiber.join(impatient)
      assert.strictEqual(refusal._tag, "DatabaseUnavailable")
      assert.include(refusal.message, `${path} is open in this process already`)
      assert.isUndefined(patient.pollUnsafe(), "it waits")
      yield* Scope.close(first, Exit.void)
      assert.isFalse(existsSync(lockOf(path)))
      yield* TestClock.adjust("1 seconds")
      yield* Fiber.join(patient)
      assert.strictEqual(findHolder(path).pid, process.pid)
    }).pipe(Effect.scoped),
  )

  it.live("takes over from a process that is gone, and from another process of the same number", () =>
    Effect.gen(function* () {
      const path = yield* directory
      for (const content of [stale({}), stale({ pid: process.pid, began: "1" })]) {
        writeFileSync(lockOf(path), content)
        yield* Effect.scoped(
          Effect.gen(function* () {
            yield* lockDirectory(path)
            assert.strictEqual(findHolder(path).pid, process.pid)
            assert.notStrictEqual(findHolder(path).began, "1")
          }),
        )
        assert.isFalse(existsSync(lockOf(path)))
      }
    }).pipe(Effect.scoped),
  )

  it.live("leaves alone what it cannot judge: another host, or a lock it cannot read", () =>
    Effect.gen(function* () {
      const path = yield* directory
      for (const content of [stale({ host: "elsewhere" }), "", "{"]) {
        writeFileSync(lockOf(path), content)
        const refusal = yield* Effect.flip(Effect.scoped(lockDirectory(path)))
        assert.include(refusal.message, `remove ${lockOf(path)}`)
        assert.strictEqual(readFileSync(lockOf(path), "utf8"), content)
      }
    }).pipe(Effect.scoped),
  )

  it.live("a holder whose lock was removed by hand does not remove its successor's", () =>
    Effect.gen(function* () {
      const path = yield* directory
      yield* Effect.scoped(
        Effect.andThen(
          lockDirectory(path),
          Effect.sync(() => writeFileSync(lockOf(path), stale({ host: "elsewhere" }))),
        ),
      )
      assert.strictEqual(findHolder(path).host, "elsewhere")
    }).pipe(Effect.scoped),
  )

  it.live("of several processes at once one wins, whether there was no lock or a stale one", () =>
    Effect.gen(function* () {
      for (const content of [undefined, stale({}), stale({ pid: process.pid, began: "1" })]) {
        const path = yield* directory
        if (content !== undefined) writeFileSync(lockOf(path), content)
        const all = [1, 2, 3, 4].map(() => contender(path))
        yield* Effect.promise(() => Promise.all(all.map(({ ready }) => ready)))
        const said = yield* Effect.promise(() => Promise.all(all.map(({ attempt }) => attempt())))
        assert.deepStrictEqual([...said].sort(), ["lost", "lost", "lost", "won"])
        const winner = all[said.indexOf("won")]
        assert.strictEqual(findHolder(path).pid, winner?.pid)
        // Killed while it holds the lock: the next one takes over.
        winner?.kill()
        yield* Effect.promise(() => Promise.all(all.map(({ ended }) => ended)))
        yield* Effect.scoped(lockDirectory(path))
      }
    }).pipe(Effect.scoped),
  )
})

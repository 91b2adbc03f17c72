import { execFileSync, spawn } from "node:child_process"
import { copyFileSync, mkdtempSync, openSync, readdirSync, readSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { bin, execute } from "../package/packed.ts"
import { needs } from "../support/needs.ts"
import { resource } from "../support/resources.ts"
import { blocksOf, terminal } from "../support/terminal.ts"
import { until } from "../support/until.ts"

const BUILD = fileURLToPath(new URL("../../build/binary.ts", import.meta.url))
const EXERCISE = fileURLToPath(new URL("./exercise.ts", import.meta.url))

/** Starts the loopback interface of a new network and runs the arguments in it. */
const WITH_LOOPBACK = `
import fcntl, os, socket, struct, sys
fcntl.ioctl(socket.socket(), 0x8914, struct.pack("16sH14x", b"lo", 1))
os.execvp(sys.argv[1], sys.argv[1:])
`

const mayUnshare = () => {
  try {
    execFileSync("unshare", ["--net", "true"], { stdio: "ignore" })
    return true
  } catch {
    return false
  }
}

/** The first bytes of an executable, and where its machine is. */
const FORMATS = {
  "linux-x64": (head: DataView) => head.getUint32(0) === 0x7f454c46 && head.getUint16(0x12, true) === 0x3e,
  "linux-arm64": (head: DataView) => head.getUint32(0) === 0x7f454c46 && head.getUint16(0x12, true) === 0xb7,
  "macos-arm64": (head: DataView) => head.getUint32(0, true) === 0xfeedfacf && head.getUint32(4, true) === 0x0100000c,
  "windows-x64": (head: DataView) => {
    const at = head.getUint32(0x3c, true)
    return head.getUint16(0) === 0x4d5a && head.getUint32(at) === 0x50450000 && head.getUint16(at + 4, true) === 0x8664
  },
} as const

const headOf = (file: string) => {
  const head = new Uint8Array(4096)
  readSync(openSync(file, "r"), head)
  return new DataView(head.buffer)
}

describe("one binary, with nothing beside it", () => {
  const folder = mkdtempSync(join(tmpdir(), "sightline-binary-"))
  const binary = join(folder, "sightline")
  const build = (...args: ReadonlyArray<string>) => execute(bin("bun"), [BUILD, ...args], folder)

  beforeAll(async () => copyFileSync(await resource("binary"), binary))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it(
    "has a demo, imports, reads documents, answers, exports and backs up, with an empty PATH and no network",
    needs("the right to make a network", mayUnshare()),
    async () => {
      const inside = ["--net", "python3", "-c", WITH_LOOPBACK, bin("node"), EXERCISE, folder, binary]
      assert.include(await execute("unshare", inside, folder), "done")
      assert.deepStrictEqual(readdirSync(join(folder, "empty")), [".sightline"])
    },
  )

  it("serves as the README says", async () => {
    const block = blocksOf("README.md", "sh").find((block) => block.includes("build:binary"))!
    const [first, ...commands] = block.trim().split("\n")
    assert.strictEqual(first, "npm run build:binary -- sightline")
    assert.strictEqual(commands.pop(), "./sightline serve")
    const shown = terminal(folder)
    const [key = ""] = /sl_live_\w+/.exec(await shown.paste(commands.join("\n"))) ?? []
    shown.close()
    const server = spawn(binary, ["serve", "--json"], { cwd: folder, env: { HOME: folder, PORT: "0" } })
    let printed = ""
    server.stdout.on("data", (chunk) => (printed += chunk))
    await until("it serves", () => printed.includes("\n") || server.exitCode !== null)
    const deals = `${JSON.parse(printed).url}/api/v1/deals`
    const reply = await fetch(deals, { headers: { authorization: `Bearer ${key}` } })
    assert.deepStrictEqual([reply.status, await reply.json()], [200, []])
    server.kill("SIGTERM")
    await until("it ends", () => server.exitCode !== null)
  })

  it.each(Object.entries(FORMATS))("is built for %s in the format of that system", async (target, isIts) => {
    const file = join(folder, target)
    await build("--target", target, file)
    const made = readdirSync(folder).find((name) => name.startsWith(target)) ?? ""
    assert.isTrue(isIts(headOf(join(folder, made))))
    rmSync(join(folder, made))
  })

  it("names the targets if one is unknown", async () => {
    const error = await build("--target", "amiga", "x").then(String, String)
    assert.include(error, "--target has no amiga; it is one of linux-x64, linux-arm64, macos-arm64, windows-x64")
  })
})

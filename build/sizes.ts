import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"
import { rolldown } from "rolldown"

// `node build/sizes.ts` compares the built package and the clients with their budgets. `docs/decisions/package.md` decides these.

const ROOT = fileURLToPath(new URL("..", import.meta.url))
const PAGE = "docs/decisions/package.md"

/** The row `| what | today | budget |` of the page, as a number of its unit. */
export const budgetOf = (what: string): number => {
  const row = readFileSync(join(ROOT, PAGE), "utf8")
    .split("\n")
    .find((line) => line.startsWith(`| ${what} |`))
  const budget = Number.parseFloat(row?.split("|")[3] ?? "")
  if (!Number.isFinite(budget)) throw new Error(`${PAGE} has no row with a budget for ${what}`)
  return budget
}

const bytesBelow = (folder: string): number =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => statSync(join(folder, name)))
    .reduce((sum, stats) => sum + (stats.isFile() ? stats.size : 0), 0)

/** The bytes that a browser loads, beside React. */
const gzipBytesOf = async (entry: string): Promise<number> => {
  const built = await rolldown({ input: join(ROOT, entry), platform: "browser", external: ["react"] })
  const { output } = await built.generate({ format: "esm", minify: true })
  await built.close()
  return gzipSync(output.map((file) => (file.type === "chunk" ? file.code : "")).join("")).length
}

if (import.meta.main) {
  const newDirectory = statSync(join(ROOT, "dist/adapters/database/prebuilt/packed.js")).size
  const sizes: Readonly<Record<string, number>> = {
    "`dist`, without the next line": (bytesBelow(join(ROOT, "dist")) - newDirectory) / 1e6,
    "the data directory of a new database": newDirectory / 1e6,
    "`sightline/client`": (await gzipBytesOf("src/adapters/client/client.ts")) / 1024,
    "`sightline/react`": (await gzipBytesOf("src/adapters/ask/react.ts")) / 1024,
    "`sightline/element`": (await gzipBytesOf("src/adapters/ask/element.ts")) / 1024,
    "`sightline/client/effect`": (await gzipBytesOf("src/adapters/client/effect.ts")) / 1024,
  }
  for (const [what, size] of Object.entries(sizes)) {
    const budget = budgetOf(what)
    console.log(`${what.padEnd(38)} ${size.toFixed(2).padStart(7)} of ${budget}`)
    if (size <= budget) continue
    console.error(
      `${what} is larger than its budget in ${PAGE}: make it smaller, or decide there that it may be larger.`,
    )
    process.exitCode = 1
  }
}

import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { ROLE_NAMES, ROLES } from "../../src/core/access/permissions.ts"

const root = join(import.meta.dirname, "../..")
const textOf = (path: string) => readFileSync(join(root, path), "utf8")
const filesBelow = (folder: string, ending: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(ending))
    .map((file) => join(folder, file))

/** GitHub's anchor of a heading. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-")

describe("the pages", () => {
  const pages = [
    "README.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "CHANGELOG.md",
    ...filesBelow("docs", ".md"),
    ...filesBelow("src", ".md"),
  ]

  it.each(pages)("%s links to files and headings that exist", (page) => {
    const links = [...textOf(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link!)
    for (const link of links.filter((link) => !/^[a-z]+:/.test(link))) {
      const [path = "", anchor] = link.split("#")
      const file = path === "" ? page : join(dirname(page), path)
      assert.isTrue(existsSync(join(root, file)), `${link} is no file`)
      if (anchor === undefined) continue
      const headings = [...textOf(file).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => anchorOf(heading!))
      assert.include(headings, anchor, link)
    }
  })

  it("a room with more than ten files has a README, whose names of files exist", () => {
    const rooms = ["src/core", "src/adapters"].flatMap((floor) =>
      readdirSync(join(root, floor), { withFileTypes: true })
        .filter((each) => each.isDirectory())
        .map(({ name }) => `${floor}/${name}`),
    )
    for (const room of [...rooms, "src/ingest"]) {
      const below = ["ts", "tsx", "js"].flatMap((ending) => filesBelow(room, `.${ending}`))
      if (below.length <= 10) continue
      const text = textOf(`${room}/README.md`)
      assert.isBelow(text.split("\n").length, 18, room)
      for (const [, file = ""] of text.matchAll(/`(\w+\.[jt]sx?|[A-Z][a-z]\w*)`/g)) {
        const name = file.includes(".") ? file : `${file}.ts`
        assert.isTrue(
          below.some((each) => each.endsWith(`/${name}`)),
          `${room}: ${file}`,
        )
      }
    }
  })

  it("docs/decisions/README.md lists every decision with its name, status and date", () => {
    const rows = [...textOf("docs/decisions/README.md").matchAll(/^\| \[(.+)\]\((.+)\) \| (.+) \| (.+) \|$/gm)]
    const decisions = filesBelow("docs/decisions", ".md").filter((file) => !file.endsWith("README.md"))
    assert.sameMembers(
      rows.map(([, , file]) => `docs/decisions/${file}`),
      decisions,
    )
    for (const [, name, file, status, date] of rows) {
      assert.isTrue(
        textOf(`docs/decisions/${file}`).startsWith(`# ${name}\n\nStatus: ${status} · ${date}\n`),
        `the heading or status of ${file} differs from the index`,
      )
    }
  })

  it("docs/decisions/effect-4.md lists every unstable module that src imports", () => {
    const imported = filesBelow("src", ".ts").flatMap((file) =>
      [...textOf(file).matchAll(/"effect\/([A-Za-z/-]+)"/g)].map(([, module]) => module!),
    )
    const isUnstable = (module: string) => !/@stability stable/.test(textOf(`node_modules/effect/src/${module}.ts`))
    const unstable = new Set(imported.filter(isUnstable).map((module) => module.split("/")[0]!))
    const table = textOf("docs/decisions/effect-4.md").split("| module |")[1] ?? ""
    const listed = [...table.matchAll(/^\| `effect\/([A-Za-z-]+)` \|/gm)].map(([, module]) => module!)
    assert.sameMembers(listed, [...unstable])
  })

  it("docblocks of src name their subject instead of beginning with `What`", () => {
    const found = ["ts", "tsx"]
      .flatMap((ending) => filesBelow("src", `.${ending}`))
      .filter((file) => /\/\*\*\s+(?:\* )?What /.test(textOf(file)))
    assert.isEmpty(found)
  })

  it("docs/api.md lists the permissions of each role", () => {
    const table = textOf("docs/api.md").split("| role | permissions |")[1] ?? ""
    const listed = [...table.matchAll(/^\| `(\w+)` \| (?:those of `(\w+)`, )?(.+) \|$/gm)].map(
      ([, role, lower, permissions = ""]) => [
        role,
        lower,
        [...permissions.matchAll(/`([\w.]+)`/g)].map(([, name]) => name),
      ],
    )
    const expected = ROLE_NAMES.map((role, index) => {
      const lower = ROLE_NAMES[index - 1]
      return [role, lower, ROLES[role].filter((name) => lower === undefined || !ROLES[lower].includes(name))]
    })
    assert.deepStrictEqual(listed, expected)
  })

  it("docs/architecture.md names every room of the core", () => {
    const rooms = readdirSync(join(root, "src/core"), { withFileTypes: true }).filter((entry) => entry.isDirectory())
    const table = textOf("docs/architecture.md").split("| room |")[1]!.split("\n\n")[0]!
    const named = [...table.matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, cell]) =>
      [...cell!.matchAll(/`(\w+)`/g)].map(([, room]) => room!),
    )
    assert.sameMembers(
      named,
      rooms.map(({ name }) => name),
    )
  })
})

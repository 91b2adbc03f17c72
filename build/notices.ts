import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"

/** Writes the licences of packages whose code is copied into ours, as they require. */
export const writeNotices = (file: string, packages: ReadonlyArray<string>) =>
  writeFileSync(file, [HEAD, ...packages.map(noticeOf)].join("\n"))

const HEAD = `# Code of others in this package

Files in this directory contain code of the packages below. Their sources are in the npm registry under the name and version given.
`

const noticeOf = (directory: string) => {
  const { name, version, license } = JSON.parse(readFileSync(join(directory, "package.json"), "utf8")) as {
    readonly [key: string]: string
  }
  const texts = readdirSync(directory)
    .filter((file) => /^(?:licen[cs]e|copying)(?:[.-].*)?$/i.test(file))
    .map((file) => readFileSync(join(directory, file), "utf8").trim())
  return [`## ${name} ${version} (${license})`, "", ...texts.map((text) => `${text}\n`)].join("\n")
}

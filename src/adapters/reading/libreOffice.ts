import { createHash } from "node:crypto"
import { constants } from "node:fs"
import { access, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import { ReaderUnavailable, UnreadableDocument } from "../../core/ports/DocumentReader.ts"
import { OLD_FORMATS, type OldFormat } from "../../ingest/safety/compound.ts"
import { find, run } from "../programs.ts"

/** Turns an Office file of before 2007 into the format that replaced its own. */
export type Convert = (
  bytes: Uint8Array,
  format: OldFormat,
) => Effect.Effect<Uint8Array, UnreadableDocument | ReaderUnavailable>

/** Finds the program of LibreOffice, as Debian's `libreoffice-writer-nogui` and others install it; undefined if it is missing. */
export const findLibreOffice = async (): Promise<string | undefined> => {
  const launcher = await find("soffice")
  if (launcher === undefined) return undefined
  // The launcher is a script that starts another process, which would outlive it.
  const program = join(dirname(await realpath(launcher)), "soffice.bin")
  return access(program, constants.X_OK).then(
    () => program,
    () => undefined,
  )
}

/** A workbook of 65,000 rows, the most that XLS has, takes 2.2 s and 270 MB. */
const LIMITS = { seconds: 60, maxMegabytes: 2048, maxBytes: 400 * 1024 * 1024 }

/** The schemes that the program can open, with their services. Without those of the network it reaches no address that a file names. */
const SCHEMES = {
  file: "com.sun.star.ucb.FileContentProvider",
  "vnd.sun.star.expand": "com.sun.star.ucb.ExpandContentProvider",
}
const UCB = "org.openoffice.ucb.Configuration"
const PROVIDERS = Object.entries(SCHEMES).map(
  ([scheme, service]) =>
    `<node oor:name="${scheme}" oor:op="replace"><prop oor:name="ServiceName"><value>${service}</value></prop><prop oor:name="URLTemplate"><value>${scheme}</value></prop><prop oor:name="Arguments"><value/></prop></node>`,
)
const SCRIPTING = "/org.openoffice.Office.Common/Security/Scripting"

/** Runs no macro, opens no address and updates no link. */
const PROFILE = `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">
<item oor:path="/${UCB}/ContentProviders/${UCB}:ContentProvidersDataPrimaryKeys['Local']/SecondaryKeys"><node oor:name="Office" oor:op="replace"><node oor:name="ProviderData">${PROVIDERS.join("")}</node></node></item>
<item oor:path="${SCRIPTING}"><prop oor:name="DisableMacrosExecution" oor:op="fuse"><value>true</value></prop></item>
<item oor:path="${SCRIPTING}"><prop oor:name="MacroSecurityLevel" oor:op="fuse"><value>3</value></prop></item>
<item oor:path="/org.openoffice.Office.Writer/Content/Update"><prop oor:name="Link" oor:op="fuse"><value>0</value></prop></item>
<item oor:path="/org.openoffice.Office.Calc/Content/Update"><prop oor:name="Link" oor:op="fuse"><value>1</value></prop></item>
</oor:items>
`

/** The one kind of file that the program may take for each format: it knows a hundred others. */
const FILTERS: Readonly<Record<OldFormat, string>> = {
  doc: "MS Word 97",
  ppt: "MS PowerPoint 97",
  xls: "MS Excel 97",
}

/** A larger file is converted again for each picture in it. */
const MAX_KEPT_BYTES = 32 * 1024 * 1024

/** Converts by the program at `path`, one file at a time. Keeps the last, because each picture of a file is taken out by a call of its own. */
export const makeConvert = (path: string): Effect.Effect<Convert> =>
  Effect.map(Semaphore.make(1), (one) => {
    let last: { readonly digest: string; readonly converted: Uint8Array } | undefined
    return Effect.fnUntraced(function* (bytes, format) {
      const digest = createHash("sha256").update(format).update(bytes).digest("hex")
      if (last?.digest === digest) return last.converted
      last = undefined
      const converted = yield* convertBy(path, bytes, format)
      if (converted.length <= MAX_KEPT_BYTES) last = { digest, converted }
      return converted
    }, one.withPermits(1))
  })

/** The exit status with which the program asks its launcher to start it again, once it has filled a new profile. */
const START_AGAIN = 81

/** Each file has a profile of its own, which no other file can have changed. */
const convertBy = Effect.fn("Reader.convert")(function* (path: string, bytes: Uint8Array, format: OldFormat) {
  const directory = yield* temporary
  const file = join(directory, `document.${format}`)
  yield* attempt(async () => {
    await mkdir(join(directory, "profile/user"), { recursive: true })
    await writeFile(join(directory, "profile/user/registrymodifications.xcu"), PROFILE)
    await writeFile(file, bytes)
  })
  const profile = `-env:UserInstallation=${pathToFileURL(join(directory, "profile")).href}`
  const target = OLD_FORMATS[format]
  const how = ["--headless", "--norestore", `--infilter=${FILTERS[format]}`, "--convert-to", target]
  const start = run(path, [profile, ...how, "--outdir", directory, file], { directory, ...LIMITS })
  yield* start.pipe(
    Effect.catchIf(
      ({ status }) => status === START_AGAIN,
      () => start,
    ),
    Effect.mapError(({ tooSlow }) => (tooSlow ? tooLong : unreadable)),
  )
  // It also ends well if it could not read the file.
  return yield* Effect.tryPromise({
    try: () => readFile(join(directory, `document.${target}`)),
    catch: () => unreadable,
  })
}, Effect.scoped)

const ADVICE = "Open it, save it without a password as DOCX, XLSX or PPTX and upload that."
const unreadable = new UnreadableDocument({
  reason: `LibreOffice cannot open the file: it is damaged, too large, or protected by a password. ${ADVICE}`,
})
const tooLong = new UnreadableDocument({
  reason: `LibreOffice took longer than ${LIMITS.seconds} seconds to open the file. ${ADVICE}`,
})

const attempt = <A>(action: () => Promise<A>) =>
  Effect.tryPromise({
    try: action,
    catch: () =>
      new ReaderUnavailable({ reason: "the server could not store the file to convert it; is the disk full?" }),
  })

const temporary = Effect.acquireRelease(
  attempt(() => mkdtemp(join(tmpdir(), "sightline-office-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true, force: true }).catch(() => {})),
)

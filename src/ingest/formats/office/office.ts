import { COMPOUND_REASONS, detectCompound, isCompound } from "../../safety/compound.ts"
import { UnreadableError } from "../../UnreadableError.ts"
import { openDefaultPassword } from "./defaultPassword.ts"
import { type Attributes, readXml } from "./xml.ts"
import { openZip, type Zip, type ZipLimits } from "../../safety/zip.ts"

/** A link from one part to another: `type` is the last word of its URI, `target` a part's name. */
export interface Relationship {
  readonly id: string
  readonly type: string
  readonly target: string
}

/** Opens an Office file's zip, also one that Excel opens without asking for a password; throws a specific error for another encrypted or pre-2007 file. */
export const openOffice = (bytes: Uint8Array, limits?: ZipLimits): Zip => {
  if (bytes.length === 0) throw new UnreadableError("empty", "The file is empty. Upload it again.")
  if (isCompound(bytes)) {
    const compound = detectCompound([bytes])
    const opened = compound === "encrypted" ? openDefaultPassword(bytes) : undefined
    if (opened !== undefined) return openZip(opened, limits)
    throw new UnreadableError(compound === "encrypted" ? "encrypted" : "unsupported", COMPOUND_REASONS[compound])
  }
  return openZip(bytes, limits)
}

/** A prefixed attribute by its local name: `id` finds `r:id`, not `id`. */
export const prefixedAttribute = (attributes: Attributes, name: string): string | undefined => {
  for (const key in attributes) if (key.endsWith(`:${name}`)) return attributes[key]
  return undefined
}

/** An attribute by its local name, with or without a prefix. */
export const attribute = (attributes: Attributes, name: string): string | undefined =>
  attributes[name] ?? prefixedAttribute(attributes, name)

/** Whether a property of WordprocessingML is on, as it is without a value. */
export const isOn = (attributes: Attributes): boolean =>
  !["0", "false", "off"].includes(attribute(attributes, "val") ?? "1")

const resolve = (base: string, target: string): string => {
  const path = target.startsWith("/") ? [] : base.split("/").slice(0, -1)
  for (const step of target.replaceAll("\\", "/").split("/")) {
    if (step === "..") path.pop()
    else if (step !== "" && step !== ".") path.push(step)
  }
  return path.join("/")
}

/** The links of a part ("" for the package) to other parts, without external links. */
export const readRelationships = (zip: Zip, part: string): ReadonlyArray<Relationship> => {
  const slash = part.lastIndexOf("/") + 1
  const rels = `${part.slice(0, slash)}_rels/${part.slice(slash)}.rels`
  const found: Array<Relationship> = []
  if (!zip.has(rels)) return found
  readXml(zip, rels, {
    open: (name, { Id = "", Type = "", Target = "", TargetMode }) => {
      if (name !== "Relationship" || TargetMode === "External") return
      found.push({ id: Id, type: Type.slice(Type.lastIndexOf("/") + 1), target: resolve(part, Target.split("#")[0]!) })
    },
  })
  return found
}

/** The links of one type whose part exists, in the file's order. */
export const findParts = (zip: Zip, links: ReadonlyArray<Relationship>, type: string): ReadonlyArray<string> =>
  links.filter((link) => link.type === type && zip.has(link.target)).map((link) => link.target)

/** The name of the part that holds the document itself. */
export const mainPart = (zip: Zip): string => {
  const [main] = findParts(zip, readRelationships(zip, ""), "officeDocument")
  if (main === undefined) {
    throw new UnreadableError(
      "damaged",
      "The file holds no Office document. Save it as DOCX, PPTX or XLSX and upload that.",
    )
  }
  return main
}

/** Throws if another format's main part is under the expected name. */
export const expectRoot = (found: string, wanted: string, format: string): void => {
  if (found === wanted) return
  throw new UnreadableError("unsupported", `The file is not a ${format} document. Upload it under its own type.`)
}

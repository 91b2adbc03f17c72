import { SaxesParser } from "saxes"
import { openZip } from "../../../src/ingest/safety/zip.ts"

/** An element of XML. Names of elements and attributes come without their prefix, but attributes also under their full name. */
export interface Node {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: Array<Node>
  /** The text directly inside. */
  text: string
}

/** The parts of an Office file as trees. It shares only the opening of the zip with the readers that it measures. */
export interface Parts {
  readonly names: ReadonlyArray<string>
  /** Returns `undefined` if the file has no such part. */
  readonly tree: (name: string) => Node | undefined
  /** The targets of a part's relationships, by id. */
  readonly links: (name: string) => ReadonlyMap<string, Link>
}

export interface Link {
  /** The last word of the relationship's type. */
  readonly type: string
  readonly part: string
}

const local = (name: string) => name.slice(name.indexOf(":") + 1)

const parse = (xml: string): Node => {
  const root: Node = { name: "", attributes: {}, children: [], text: "" }
  const open: Array<Node> = [root]
  const parser = new SaxesParser()
  parser.on("error", (error) => {
    throw error
  })
  parser.on("opentag", ({ name, attributes }) => {
    const own: Record<string, string> = {}
    for (const [key, value] of Object.entries(attributes)) own[local(key)] ??= value
    Object.assign(own, attributes)
    const node: Node = { name: local(name), attributes: own, children: [], text: "" }
    // A fallback repeats what the choice beside it already has.
    if (node.name !== "Fallback") open.at(-1)!.children.push(node)
    open.push(node)
  })
  parser.on("closetag", () => void open.pop())
  parser.on("text", (text) => void (open.at(-1)!.text += text))
  parser.on("cdata", (text) => void (open.at(-1)!.text += text))
  parser.write(xml).close()
  return root.children[0]!
}

/** Opens an Office file; throws if it is no zip or a part is damaged. */
export const openParts = (bytes: Uint8Array): Parts => {
  const zip = openZip(bytes)
  const tree = (name: string) => {
    if (!zip.has(name)) return undefined
    const pieces: Array<Uint8Array> = []
    zip.pieces(name, (piece) => void pieces.push(piece.slice()))
    const all = Buffer.concat(pieces)
    return parse(new TextDecoder(all[0] === 0xff && all[1] === 0xfe ? "utf-16le" : "utf-8").decode(all))
  }
  const links = (name: string) => {
    const slash = name.lastIndexOf("/") + 1
    const rels = tree(`${name.slice(0, slash)}_rels/${name.slice(slash)}.rels`)
    const found = new Map<string, Link>()
    for (const { attributes } of rels?.children ?? []) {
      const { Id = "", Type = "", Target = "", TargetMode = "" } = attributes
      if (TargetMode === "External") continue
      const part = new URL(Target, `zip:///${name}`).pathname.slice(1)
      found.set(Id, { type: Type.slice(Type.lastIndexOf("/") + 1), part: decodeURIComponent(part) })
    }
    return found
  }
  return { names: zip.names, tree, links }
}

/** The part that holds the document itself. */
export const mainPart = (parts: Parts): string => {
  for (const { type, part } of parts.links("").values()) if (type === "officeDocument") return part
  throw new Error("the file has no main part")
}

/** The first child of that name. */
export const child = (node: Node | undefined, name: string): Node | undefined =>
  node?.children.find((each) => each.name === name)

/** All descendants of that name, in order, without looking inside those found or inside `closed` elements. */
export const descendants = (node: Node | undefined, name: string, closed: ReadonlyArray<string> = []): Array<Node> =>
  (node?.children ?? []).flatMap((each) =>
    each.name === name ? [each] : closed.includes(each.name) ? [] : descendants(each, name, closed),
  )

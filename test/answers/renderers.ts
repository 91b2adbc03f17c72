import MarkdownIt from "markdown-it"
import { marked } from "marked"
import { fromMarkdown } from "mdast-util-from-markdown"
import { gfmFromMarkdown } from "mdast-util-gfm"
import { gfm } from "micromark-extension-gfm"

/** Addresses of the links and images in HTML, decoded as a browser does. */
const addressesIn = (html: string): ReadonlyArray<string> =>
  [...html.matchAll(/<[^>]*?\b(?:href|src)\s*=\s*["']?([^"'>]*)/gi)].map(([, address = ""]) =>
    address.replaceAll("&amp;", "&"),
  )

// Bare domain names stay text: CommonMark and GitHub's dialect do not make links of them, and answers name companies by them.
const markdownIt = new MarkdownIt({ html: true, linkify: true })
markdownIt.linkify.set({ fuzzyLink: false })

interface Node {
  readonly type: string
  readonly url?: string
  readonly value?: string
  readonly children?: ReadonlyArray<Node>
}
const addressesOf = ({ type, url, value, children }: Node): ReadonlyArray<string> => [
  ...(url === undefined ? [] : [url]),
  ...(type === "html" ? addressesIn(value ?? "") : []),
  ...(children ?? []).flatMap(addressesOf),
]

type Render = (markdown: string) => ReadonlyArray<string>

/** Addresses that a reader can follow, or a page loads, in each of three renderers of Markdown. */
export const ALL_ADDRESSES: Readonly<Record<string, Render>> = {
  marked: (markdown) => addressesIn(marked.parse(markdown, { async: false, gfm: true })),
  "markdown-it": (markdown) => addressesIn(markdownIt.render(markdown)),
  "mdast with GitHub's extensions": (markdown) =>
    addressesOf(fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] })),
}

/** The same without a lone `www.`. */
export const RENDERERS: Readonly<Record<string, Render>> = Object.fromEntries(
  Object.entries(ALL_ADDRESSES).map(([name, addresses]) => [
    name,
    (markdown) => addresses(markdown).filter((address) => !/^http:\/\/www\.?$/i.test(address)),
  ]),
)

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
markdownIt.linkify.set({ fuzzyLink: false, fuzzyEmail: false })

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

/** Addresses that a reader can follow, or a page loads, in each of three renderers of Markdown. E-mail addresses and a lone `www.` are left out. */
export const RENDERERS: Readonly<Record<string, (markdown: string) => ReadonlyArray<string>>> = {
  marked: (markdown) => web(addressesIn(marked.parse(markdown, { async: false, gfm: true }))),
  "markdown-it": (markdown) => web(addressesIn(markdownIt.render(markdown))),
  "mdast with GitHub's extensions": (markdown) =>
    web(addressesOf(fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }))),
}

const web = (addresses: ReadonlyArray<string>) =>
  addresses.filter((address) => !/^mailto:|^http:\/\/www\.?$/i.test(address))

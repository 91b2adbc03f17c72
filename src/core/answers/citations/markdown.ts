import type { Citation } from "../citation.ts"
import { LinkRemover } from "./LinkRemover.ts"

/** Escapes markup and puts the text on one line. */
const escape = (text: string) => text.replaceAll(/[\\`*_{}[\]<>|!~&]/g, "\\$&").replaceAll(/\s+/g, " ")

/** Renders a name from a tenant or document as inline Markdown. Markup shows verbatim, and addresses do not become links. */
export const asText = (name: string): string => {
  const remover = new LinkRemover()
  return escape(remover.push(name) + remover.end())
}

/** A Markdown link to a citation. An unescaped address in the name would end the link and leak its signed address. */
export const linkTo = ({ document_name, url }: Citation): string => `[${asText(document_name)}](${url})`

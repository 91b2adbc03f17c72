import type { Citation } from "../citation.ts"
import { LinkRemover } from "./LinkRemover.ts"

/** Escapes markup, and makes it one line. */
const escaped = (text: string) => text.replaceAll(/[\\`*_{}[\]<>|!~&]/g, "\\$&").replaceAll(/\s+/g, " ")

/** A name that a tenant or a document gave, as inline Markdown: it shows as it is, and no address in it becomes a link. */
export const asText = (name: string): string => {
  const remover = new LinkRemover()
  return escaped(remover.push(name) + remover.end())
}

/** A link to a citation, as Markdown. The name is text: an address in it would end our link and carry its signed address elsewhere. */
export const linkTo = ({ document_name, url }: Citation): string => `[${asText(document_name)}](${url})`

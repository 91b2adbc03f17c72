import type { Citation } from "../citation.ts"
import { LinkRemover } from "./LinkRemover.ts"

/** Nothing in it is markup, and it is one line. */
const escaped = (text: string) => text.replaceAll(/[\\`*_{}[\]<>|!~]/g, "\\$&").replaceAll(/\s+/g, " ")

/** A name that others gave, as text of ours: no address in it becomes a link either. */
export const asText = (name: string): string => {
  const remover = new LinkRemover()
  return escaped(remover.push(name) + remover.end())
}

/** A link to a citation, as Markdown. */
export const linkTo = ({ document_name, url }: Citation): string => `[${escaped(document_name)}](${url})`

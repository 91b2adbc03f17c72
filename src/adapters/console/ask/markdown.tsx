import { lexer, type Token, type Tokens } from "marked"
import type { ComponentChildren } from "preact"
import { OFFERS } from "../../../core/answers/offers.ts"

/** Draws a link of the text, whose words are only a number (`isNumber`) or a part of the sentence. */
export type DrawLink = (href: string, children: ComponentChildren, isNumber: boolean) => ComponentChildren

/** Draws Markdown as elements. No text of it becomes markup: HTML in it is shown as text. */
export const Markdown = ({ text, link, ask }: Props) => (
  <div class="prose">
    {lexer(text).map((token, index, all) =>
      token.type === "list" && isOffer(all.slice(0, index)) ? (
        <Offers key={index} list={token as Tokens.List} ask={ask} />
      ) : (
        <Piece key={index} token={token} link={link} />
      ),
    )}
  </div>
)

interface Props {
  readonly text: string
  readonly link: DrawLink
  /** Asks a question that the answer offers. */
  readonly ask: (question: string) => void
}

/** Whether the line before a list says that its items are questions that the server offers. */
const isOffer = (before: ReadonlyArray<Token>) => before.findLast(({ type }) => type !== "space")?.raw.trim() === OFFERS

const Offers = ({ list, ask }: { readonly list: Tokens.List; readonly ask: Props["ask"] }) => (
  <ul>
    {list.items.map(({ text }, index) => {
      const question = text.replaceAll(/\\([^\p{L}\p{N}\s])/gu, "$1")
      return (
        <li key={index}>
          <button type="button" onClick={() => ask(question)}>
            {question}
          </button>
        </li>
      )
    })}
  </ul>
)

const draw = (tokens: ReadonlyArray<Token> | undefined, link: DrawLink): ComponentChildren =>
  tokens?.map((token, index) => <Piece key={index} token={token} link={link} />)

/** The elements of tokens that only hold others. */
const ELEMENTS: Readonly<Record<string, "p" | "h3" | "strong" | "em" | "del" | "blockquote">> = {
  paragraph: "p",
  heading: "h3",
  strong: "strong",
  em: "em",
  del: "del",
  blockquote: "blockquote",
}

const Piece = ({ token, link }: { readonly token: Token; readonly link: DrawLink }): ComponentChildren => {
  const children = () => draw("tokens" in token ? token.tokens : undefined, link)
  const Element = ELEMENTS[token.type]
  if (Element !== undefined) return <Element>{children()}</Element>
  switch (token.type) {
    case "space":
      return null
    case "codespan":
      return <code>{token["text"]}</code>
    case "code":
      return (
        <pre>
          <code>{token["text"]}</code>
        </pre>
      )
    case "hr":
      return <hr />
    case "br":
      return <br />
    case "link": {
      const { href, text } = token as Tokens.Link
      return link(href, children(), /^\d+$/.test(text.trim()))
    }
    case "list": {
      const { ordered, items, start } = token as Tokens.List
      const list = items.map((item, index) => <li key={index}>{draw(item.tokens, link)}</li>)
      return ordered ? <ol start={Number(start) || 1}>{list}</ol> : <ul>{list}</ul>
    }
    case "table":
      return <Table table={token as Tokens.Table} link={link} />
    default:
      // Text may have parts of its own. HTML and what the parser may add later is shown as it was written.
      return "tokens" in token && token.tokens !== undefined ? (
        <>{children()}</>
      ) : (
        <>{unescape(String(("text" in token ? token["text"] : undefined) ?? token.raw))}</>
      )
  }
}

/** The parser leaves entities of text as they are; these are the ones that answers write. */
const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" }
const unescape = (text: string) => text.replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => ENTITIES[name]!)

const Table = ({ table, link }: { readonly table: Tokens.Table; readonly link: DrawLink }) => {
  const classOf = (index: number) => (table.align[index] === "right" ? "number" : undefined)
  return (
    <div class="wide" tabIndex={0} role="region">
      <table class="plain">
        <thead>
          <tr>
            {table.header.map((cell, index) => (
              <th key={index} scope="col" class={classOf(index)}>
                {draw(cell.tokens, link)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row, index) => (
            <tr key={index}>
              {row.map((cell, column) => (
                <td key={column} class={classOf(column)}>
                  {draw(cell.tokens, link)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

import { OFFERS } from "../../core/answers/offers.ts"
import type { AnswerNode } from "./nodes.ts"

type Attributes = Readonly<Record<string, string | undefined>>

/** Makes an element. Texts are text nodes, so that no text becomes markup. */
export const make = <T extends keyof HTMLElementTagNameMap>(
  tag: T,
  attributes: Attributes = {},
  ...children: ReadonlyArray<Node | string>
): HTMLElementTagNameMap[T] => {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) if (value !== undefined) made.setAttribute(name, value)
  made.append(...children)
  return made
}

interface Drawing {
  readonly mark: (number: number) => Node
  /** The accessible name of a table that scrolls. */
  readonly table: string
  /** Draws a question that the answer offers, for a click. */
  readonly offer: (question: string) => Node
}

/** Draws a part of an answer. */
export const draw = (node: AnswerNode, drawing: Drawing): Node => {
  if (typeof node === "string") return document.createTextNode(node)
  const { tag, children, number = 0, align, href, start } = node
  if (tag === "mark") return drawing.mark(number)
  const attributes = {
    href,
    start: start?.toString(),
    scope: tag === "th" ? "col" : undefined,
    "data-align": align,
    ...(tag === "a" && { target: "_blank", rel: "noopener" }),
  }
  const drawn = make(tag, attributes, ...children.map((child) => draw(child, drawing)))
  if (tag !== "table" && tag !== "pre") return drawn
  return make("div", { class: "wide", tabindex: "0", role: "group", "aria-label": drawing.table }, drawn)
}

const drawOffers = (list: AnswerNode, drawing: Drawing): Node => {
  if (typeof list === "string" || list.tag !== "ul") return draw(list, drawing)
  const items = list.children.map((item) => {
    const [question, ...more] = typeof item === "string" ? [] : item.children
    return typeof question === "string" && more.length === 0
      ? make("li", {}, drawing.offer(question))
      : draw(item, drawing)
  })
  return make("ul", {}, ...items)
}

/** Draws blocks into `target`. Keeps those that have not changed: a selection and the focus stay while text arrives. */
export const drawInto = (target: HTMLElement, blocks: ReadonlyArray<AnswerNode>, drawing: Drawing): void => {
  const drawn = drawnBlocks.get(target) ?? []
  const keys = blocks.map((block) => JSON.stringify(block))
  for (const [index, block] of blocks.entries()) {
    if (keys[index] === drawn[index]) continue
    const before = blocks[index - 1]
    const isOffer = typeof before === "object" && before.tag === "p" && before.children[0] === OFFERS
    const fresh = isOffer ? drawOffers(block, drawing) : draw(block, drawing)
    const old = target.childNodes[index]
    if (old === undefined) target.append(fresh)
    else old.replaceWith(fresh)
  }
  while (target.childNodes.length > blocks.length) target.lastChild!.remove()
  drawnBlocks.set(target, keys)
}

const drawnBlocks = new WeakMap<HTMLElement, ReadonlyArray<string>>()

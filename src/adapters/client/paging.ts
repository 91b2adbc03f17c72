import type { CallOptions } from "./options.ts"

/** A list in pages. */
export interface List<In, Page, Item> {
  /** Reads one page. */
  (...given: Given<In>): Promise<Page>
  /** Iterates over the items of all pages; each page is read when the loop reaches it. */
  each(...given: Given<In>): AsyncGenerator<Item, void>
  /** Iterates over all pages. */
  pages(...given: Given<In>): AsyncGenerator<Page, void>
}

/** The arguments of a method. The input may be left out if no field of it is required. */
export type Given<In> = {} extends In ? [input?: In, options?: CallOptions] : [input: In, options?: CallOptions]

/** A page and the input of the next one. */
export interface Loaded<Page> {
  readonly page: Page
  readonly next: Readonly<Record<string, unknown>> | undefined
}

/** Makes a list of a function that loads one page. */
export const makeList = <In, Page, Item>(
  load: (input: In | undefined, options: CallOptions | undefined) => Promise<Loaded<Page>>,
  itemsOf: (page: Page) => ReadonlyArray<Item>,
): List<In, Page, Item> => {
  async function* pages(...[input, options]: Given<In>): AsyncGenerator<Page, void> {
    let at: Loaded<Page>["next"] = {}
    while (at !== undefined) {
      const loaded: Loaded<Page> = await load({ ...input, ...at } as In, options)
      yield loaded.page
      at = loaded.next
    }
  }
  async function* each(...given: Given<In>): AsyncGenerator<Item, void> {
    for await (const page of pages(...given)) yield* itemsOf(page)
  }
  const one = async (...[input, options]: Given<In>) => (await load(input, options)).page
  return Object.assign(one, { each, pages })
}

/** The cursor in a `Link` header with rel=next. */
export const nextCursorIn = (headers: Headers): string | undefined => {
  const address = /<([^>]*)>;\s*rel="?next"?/.exec(headers.get("link") ?? "")?.[1]
  return address === undefined
    ? undefined
    : (new URL(address, "http://localhost").searchParams.get("cursor") ?? undefined)
}

/** What the OpenAPI description shows of one operation: values that its schemas accept. */
export interface Example {
  /** What a successful reply holds, as a sentence. */
  readonly replies: string
  /** Parameters of the path. */
  readonly path?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, unknown>>
  /** By media type. */
  readonly request?: Readonly<Record<string, unknown>>
  /** By media type; left out where the reply is empty. */
  readonly reply?: Readonly<Record<string, unknown>>
}

/** An example for each operation of a group. `server/examples.ts` does not compile where one is missing. */
export type Examples = Readonly<Record<string, Example>>

export const json = (value: unknown) => ({ "application/json": value })

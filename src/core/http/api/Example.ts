/** The example of one operation in the OpenAPI description: values that its schemas accept. */
export interface Example {
  /** Describes a successful reply in a sentence. */
  readonly replies: string
  /** Parameters of the path. */
  readonly path?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, unknown>>
  /** By media type. */
  readonly request?: Readonly<Record<string, unknown>>
  /** By media type; omitted if the reply is empty. */
  readonly reply?: Readonly<Record<string, unknown>>
}

/** An example for each operation of a group. A missing one is a compile error in `server/examples.ts`. */
export type Examples = Readonly<Record<string, Example>>

export const json = (value: unknown) => ({ "application/json": value })

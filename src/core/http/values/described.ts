import * as Schema from "effect/Schema"

/** Adds a description for the OpenAPI document. */
export const described = <S extends Schema.Top>(schema: S, description: string) => schema.annotate({ description }) as S

/** An instant in a reply. */
export const dateTime = Schema.String.annotate({ format: "date-time" })

import * as Effect from "effect/Effect"
import type { Assistant } from "../../client/operator.ts"
import { asOperator } from "../connection/operator.ts"
import { print, table } from "../terminal/output.ts"

export const add = Effect.fnUntraced(function* (input: {
  readonly name: string
  readonly redirect: string
  readonly json: boolean
}) {
  const redirects = input.redirect.split(",").map((uri) => uri.trim())
  const made = yield* asOperator(({ call }) =>
    call((operator, signal) => operator.assistants.add({ name: input.name, redirect_uris: redirects }, { signal })),
  )
  yield* print(input.json, made, [made.id, "", `Enter this client id in ${made.name}. It needs no secret.`])
})

export const list = Effect.fnUntraced(function* (input: { readonly json: boolean }) {
  const { data } = yield* asOperator(({ call }) => call((operator, signal) => operator.assistants.list({ signal })))
  yield* print(
    input.json,
    data,
    data.length === 0 ? ["No clients."] : table(["ID", "NAME", "RETURNS TO", "CREATED"], data.map(row)),
  )
})

export const remove = Effect.fnUntraced(function* (input: { readonly id: string; readonly json: boolean }) {
  yield* asOperator(({ call }) => call((operator, signal) => operator.assistants.remove(input.id, { signal })))
  yield* print(input.json, { id: input.id }, [`Removed ${input.id}.`])
})

const row = ({ id, name, redirect_uris, created_at }: Assistant) => [
  id,
  name,
  redirect_uris.join(" "),
  created_at.slice(0, 10),
]

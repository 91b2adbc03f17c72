import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Organization } from "../../../core/catalogue/Organizations.ts"
import type { OperatorAuditEntry, OperatorAuditQuery } from "../../client/operator.ts"
import { print, table } from "../terminal/output.ts"
import { asOperator } from "../connection/operator.ts"
import { Usage } from "../connection/workspace.ts"

interface Common {
  readonly json: boolean
}

interface Create extends Common {
  readonly id: Option.Option<string>
  readonly name: string
  readonly plan: string
}

export const create = Effect.fnUntraced(function* (input: Create) {
  const organization = {
    ...(Option.isSome(input.id) && { id: input.id.value }),
    name: yield* checkedName(input.name),
    plan: input.plan,
  }
  const made = yield* asOperator(({ call }) =>
    call((operator, signal) => operator.organizations.create(organization, { signal })),
  )
  yield* print(input.json, made, [line(made)])
})

export const list = Effect.fnUntraced(function* (input: Common) {
  const all = yield* asOperator(({ call }) =>
    call((operator, signal) => Array.fromAsync(operator.organizations.list.each({}, { signal }))),
  )
  const rows = all.map(({ id, name, plan, created_at }) => [id, name, plan, created_at.slice(0, 10)])
  yield* print(input.json, all, table(["ID", "NAME", "PLAN", "CREATED"], rows))
})

interface Change extends Common {
  readonly id: string
  readonly name: Option.Option<string>
  readonly plan: Option.Option<string>
}

export const change = Effect.fnUntraced(function* ({ id, name, plan, json }: Change) {
  if (Option.isNone(name) && Option.isNone(plan)) return yield* new Usage({ message: "give --plan, --name or both" })
  const patch = {
    ...(Option.isSome(name) && { name: yield* checkedName(name.value) }),
    ...(Option.isSome(plan) && { plan: plan.value }),
  }
  const changed = yield* asOperator(({ call }) =>
    call((operator, signal) => operator.organizations.change(id, patch, { signal })),
  )
  yield* print(json, changed, [line(changed)])
})

export const erase = Effect.fnUntraced(function* (input: Common & { readonly id: string; readonly yes: boolean }) {
  if (!input.yes) {
    return yield* new Usage({
      message: `this deletes ${input.id} with its deals, documents, files and keys, and cannot be undone; confirm with --yes`,
    })
  }
  const erased = yield* asOperator(({ call }) =>
    call((operator, signal) => operator.organizations.erase(input.id, { signal })),
  )
  yield* print(input.json, erased, [
    erased.files === "removed"
      ? `Erased ${erased.id}.`
      : `Erased ${erased.id}. The server deletes its files when the file store is reachable again.`,
  ])
})

/** Entries that a terminal gets. */
const MAX_ENTRIES = 1000

interface AuditInput extends Common {
  readonly organization: Option.Option<string>
  readonly action: Option.Option<NonNullable<OperatorAuditQuery["action"]>>
}

export const audit = Effect.fnUntraced(function* ({ organization, action, json }: AuditInput) {
  const query = {
    ...(Option.isSome(organization) && { organization: organization.value }),
    ...(Option.isSome(action) && { action: action.value }),
  }
  const entries = yield* asOperator(({ call }) =>
    call(async (operator, signal) => {
      const read: Array<OperatorAuditEntry> = []
      for await (const entry of operator.audit.each(query, { signal })) if (read.push(entry) === MAX_ENTRIES) break
      return read
    }),
  )
  const rows = entries.map(({ at, action, actor, address, details, organization_hash: hash }) => [
    at,
    action,
    details === null ? `${hash?.slice(0, 12)}… by ${nameOf(actor)}` : `${details.attempts} × ${details.reason}`,
    address ?? "",
  ])
  yield* print(json, entries, rows.length === 0 ? ["No entries."] : table(["AT", "ACTION", "WHAT", "ADDRESS"], rows))
})

const nameOf = (actor: OperatorAuditEntry["actor"]) => {
  if (actor === null) return "an unknown caller"
  return "operator" in actor ? "the operator" : "person" in actor ? actor.person : actor.key_id
}

const checkedName = (given: string) => {
  const name = given.trim()
  return name === "" || name.includes("\0")
    ? Effect.fail(new Usage({ message: "--name must not be empty" }))
    : Effect.succeed(name)
}

const line = ({ id, name, plan }: Organization) => `${id}  ${name}  ${plan}`

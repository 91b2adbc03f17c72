import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { changeRole, enrolIn, identityToken } from "../access/enrol.ts"
import { actorOf, allows, type Caller, covers, type Role, ROLE_NAMES } from "../access/permissions.ts"
import { recordAct } from "../audit/recordAct.ts"
import { fold } from "../common/fold.ts"
import { makeId } from "../common/ids.ts"
import { CurrentRequest } from "../http/CurrentRequest.ts"
import { Conflict, Forbidden, NotFound } from "../http/errors/errors.ts"
import { ApiKeys } from "../keys/ApiKeys.ts"
import type { ProvidedPerson } from "../ports/IdentityProvider.ts"
import { Sessions } from "../sessions/Sessions.ts"
import { Database } from "../storage/Database.ts"
import { utc } from "../storage/sql.ts"
import type { Member } from "./contract.ts"
import { type KnownPerson, type Membership, Members } from "./Members.ts"
import { MembershipRulesOf, problemOfAddress, roleByRules } from "./rules.ts"

const MAX_MEMBERS = 5_000
const MAX_NAME_CHARACTERS = 200

export const layerMembers = Layer.effect(
  Members,
  Effect.gen(function* () {
    const { sql, scoped, transaction, unscoped } = yield* Database
    const keys = yield* ApiKeys
    const sessions = yield* Sessions
    const rules = yield* MembershipRulesOf
    const columns = sql.literal(`m.id, m.email, m.name, m.role, m.origin, ${utc("m.created_at")} as created_at,
      ${utc("m.signed_in_at")} as last_sign_in_at`)

    /** Lets one request of the organization at a time look, count and insert. */
    const serialize = (org: string) =>
      sql`select pg_advisory_xact_lock(hashtextextended(current_schema || ${`.members ${org}`}, 0))`

    const assertRoom = Effect.fnUntraced(function* (org: string) {
      const [counted] = yield* sql<{ n: number }>`select count(*)::int as n from members where org_id = ${org}`
      if ((counted?.n ?? 0) >= MAX_MEMBERS)
        return yield* new Conflict({ message: `an organization has at most ${MAX_MEMBERS} members: remove some` })
    })

    /** Takes the member away with everything that the person left behind, in the open transaction. */
    const drop = Effect.fnUntraced(function* (org: string, id: string, reason: "by_hand" | "no_role") {
      yield* sql`delete from members where org_id = ${org} and id = ${id}`
      yield* recordAct(sql, org, "member.removed", id, { reason })
      // A person who never signed in left nothing.
      yield* Effect.catchTag(keys.revokeIdentity(org, id), "NotFound", () => Effect.void)
    })

    /** Makes, changes or removes the membership that the rules of the server decide about. */
    const applyRules = Effect.fnUntraced(function* (person: ProvidedPerson) {
      const { organization: org } = rules
      if (org === undefined || rules.roles.length === 0) return
      const role = roleByRules(rules, person)
      const { issuer, subject, email = null } = person
      const mine = sql`m.org_id = ${org} and m.issuer = ${issuer} and m.subject = ${subject}`
      const [held] = yield* scoped<{ id: string; origin: Member["origin"]; role: Role }>(
        org,
        sql`select m.id, m.origin, m.role from members m where org_id = scope.org and ${mine}`,
      )
      // An administrator's word counts more than a rule.
      if (held?.origin === "added" || held?.role === role) return
      if (held !== undefined && role === undefined) return yield* transaction(org, drop(org, held.id, "no_role"))
      if (role === undefined) return
      const id = held?.id ?? (yield* makeId("member"))
      yield* transaction(
        org,
        Effect.gen(function* () {
          if (held !== undefined) {
            yield* sql`update members m set role = ${role} where ${mine}`
            yield* changeRole(sql, org, id, role)
            return yield* recordAct(sql, org, "member.changed", id, { role })
          }
          yield* serialize(org)
          yield* assertRoom(org)
          // Somebody with this address was added, and is found by it.
          const made = yield* sql`
            insert into members (org_id, id, email, folded_email, role, origin, issuer, subject)
            select o.id, ${id}, ${email}, ${email === null ? null : fold(email)}, ${role}, 'provider', ${issuer}, ${subject}
            from organizations o where o.id = ${org} on conflict do nothing returning 1`
          if (made.length > 0) return yield* recordAct(sql, org, "member.added", id, { email, role })
          yield* Effect.logWarning(
            `a person did not join ${org} by SIGHTLINE_OIDC_ROLES: the organization does not exist, or the address is a member's already`,
          )
        }),
      )
    })

    const find = ({ issuer, subject, email }: KnownPerson) =>
      unscoped<Membership>(
        sql`select org_id as organization, id, name
          from members_of(${issuer}, ${subject}, ${email === undefined ? null : fold(email)})`,
      )

    return Members.of({
      list: (caller) =>
        scoped<Member>(
          caller.organizationId,
          sql`select ${columns} from members m where m.org_id = scope.org
              and (${allows(caller, "keys.manage")}::boolean or m.id = ${caller.identity?.id ?? ""})
            order by m.folded_email, m.id collate "C"`,
        ),

      put: Effect.fn("Members.put")(function* (caller, { email, role }) {
        const org = caller.organizationId
        yield* assertCovers(caller, role)
        const folded = fold(email)
        const id = yield* makeId("member")
        return yield* transaction(
          org,
          Effect.gen(function* () {
            yield* serialize(org)
            const [held] = yield* sql<Member>`select ${columns} from members m
              where m.org_id = ${org} and m.folded_email = ${folded} for update`
            if (held !== undefined) {
              yield* assertCovers(caller, held.role)
              if (held.origin === "provider") return yield* rulesDecide(email)
              if (held.role === role) return held
              yield* sql`update members set role = ${role} where org_id = ${org} and id = ${held.id}`
              yield* changeRole(sql, org, held.id, role)
              yield* recordAct(sql, org, "member.changed", held.id, { role })
              return { ...held, role }
            }
            yield* assertRoom(org)
            const [made] = yield* sql<Member>`
              insert into members as m (org_id, id, email, folded_email, role, origin)
              values (${org}, ${id}, ${email}, ${folded}, ${role}, 'added') returning ${columns}`
            yield* recordAct(sql, org, "member.added", id, { email, role })
            return made!
          }),
        )
      }),

      remove: Effect.fn("Members.remove")(function* (caller, id) {
        const org = caller.organizationId
        yield* transaction(
          org,
          Effect.gen(function* () {
            const [held] = yield* sql<Pick<Member, "role">>`
              select role from members where org_id = ${org} and id = ${id} for update`
            if (held === undefined) return yield* noMember
            yield* assertCovers(caller, held.role)
            yield* drop(org, id, "by_hand")
          }),
        )
      }),

      admit: Effect.fn("Members.admit")(function* (person) {
        const problem = problemOfAddress(rules, person)
        if (problem !== undefined) return problem
        yield* Effect.catchTag(applyRules(person), "Conflict", ({ message }) => Effect.logWarning(message))
        return (yield* find(person)).length === 0 ? "not_a_member" : undefined
      }),
      find,

      enter: Effect.fn("Members.enter")(function* (
        { issuer, subject, email, name },
        { organization: org, id },
        browser,
      ) {
        const folded = email === undefined ? null : fold(email)
        const line = oneLine(name)
        const state = yield* CurrentRequest
        const entered = yield* transaction(
          org,
          Effect.gen(function* () {
            const [member] = yield* sql<{ role: Role; email: string | null; is_first: boolean }>`
              with held as (
                select * from members where org_id = ${org} and id = ${id}
                  and ((issuer = ${issuer} and subject = ${subject}) or (issuer is null and folded_email = ${folded}))
                for update
              )
              update members m set issuer = ${issuer}, subject = ${subject}, name = ${line ?? null}, signed_in_at = now()
              from held where m.org_id = held.org_id and m.id = held.id
              returning m.role, m.email, held.signed_in_at is null as is_first`
            if (member === undefined) return undefined
            const identity = { id, name: line ?? member.email ?? id }
            const principal = { organization: org, role: member.role, identity }
            state.actor = actorOf(id, identity)
            if (member.is_first) yield* recordAct(sql, org, "member.joined", id, { issuer })
            const keyId = yield* enrolIn(sql, principal)
            return keyId === undefined ? undefined : { principal, keyId }
          }),
        )
        if (entered === undefined) return undefined
        const { principal, keyId } = entered
        const caller = { organizationId: org, keyId, role: principal.role, permissions: null }
        return yield* Effect.catchTag(
          sessions.start(caller, identityToken(principal), browser),
          "Forbidden",
          () => Effect.undefined,
        )
      }),
    })
  }),
)

/** A name as identities have it: one line of at most 200 characters. */
const oneLine = (name: string | undefined) => {
  const line = name
    ?.toWellFormed()
    .replaceAll(/\p{Cc}+/gu, " ")
    .trim()
    .slice(0, MAX_NAME_CHARACTERS)
    .toWellFormed()
  return line === "" ? undefined : line
}

const assertCovers = Effect.fnUntraced(function* (caller: Caller, role: Role) {
  if (covers(caller, { role, permissions: null })) return
  const allowed = ROLE_NAMES.filter((name) => covers(caller, { role: name, permissions: null }))
  const may = allowed.length === 0 ? "of no role" : `of role ${allowed.map((name) => `'${name}'`).join(", ")}`
  return yield* new Forbidden({
    message: `you cannot give, change or end the membership of role '${role}', which may do more than you; you may manage members ${may}`,
  })
})

const noMember = new NotFound({ message: "no member of this organization has this id" })
const rulesDecide = (email: string) =>
  new Conflict({
    message: `${email} joined by a rule of the server, which sets the role at each sign-in; remove the member first to set it by hand`,
  })

import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Base64Url from "effect/encoding/Base64Url"
import type { PageRequest } from "../../common/page.ts"
import { wilson } from "../../common/wilson.ts"
import type { BadRequest, NotFound } from "../../http/errors/errors.ts"
import { badRequest } from "../../http/validation/validation.ts"
import type { DatabaseUnavailable } from "../../ports/DatabaseUnavailable.ts"
import { Database } from "../../storage/Database.ts"
import { inOrganization } from "../../storage/inOrganization.ts"
import type { Agreement, Label, LabelPage, Precision, Quality } from "./contract.ts"
import { selectAgreement, selectLabels, selectPrecision } from "./sql.ts"

interface JudgedKind extends Omit<Precision, "precision" | "low" | "high"> {
  readonly state_accepted: number
}

/** Judgements of people on findings and scores, and the quality that follows from them. */
export class Labels extends Context.Service<
  Labels,
  {
    readonly page: (
      org: string,
      page: PageRequest,
    ) => Effect.Effect<LabelPage, BadRequest | NotFound | DatabaseUnavailable>
    readonly quality: (org: string) => Effect.Effect<Quality, NotFound | DatabaseUnavailable>
  }
>()("sightline/analysis/Labels") {
  static readonly layer = Layer.effect(
    Labels,
    Effect.gen(function* () {
      const { sql, scoped } = yield* Database
      return Labels.of({
        page: Effect.fn("Labels.page")(function* (org, { size, cursor }) {
          const after = cursor === undefined ? undefined : decodeCursor(cursor)
          if (cursor !== undefined && after === undefined) {
            return yield* badRequest({
              invalid: [{ field: "cursor", reason: "must be the next_cursor of an earlier page" }],
            })
          }
          const rows = yield* scoped<Label>(org, selectLabels(sql, after, size))
          const data = rows.slice(0, size)
          const last = rows.length > size ? data.at(-1) : undefined
          return { data, next_cursor: last === undefined ? null : Base64Url.encode(last.id) }
        }),

        quality: Effect.fn("Labels.quality")(function* (org) {
          const kinds = yield* scoped<JudgedKind>(org, selectPrecision(sql))
          const scores = yield* scoped<Agreement>(org, selectAgreement(sql))
          const data = kinds.map(({ state_accepted: judgedRight, ...row }) => {
            const { n, low, high } = wilson(row.accepted, judgedRight + row.rejected)
            return { ...row, precision: n === 0 ? null : row.accepted / n, low, high }
          })
          return { data, scores }
        }),
      })
    }).pipe(inOrganization),
  )
}

const decodeCursor = (cursor: string) => {
  const id = Result.getOrUndefined(Base64Url.decodeString(cursor))
  return id === undefined || !LABEL_ID.test(id) ? undefined : id
}
/** The id of a finding, or what `selectLabels` makes for a score. */
const LABEL_ID = /^(?:fnd|score)_[^\0]+$/

import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { Idempotency } from "../replies/Idempotency.ts"
import { DealFilters } from "../deals/filters/filters.ts"
import { described } from "../http/values/described.ts"
import { BODY_ERRORS, Conflict, NotFound } from "../http/errors/errors.ts"
import { Id, Text } from "../http/values/parameters.ts"
import { AnswersBytes } from "../http/api/annotations.ts"
import { Analysis, Finding } from "./analysis.ts"
import { EFFECTS } from "./finding.ts"
import { LabelPage, Quality } from "./labels/contract.ts"
import { AnalysisRun, Estimate, Spending } from "./spending/contract.ts"

const text = Schema.NullOr(Schema.String)

const Started = Schema.Struct({
  run_id: described(Schema.String, "GET /runs/{run_id} has its progress."),
  deals: described(Schema.Int, "The deals that the run analyzes."),
}).annotate({ identifier: "AnalysisRun" })
export type Started = typeof Started.Type

export const Judgement = Schema.Struct({
  state: Schema.Literals(["accepted", "rejected"]),
  target: Schema.optionalKey(
    described(
      Text.check(Schema.isNonEmpty(), Schema.isMaxLength(400)),
      "The right competitor, feature or reason, by id or name.",
    ),
  ),
  effect: Schema.optionalKey(described(Schema.NullOr(Schema.Literals(EFFECTS)), "The right effect.")),
}).annotate({ identifier: "FindingJudgement", examples: [{ state: "accepted", effect: "negative" }] })
export type Judgement = typeof Judgement.Type

/** A deal whose findings await a person. */
const Waiting = Schema.Struct({
  deal_id: Schema.String,
  deal_name: Schema.String,
  amount: Schema.NullOr(Schema.Finite),
  deal_status: described(text, "The stage's name."),
  method: text,
  proposed: described(Schema.Int, "Findings that nobody has judged."),
  doubtful: described(Schema.Int, "How many of them have no known effect or side."),
  conflicts: described(Schema.Int, "Values of the deal that its documents contradict: `conflicts` of its analysis."),
}).annotate({ identifier: "AwaitedDeal" })
export type Waiting = typeof Waiting.Type

const cursor = Schema.optional(
  described(Text.check(Schema.isMaxLength(2000)), "The `next_cursor` of the previous page."),
)
const AnalysisChoice = Schema.Struct({
  filters: Schema.optional(DealFilters),
}).annotate({ identifier: "NewAnalysis", examples: [{ filters: { outcome: ["lost"] } }] })
const ofDeal = { params: { id: Id } } as const

export const AnalysisGroup = HttpApiGroup.make("analysis")
  .add(
    HttpApiEndpoint.post("run", "/deals/:id/analysis", {
      ...ofDeal,
      success: Started.pipe(HttpApiSchema.status(202)),
      error: NotFound.wire,
    })
      .middleware(Idempotency)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Analyze a deal's documents",
          description:
            "Finds what the documents say of competitors, features and reasons, who says it, and key quotes. With a language model, also writes the sections and scores, and publishes them to the deal. While a run of the deal waits or runs, the reply names that one. The same documents and catalogue have the same findings, and cost nothing again.",
        }),
      ),
    HttpApiEndpoint.post("runMany", "/deals/analysis", {
      payload: AnalysisChoice,
      success: Started.pipe(HttpApiSchema.status(202)),
      error: [Conflict.wire, ...BODY_ERRORS],
    })
      .middleware(Idempotency)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Analyze the documents of several deals",
          description:
            "Takes the deals that match `filters` (by default, every deal), have a document that was read, and do not wait for another run. More than 10,000 are refused: narrow the filters. 429 with the scope `analysis`: the month's budget is used up.",
        }),
      ),
    HttpApiEndpoint.post("estimate", "/deals/analysis/estimate", {
      payload: AnalysisChoice,
      success: Estimate,
      error: [Conflict.wire, ...BODY_ERRORS],
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Estimate what an analysis would cost",
        description:
          "Estimates an analysis of the same deals as `POST /deals/analysis`. Starts nothing and asks no model.",
      }),
    ),
    HttpApiEndpoint.get("progress", "/analysis/runs/:id", {
      ...ofDeal,
      success: AnalysisRun,
      error: NotFound.wire,
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Read how far a run is and what it has cost",
        description: "`GET /runs/{run_id}` has the state of any run; this has the deals and the cost of an analysis.",
      }),
    ),
    HttpApiEndpoint.get("spending", "/analysis/spending", { success: Spending }).annotateMerge(
      OpenApi.annotations({
        summary: "Read what the analyses of this month have cost",
        description: "`analysis_budget` of the workspace limits it: PUT /workspace.",
      }),
    ),
    HttpApiEndpoint.get("get", "/deals/:id/analysis", { ...ofDeal, success: Analysis, error: NotFound.wire }).annotate(
      OpenApi.Summary,
      "Read what a deal's documents say",
    ),
    HttpApiEndpoint.patch("judge", "/deals/:id/analysis/findings/:finding_id", {
      params: { id: Id, finding_id: Id },
      payload: Judgement,
      success: Finding,
      error: [NotFound.wire, Conflict.wire, ...BODY_ERRORS],
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Accept, change or reject a finding",
        description:
          "An accepted competitor, feature or driver joins the deal's, unless the deal has it already; an accepted quote joins its summary's key quotes. Rejecting it afterwards takes that back. A later run never changes a judgement.",
      }),
    ),
    HttpApiEndpoint.post("verify", "/deals/:id/analysis/verify", {
      ...ofDeal,
      success: Analysis,
      error: [NotFound.wire, Conflict.wire],
    })
      .middleware(Idempotency)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Verify a deal's analysis",
          description: "Sets `analysis_verified` of the deal. Refused with 409 until the analysis is ready.",
        }),
      ),
    HttpApiEndpoint.get("queue", "/analysis/queue", {
      query: {
        page_size: Schema.optional(
          described(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100 })), "Deals per page; 50 by default."),
        ),
        cursor,
      },
      success: Schema.Struct({ data: Schema.Array(Waiting), next_cursor: text }).annotate({
        identifier: "AnalysisQueue",
      }),
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List the deals whose findings await a person",
        description: "The largest amounts first; of one amount, those with more doubtful findings.",
      }),
    ),
    HttpApiEndpoint.get("quality", "/analysis/quality", {
      success: Quality,
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Read how right findings and scores were",
        description:
          "How many findings people accepted, by kind, by what found them, and by its version; and how well scores agree with people's.",
      }),
    ),
    HttpApiEndpoint.get("labels", "/analysis/labels", {
      query: { cursor },
      success: [
        LabelPage,
        Schema.String.pipe(HttpApiSchema.asText({ contentType: "text/csv" })),
        Schema.String.pipe(HttpApiSchema.asText({ contentType: "application/x-ndjson" })),
      ],
    })
      .annotate(AnswersBytes, true)
      .annotateMerge(
        OpenApi.annotations({
          summary: "List what people said of findings and scores",
          description:
            "Every judgement beside what was found, by id, 50 per page; to measure or train a model. With `Accept: text/csv` or `application/x-ndjson`, returns all of them as a file.",
        }),
      ),
  )
  .annotate(OpenApi.Description, "What the documents of deals say, proven by quotes and judged by people")

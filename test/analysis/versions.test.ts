import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { engines } from "../support/engines.ts"
import { layerWeb } from "../support/web.ts"
import { analyzed, CALL, type Finding, get, upload, workspace } from "./workspace.ts"

const features = (findings: ReadonlyArray<Finding>) =>
  findings.filter(({ kind }) => kind === "feature").map(({ target }) => target.name)

for (const engine of engines) {
  describe(`the analysis of a replaced document on ${engine.name}`, () => {
    layer(layerWeb(engine.database), { excludeTestServices: true })((it) => {
      it.effect("reads the latest version of a document only", () =>
        Effect.gen(function* () {
          const { key } = yield* workspace
          const first = yield* upload("d2", "Call.vtt", CALL, key)
          const { analysis } = yield* analyzed("d2", key)
          assert.deepStrictEqual(features(analysis.findings), ["Single sign-on"])
          yield* upload("d2", "Call.vtt", CALL.replace("single sign on", "the dashboards"), key, first)
          assert.isTrue((yield* get("/deals/d2/analysis", key)).stale)
          assert.deepStrictEqual(features((yield* analyzed("d2", key)).analysis.findings), ["Dashboards"])
        }),
      )
    })
  })
}

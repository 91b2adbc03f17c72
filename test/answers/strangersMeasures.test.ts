import { assert, describe, it } from "vitest"
import { findUnused } from "../../src/core/answers/questions/plan/account.ts"
import { isEnglish, putInEnglish, translate } from "../../src/core/answers/questions/languages/translate.ts"
import { parse } from "../../src/core/answers/questions/parse/parse.ts"
import { makePlans } from "../../src/core/answers/questions/plan/plan.ts"
import { planKey } from "../../src/core/answers/reader/planKey.ts"
import { makePredictor } from "../../src/core/answers/reader/predict.ts"
import { readAgain } from "../../src/core/answers/reader/readAgain.ts"
import { WEIGHTS } from "../../src/core/answers/reader/weights.ts"
import { TODAY, WORKSPACE } from "../../training/workspace.ts"

const predict = makePredictor(WEIGHTS)

/** The key of the answer to a question, by both readers; "refused" or "differs" if it has none. */
const answer = (asked: string): string => {
  const slots = parse(translate(asked, WORKSPACE.names), WORKSPACE, TODAY)
  const plans = makePlans(slots)
  const isRead = plans.length > 0 && slots.unknown.length === 0 && findUnused(slots, plans).length === 0
  const english = [putInEnglish(asked, WORKSPACE.names)]
  const grammar = { slots, plans, isRead, isTranslated: !isEnglish(asked) }
  const second = readAgain(english, grammar, WORKSPACE, TODAY, predict)
  if (second.kind === "differs") return "differs"
  if (second.kind === "read") return planKey(second.plans)
  return isRead ? planKey(plans) : "refused"
}

/** Questions of voices that train, beside plain ones that mean the same. */
const SAME: Readonly<Record<string, ReadonlyArray<readonly [asked: string, plain: string]>>> = {
  "a rate of the number of deals": [
    ["Win rate since 1 September 2026, by deal count.", "win rate since 1 September 2026"],
    ["Hanneke Jankovic: win rate by number of deals", "win rate of Hanneke Jankovic"],
  ],
  "deals of any outcome": [
    ["Every UK and Ireland deal since January, any outcome.", "list deals in UK and Ireland since January"],
  ],
  "wishes that are no sides of reasons": [
    ["I would like the North America win rate from January onwards.", "win rate in North America since January"],
    ["What does our win rate look like year by year?", "win rate by year"],
  ],
  "numbers that stand side by side": [
    ["Bastian and Lars head to head, number of wins", "number of wins, Bastian versus Lars"],
  ],
  "dates of deals with a requested feature": [
    [
      "Lost deals with Audit trail requested, this year: how many?",
      "how many deals with Audit trail did we lose this year",
    ],
  ],
  "deals that close in a coming month": [
    ["How many deals should close next month?", "how many open deals closing next month"],
  ],
  "leads of a source, and other leads": [
    ["What is our sales lead time on average?", "average sales cycle"],
    [
      "How many are still open against each rival, from leads that came through Event?",
      "open deals by competitor from Event",
    ],
  ],
  "features that people judge, with or without an order": [["most liked features", "which features do customers like"]],
  "amounts and ages in other languages": [
    ["On a perdu combien d'argent par secteur ?", "lost amount by industry"],
    [
      "¿Cuántos negocios abiertos con más de 120 días hay en cada región?",
      "how many open deals older than 120 days by region",
    ],
    ["wieviel offene deals haben wir pro industry", "how many open deals by industry"],
  ],
  "values of a property that are compared": [
    ["Partner vs Outbound, average size of what we won", "average size of won deals, Partner versus Outbound"],
  ],
  "superlatives of time in other languages": [
    [
      "Pour Quellaria Signal, les 3 commerciaux au cycle moyen le plus court",
      "the 3 reps with the shortest average sales cycle with Quellaria Signal",
    ],
  ],
  "exclusions, sources and units of time in other languages": [
    [
      "Ce mois-ci, en laissant de côté les affaires avec Tallowmark, combien de pertes par industrie ?",
      "lost deals this month by industry excluding Tallowmark",
    ],
    ["Combien d'affaires gagnées via un partenaire", "how many deals did we win from Partner"],
    ["Wie viele Deals haben wir über Veranstaltungen gewonnen?", "how many deals did we win from Event"],
    ["Win Rate letztes Jahr auf Wochenbasis bitte.", "win rate last year by week"],
  ],
}

describe("a measure in the words of a stranger", () => {
  for (const [kind, pairs] of Object.entries(SAME)) {
    it.each(pairs)(`${kind}: %s`, (asked, plain) => {
      const expected = answer(plain)
      assert.notInclude(["refused", "differs"], expected, plain)
      assert.strictEqual(answer(asked), expected)
    })
  }

  it.each([
    // Nothing counts the mentions in deals with a name.
    "Feature mentions in Nordics this quarter: how many?",
    "How many deals are open where Ease of use was against us but Data residency was for us?",
    "Would you compare the overdue totals of Southern Europe and DACH for me, please?",
    "Wie ist unsere Abschlussquote in Skandinavien?",
  ])("that no report has is not answered: %s", (asked) => {
    assert.include(["refused", "differs"], answer(asked))
  })
})

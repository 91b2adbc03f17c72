import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { putInEnglish, translate } from "../../src/core/answers/questions/languages/translate.ts"
import { parse } from "../../src/core/answers/questions/parse/parse.ts"
import { makePlans } from "../../src/core/answers/questions/plan/plan.ts"
import { planKey } from "../../src/core/answers/reader/planKey.ts"
import { predictor } from "../../src/core/answers/reader/predictor.ts"
import { readAgain } from "../../src/core/answers/reader/readAgain.ts"
import { TODAY, WORKSPACE } from "../../training/workspace.ts"

const readByRules = (question: string) => parse(translate(question, WORKSPACE.names), WORKSPACE, TODAY)

const SINCE = { from: "2026-09-01" }
const BETWEEN = { from: "2026-04-01", to: "2026-06-15" }
const MONTH = { from: "2026-10-01", to: "2026-10-31" }
const QUARTER = { from: "2026-08-01", to: "2026-10-31" }
const YEAR = { from: "2026-02-01", to: "2027-01-31" }
const FISCAL = { from: "2025-02-01", to: "2026-01-31" }
const DAYS = { from: "2026-08-29", to: "2026-11-26" }
const MONTHS = { from: "2025-11-26", to: "2026-11-26" }
const HALF = { from: "2026-02-01", to: "2026-07-31" }
const Q2 = { from: "2025-05-01", to: "2025-07-31" }
const NEXT = { from: "2026-12-01", to: "2026-12-31" }

/** Periods as people write them. The fiscal year begins in February. */
const PERIODS: ReadonlyArray<readonly [question: string, period: object]> = [
  ["Offene Pipeline seit dem 1. September", SINCE],
  ["Gewonnene Deals ab dem ersten September 2026", SINCE],
  ["Verlorene Deals vom 1. April bis zum 15. Juni 2026", BETWEEN],
  ["Verlorene Deals zwischen dem 1. April und dem 15. Juni 2026", BETWEEN],
  ["Verlorene Deals 1.4. bis 15.6.2026", BETWEEN],
  ["Verlorene Deals, 01.04.2026 – 15.06.2026", BETWEEN],
  ["Umsatz letzter Monat", MONTH],
  ["Umsatz im Vormonat", MONTH],
  ["Umsatz im Vorquartal", QUARTER],
  ["Wie viele Deals im laufenden Geschäftsjahr?", YEAR],
  ["Deals im Geschäftsjahr 2026", FISCAL],
  ["Deals im GJ26", FISCAL],
  ["Gewinnquote, letzte neunzig Tage", DAYS],
  ["Gewinnquote der letzten zwölf Monate", MONTHS],
  ["Umsatz in der ersten Hälfte dieses Geschäftsjahres", HALF],
  ["Umsatz im ersten Halbjahr", HALF],
  ["Umsatz im zweiten Quartal des Geschäftsjahres 2026", Q2],
  ["Umsatz im 2. Quartal GJ 2026", Q2],
  ["Pipeline mit Abschluss nächsten Monat", NEXT],
  ["Le pipe depuis le 1er septembre", SINCE],
  ["Affaires perdues du 1er avril au 15 juin 2026", BETWEEN],
  ["Affaires perdues entre le 1er avril et le 15 juin 2026", BETWEEN],
  ["Chiffre d'affaires du mois dernier", MONTH],
  ["Chiffre d'affaires du trimestre dernier", QUARTER],
  ["Combien d'affaires depuis le début de l'année ?", YEAR],
  ["Affaires de l'exercice 2026", FISCAL],
  ["Taux de réussite sur les 90 derniers jours", DAYS],
  ["Taux de réussite sur les douze derniers mois", MONTHS],
  ["Chiffre d'affaires au premier semestre de cette année", HALF],
  ["Chiffre d'affaires au T2 de l'exercice 2026", Q2],
  ["Chiffre d'affaires au deuxième trimestre de l'exercice 2026", Q2],
  ["Pipe avec une date de closing le mois prochain", NEXT],
  ["Pipeline abierto desde el 1 de septiembre", SINCE],
  ["Oportunidades perdidas del 1 de abril al 15 de junio de 2026", BETWEEN],
  ["Oportunidades perdidas entre el 1 de abril y el 15 de junio de 2026", BETWEEN],
  ["Ingresos del mes pasado", MONTH],
  ["Ingresos del último trimestre", QUARTER],
  ["Oportunidades en lo que va de año", YEAR],
  ["Oportunidades del ejercicio 2026", FISCAL],
  ["Tasa de éxito de los últimos noventa días", DAYS],
  ["Tasa de éxito en los últimos doce meses", MONTHS],
  ["Ingresos en la primera mitad de este año fiscal", HALF],
  ["Ingresos del segundo trimestre del año fiscal 2026", Q2],
  ["Pipeline con cierre el mes que viene", NEXT],
]

/** Amounts, ages and names as people write them. */
const CONDITIONS: ReadonlyArray<readonly [question: string, conditions: object, names?: ReadonlyArray<string>]> = [
  ["Verlorene Deals unter 10.000 Euro", { amount: { max: 9_999.99 } }],
  ["Verlorene Deals über fünfzigtausend Euro", { amount: { min: 50_000.01 } }],
  ["Verlorene Deals über 250 TEUR in Südeuropa", { amount: { min: 250_000.01 } }, ["Southern Europe"]],
  ["Offene Deals älter als 90 Tage in UK und Irland", { open_days: { min: 91 } }, ["UK and Ireland"]],
  ["Wie viele Deals haben wir im Gesundheitswesen verloren?", {}, ["Healthcare"]],
  ["Wie viele Erweiterungen haben wir verloren?", {}, ["Expansion"]],
  ["Affaires perdues sous les 50 k€", { amount: { max: 49_999.99 } }],
  ["Affaires perdues de moins de 10 000 €", { amount: { max: 9_999.99 } }],
  ["Affaires ouvertes de plus de 60 jours en Amérique du Nord", { open_days: { min: 61 } }, ["North America"]],
  ["Affaires perdues au Royaume-Uni et en Irlande", {}, ["UK and Ireland"]],
  ["Affaires perdues dans la santé", {}, ["Healthcare"]],
  ["Oportunidades perdidas de menos de 10 mil euros", { amount: { max: 9_999.99 } }],
  ["Oportunidades perdidas por debajo de 20.000 €", { amount: { max: 19_999.99 } }],
  ["Oportunidades abiertas de más de 120 días en el sur de Europa", { open_days: { min: 121 } }, ["Southern Europe"]],
  ["Oportunidades perdidas en Reino Unido e Irlanda", {}, ["UK and Ireland"]],
  ["Oportunidades perdidas en sanidad", {}, ["Healthcare"]],
]

/** Questions in the words of people whom no training has, and the same in the plain words of the grammar. */
const READ: ReadonlyArray<readonly [question: string, plain: string]> = [
  ["Wie hoch ist unsere Trefferquote gegen Nimbrel seit Jahresbeginn?", "win rate against Nimbrel this year"],
  ["Wie viel Geld steckt noch in der Pipeline von Dmitri Tanaka?", "open pipeline of Dmitri Tanaka"],
  ["Welche fünf Verkäufer haben letztes Quartal am meisten Umsatz reingeholt?", "top 5 reps by revenue last quarter"],
  [
    "Aufgeschlüsselt nach Branche: Zahl der verlorenen Deals im Geschäftsjahr 2026",
    "how many deals did we lose by industry in FY26",
  ],
  ["Il reste combien d'affaires ouvertes en négociation ?", "how many open deals in Negotiation"],
  ["Le top 3 des commerciaux en montant signé le mois dernier", "top 3 reps by revenue last month"],
  ["On a rentré combien le trimestre dernier, commercial par commercial ?", "revenue by rep last quarter"],
  ["Sácame las 5 oportunidades abiertas más grandes de DACH", "the 5 biggest open deals in DACH"],
]

describe("a question in German, French or Spanish", () => {
  for (const [question, period] of PERIODS)
    it(`has its period: ${question}`, () => assert.deepStrictEqual(readByRules(question).periods, [period]))

  for (const [question, conditions, names = []] of CONDITIONS)
    it(`has its conditions: ${question}`, () => {
      const slots = readByRules(question)
      assert.deepStrictEqual(slots.conditions, conditions)
      assert.deepStrictEqual(
        slots.names.map(({ name }) => name),
        names,
      )
    })

  it.effect("is read by the network where the grammar lacks its words", () =>
    Effect.gen(function* () {
      const predict = yield* predictor
      for (const [question, plain] of READ) {
        const slots = readByRules(question)
        const grammar = { slots, plans: makePlans(slots), isRead: slots.unknown.length === 0, isTranslated: true }
        const second = readAgain([putInEnglish(question, WORKSPACE.names)], grammar, WORKSPACE, TODAY, predict)
        assert.strictEqual(
          second.kind === "read" ? planKey(second.plans) : second.kind,
          planKey(makePlans(readByRules(plain))),
          question,
        )
      }
    }),
  )

  it.each([
    "¿Cuántos nuevos negocios hay este mes?",
    "Combien de nouveaux contrats ce mois-ci ?",
    "Gewonnene Deals in Skandinavien",
    "Affaires perdues en Angleterre et en Irlande",
  ])("has no name that only resembles what it says: %s", (question) =>
    assert.deepStrictEqual(readByRules(question).names, []),
  )

  it("leaves the capitals of names, and puts German nouns in lower case", () => {
    assert.strictEqual(putInEnglish("Der Tisch von Dmitri Tanaka", WORKSPACE.names), "tisch by Dmitri Tanaka")
  })
})

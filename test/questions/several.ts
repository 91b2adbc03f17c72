/** A question with several readings, and the number of each: `sql` runs once for the fiscal year and once for the calendar year. */
export interface Several {
  readonly question: string
  /** Queries with one row over the views of `views.ts`, whose numbers the answer shows. */
  readonly sql: ReadonlyArray<string>
}

type When = (day: string) => string
const quarter =
  (n: number): When =>
  (day) =>
    `in_numbered_quarter(${day}, ${n})`
const quarterOf =
  (n: number, year: number): When =>
  (day) =>
    `fiscal_quarter(${day}) = ${n} and fiscal_year(${day}) = ${year}`
const halfOf =
  (n: number, year: number): When =>
  (day) =>
    `(fiscal_quarter(${day}) + 1) / 2 = ${n} and fiscal_year(${day}) = ${year}`

const rate = (when: When, more = "true", day = "close_date") => [
  `select avg((outcome = 'won')::int) as rate from d where outcome <> 'open' and ${when(day)} and ${more}`,
]
const count = (when: When, more = "true", day = "close_date") => [
  `select count(*) as deals from d where ${when(day)} and ${more}`,
]
const list = (when: When, more: string) => [
  `select count(*) as deals, sum(amount) as amount from d where ${when("close_date")} and ${more}`,
]
const sum = (when: When, more = "outcome = 'won'", day = "close_date") => [
  `select sum(amount) as amount from d where ${when(day)} and ${more}`,
]
const against = (name: string) => `id in (select deal_id from rivals where competitor = '${name}')`
const [WON, LOST] = ["outcome = 'won'", "outcome = 'lost'"]
const ofBoth = (sql: (owner: string) => string) =>
  ["Bastian Grabowski", "Oluwaseun Grabowski"].map((owner) => sql(`owner = '${owner}'`))

/** Questions about the demo, whose fiscal year begins in February and which has two people named Grabowski. */
export const SEVERAL: ReadonlyArray<Several> = [
  { question: "What was our win rate in Q3?", sql: rate(quarter(3)) },
  { question: "win rate Q2", sql: rate(quarter(2)) },
  { question: "How did our win rate look in Q1?", sql: rate(quarter(1)) },
  { question: "what's the win rate for q4", sql: rate(quarter(4)) },
  { question: "Win rate against Orvanta in Q3?", sql: rate(quarter(3), against("Orvanta")) },
  { question: "Our win rate vs Nimbrel, Q2", sql: rate(quarter(2), against("Nimbrel")) },
  { question: "Q1 win rate against Tallowmark", sql: rate(quarter(1), against("Tallowmark")) },
  { question: "What is the win rate in DACH in Q2?", sql: rate(quarter(2), "region = 'DACH'") },
  { question: "nordics win rate q3", sql: rate(quarter(3), "region = 'Nordics'") },
  { question: "What share of deals did we win in Q2 2025?", sql: rate(quarterOf(2, 2025)) },
  { question: "Win rate for Q4 2025, please", sql: rate(quarterOf(4, 2025)) },
  { question: "What was our win rate in the first half of 2026?", sql: rate(halfOf(1, 2026)) },
  { question: "win rate H1 2026", sql: rate(halfOf(1, 2026)) },
  { question: "How many deals did we win in Q3?", sql: count(quarter(3), WON) },
  { question: "how many deals won q2", sql: count(quarter(2), WON) },
  { question: "number of deals won in the first quarter", sql: count(quarter(1), WON) },
  { question: "deals won in Q3 2025?", sql: count(quarterOf(3, 2025), WON) },
  { question: "How many did we lose in Q3?", sql: count(quarter(3), LOST) },
  { question: "count of lost deals, Q2", sql: count(quarter(2), LOST) },
  {
    question: "How many deals did we lose to Orvanta in Q2?",
    sql: count(quarter(2), `${LOST} and ${against("Orvanta")}`),
  },
  { question: "losses against Sparrowdesk in Q1", sql: count(quarter(1), `${LOST} and ${against("Sparrowdesk")}`) },
  { question: "How many deals were lost in the second quarter of 2025?", sql: count(quarterOf(2, 2025), LOST) },
  { question: "How many deals did we win in APAC in Q2?", sql: count(quarter(2), `${WON} and region = 'APAC'`) },
  { question: "deals won in Retail in Q3", sql: list(quarter(3), `${WON} and industry = 'Retail'`) },
  { question: "How many deals did we win in H1 2025?", sql: count(halfOf(1, 2025), WON) },
  { question: "How many renewals did we win in Q2?", sql: count(quarter(2), `${WON} and type = 'Renewal'`) },
  { question: "What was our revenue in Q3?", sql: sum(quarter(3)) },
  { question: "revenue q2", sql: sum(quarter(2)) },
  { question: "Q1 revenue?", sql: sum(quarter(1)) },
  { question: "bookings in Q4", sql: sum(quarter(4)) },
  { question: "How much revenue did we book in Q2 2025?", sql: sum(quarterOf(2, 2025)) },
  { question: "total revenue for Q3 2025", sql: sum(quarterOf(3, 2025)) },
  { question: "revenue in DACH, Q3", sql: sum(quarter(3), `${WON} and region = 'DACH'`) },
  { question: "What revenue came from Healthcare in Q2?", sql: sum(quarter(2), `${WON} and industry = 'Healthcare'`) },
  { question: "Revenue for the first half of 2025", sql: sum(halfOf(1, 2025)) },
  { question: "turnover H2 2025", sql: sum(halfOf(2, 2025)) },
  { question: "How much money did we lose in Q3?", sql: sum(quarter(3), LOST) },
  { question: "value of the deals lost in Q2", sql: sum(quarter(2), LOST) },
  { question: "amount lost to Nimbrel in Q3", sql: sum(quarter(3), `${LOST} and ${against("Nimbrel")}`) },
  { question: "How many deals were created in Q3?", sql: count(quarter(3), "true", "created") },
  { question: "deals created in Q2", sql: count(quarter(2), "true", "created") },
  { question: "How many new deals were created in Q1 2026?", sql: count(quarterOf(1, 2026), "true", "created") },
  {
    question: "What was the average deal size of won deals in Q3?",
    sql: [`select avg(amount) as amount from d where ${WON} and in_numbered_quarter(close_date, 3)`],
  },
  {
    question: "average size of lost deals in Q2",
    sql: [`select avg(amount) as amount from d where ${LOST} and in_numbered_quarter(close_date, 2)`],
  },
  { question: "Wie hoch war der Umsatz in Q2?", sql: sum(quarter(2)) },
  { question: "Wie viele Deals haben wir in Q3 verloren?", sql: count(quarter(3), LOST) },
  { question: "¿Cuántos negocios ganamos en Q3?", sql: count(quarter(3), WON) },
  { question: "Combien d'affaires avons-nous gagnées en Q2 ?", sql: count(quarter(2), WON) },
  {
    question: "how many deals did Grabowski win?",
    sql: ofBoth((own) => `select count(*) as deals from d where ${WON} and ${own}`),
  },
  {
    question: "How many deals did Grabowski lose?",
    sql: ofBoth((own) => `select count(*) as deals from d where ${LOST} and ${own}`),
  },
  {
    question: "What is Grabowski's win rate?",
    sql: ofBoth((own) => `select avg((outcome = 'won')::int) as rate from d where outcome <> 'open' and ${own}`),
  },
  {
    question: "win rate of Grabowski",
    sql: ofBoth((own) => `select avg((outcome = 'won')::int) as rate from d where outcome <> 'open' and ${own}`),
  },
  {
    question: "revenue of Grabowski",
    sql: ofBoth((own) => `select sum(amount) as amount from d where ${WON} and ${own}`),
  },
  {
    question: "How much revenue did Grabowski bring in?",
    sql: ofBoth((own) => `select sum(amount) as amount from d where ${WON} and ${own}`),
  },
  {
    question: "Grabowski's pipeline",
    sql: ofBoth((own) => `select sum(amount) as amount from d where outcome = 'open' and ${own}`),
  },
  {
    question: "What is the open pipeline of Grabowski?",
    sql: ofBoth((own) => `select sum(amount) as amount from d where outcome = 'open' and ${own}`),
  },
  {
    question: "How many open deals does Grabowski have?",
    sql: ofBoth((own) => `select count(*) as deals from d where outcome = 'open' and ${own}`),
  },
  {
    question: "Grabowski win rate against Orvanta",
    sql: ofBoth(
      (own) =>
        `select avg((outcome = 'won')::int) as rate from d where outcome <> 'open' and ${own} and ${against("Orvanta")}`,
    ),
  },
  {
    question: "How many deals did Grabowski lose to Nimbrel?",
    sql: ofBoth((own) => `select count(*) as deals from d where ${LOST} and ${own} and ${against("Nimbrel")}`),
  },
  {
    question: "Wie viele Deals hat Grabowski gewonnen?",
    sql: ofBoth((own) => `select count(*) as deals from d where ${WON} and ${own}`),
  },
]

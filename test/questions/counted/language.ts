import { questions, ranking, rows } from "../question.ts"

export const language = [
  ...questions("language", "demo", {
    "de-lost-quarter": [
      "Wie viele Deals haben wir letztes Quartal verloren?",
      rows(`select count(*) as deals from d where outcome = 'lost' and in_quarter(close_date, -1)`),
      "de",
    ],
    "de-top-reps": [
      "Top 3 Vertriebler nach Umsatz",
      ranking(3, `select owner as name, sum(amount) as amount from d where outcome = 'won' group by 1 order by 2 desc`),
      "de",
    ],
    "de-pipeline": [
      "Wie groß ist die Pipeline in DACH?",
      rows(`select sum(amount) as amount from d where outcome = 'open' and region = 'DACH'`),
      "de",
    ],
    "es-lost": [
      "¿Cuántos negocios perdimos este año?",
      rows(`select count(*) as deals from d where outcome = 'lost' and in_year(close_date, 0)`),
      "es",
    ],
    "es-win-rate": [
      "tasa de éxito por región",
      rows(`select region as name, avg((outcome = 'won')::int) as rate from d where outcome <> 'open' group by 1`),
      "es",
    ],
    "es-revenue": [
      "¿cuáles fueron los ingresos el trimestre pasado?",
      rows(`select sum(amount) as amount from d where outcome = 'won' and in_quarter(close_date, -1)`),
      "es",
    ],
  }),
  ...questions("language", "crm", {
    "es-best-rep": [
      "¿quién es el mejor vendedor por ingresos?",
      ranking(1, `select owner as name, sum(amount) as amount from d where outcome = 'won' group by 1 order by 2 desc`),
      "es",
    ],
    "fr-won": [
      "combien d'affaires gagnées en mars 2025 ?",
      rows(
        `select count(*) as deals from d where outcome = 'won' and close_date >= '2025-03-01' and close_date < '2025-04-01'`,
      ),
      "fr",
    ],
  }),
]

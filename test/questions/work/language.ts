import { questions, ranking, rows } from "../question.ts"

export const language = [
  ...questions("language", "demo", {
    "de-win-rate-competitor": [
      "Abschlussquote nach Wettbewerber",
      rows(
        `select competitor as name, avg((outcome = 'won')::int) as rate from d join rivals on deal_id = id where outcome <> 'open' group by 1`,
      ),
      "de",
    ],
    "de-why": [
      "Warum verlieren wir gegen Orvanta?",
      ranking(
        3,
        `select reason as name, count(*) as deals from d join drivers on deal_id = d.id join rivals on rivals.deal_id = d.id where outcome = 'lost' and not positive and competitor = 'Orvanta' group by 1 order by 2 desc`,
      ),
      "de",
    ],
    "es-biggest": [
      "el negocio abierto más grande",
      ranking(1, `select name, amount from d where outcome = 'open' and amount is not null order by 2 desc limit 20`),
      "es",
    ],
    "fr-lost": [
      "Combien d'affaires avons-nous perdues contre Nimbrel ?",
      rows(
        `select count(*) as deals from d join rivals on deal_id = id where outcome = 'lost' and competitor = 'Nimbrel'`,
      ),
      "fr",
    ],
    "fr-win-rate": [
      "quel est notre taux de réussite cette année ?",
      rows(`select avg((outcome = 'won')::int) as rate from d where outcome <> 'open' and in_year(close_date, 0)`),
      "fr",
    ],
    "fr-by-industry": [
      "chiffre d'affaires par secteur",
      rows(`select industry as name, sum(amount) as amount from d where outcome = 'won' group by 1`),
      "fr",
    ],
  }),
  ...questions("language", "crm", {
    "de-revenue": ["Gesamtumsatz bitte", rows(`select sum(amount) as amount from d where outcome = 'won'`), "de"],
    "de-cycle": [
      "Wie lang ist unser durchschnittlicher Verkaufszyklus?",
      rows(`select avg(cycle) as days from d where outcome <> 'open'`),
      "de",
    ],
  }),
]

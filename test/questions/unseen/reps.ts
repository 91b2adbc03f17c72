import { asks, asksOf, questions, ranking, refuses, rows, says, tells } from "../question.ts"

/** The questions of enablement and reps. */
export const reps = [
  ...questions("misspelt", "demo", {
    "makers-tallomark": [
      "win rate vs Tallomark",
      rows(
        `select avg((outcome = 'won')::int) as rate from d join rivals on deal_id = id where outcome <> 'open' and competitor = 'Tallowmark'`,
      ),
    ],
    "makers-scenaro": [
      "mentions of scenaro planing",
      rows(
        `select count(*) as mentions from mentions where feature = 'Scenario planning'`,
        `select count(distinct deal_id) as deals from mentions where feature = 'Scenario planning'`,
      ),
    ],
    "makers-revenu-regoin": [
      "revenu by regoin last quater",
      rows(
        `select region as name, sum(amount) as amount from d where outcome = 'won' and in_quarter(close_date, -1) group by 1`,
      ),
    ],
  }),
  ...questions("misspelt", "crm", {
    "makers-telecomunication": [
      "won telecomunications deals",
      rows(`select count(*) as deals from d where outcome = 'won' and industry = 'telecommunications'`),
    ],
  }),
  ...questions("ambiguous", "demo", {
    "makers-grabowski": ["Grabowski's win rate", asks("Bastian Grabowski", "Oluwaseun Grabowski")],
    "makers-rothmere": [
      "amount open with Rothmere",
      asksOf(`select distinct client as name from d where client like 'Rothmere %'`),
    ],
  }),
  ...questions("language", "demo", {
    "makers-de-warum": [
      "Woran scheitern wir in DACH am häufigsten?",
      ranking(
        3,
        `select reason as name, count(*) as deals from d join drivers on deal_id = id where outcome = 'lost' and not positive and region = 'DACH' group by 1 order by 2 desc`,
      ),
      "de",
    ],
    "makers-es-competidor": [
      "¿Contra qué competidor perdemos más?",
      ranking(
        1,
        `select competitor as name, count(*) as deals from d join rivals on deal_id = id where outcome = 'lost' group by 1 order by 2 desc`,
      ),
      "es",
    ],
    "makers-fr-fonction": [
      "Quelle fonctionnalité est la plus demandée ?",
      ranking(
        1,
        `select feature as name, count(*) as mentions from mentions group by 1 order by 2 desc`,
        `select feature as name, count(distinct deal_id) as deals from mentions group by 1 order by 2 desc`,
      ),
      "fr",
    ],
    "makers-es-trimestre": [
      "ingresos por trimestre",
      rows(
        `select quarter_name(quarter_start(n)) as name, sum(amount) as amount from generate_series(-6, -1) n join d on outcome = 'won' and in_quarter(close_date, n) group by n order by n`,
      ),
      "es",
    ],
    "makers-fr-moyen": [
      "montant moyen des affaires gagnées contre Orvanta",
      rows(
        `select avg(amount) as amount from d join rivals on deal_id = id where outcome = 'won' and competitor = 'Orvanta'`,
      ),
      "fr",
    ],
  }),
  ...questions("follow-up", "demo", {
    "makers-why-those": [
      ["how many renewals did we lose last fiscal year?", "why?"],
      ranking(
        3,
        `select reason as name, count(*) as deals from d join drivers on deal_id = id where outcome = 'lost' and not positive and type = 'Renewal' and in_year(close_date, -1) group by 1 order by 2 desc`,
      ),
    ],
    "makers-list-them": [
      ["how many open deals does Elif Zimmer have in Negotiation?", "show me the three largest"],
      ranking(
        3,
        `select name, amount from d where outcome = 'open' and owner = 'Elif Zimmer' and stage = 'Negotiation' and amount is not null order by 2 desc`,
      ),
    ],
    "makers-percent": [
      ["lost deals by competitor", "as a rate, please"],
      rows(
        `select competitor as name, avg((outcome = 'lost')::int) as rate from d join rivals on deal_id = id where outcome <> 'open' group by 1`,
        `select competitor as name, count(*)::float / (select count(*) from d where outcome = 'lost') as share from d join rivals on deal_id = id where outcome = 'lost' group by 1`,
        `select competitor as name, avg((outcome = 'won')::int) as rate from d join rivals on deal_id = id where outcome <> 'open' group by 1`,
      ),
    ],
    "makers-drop-filter": [
      ["average won deal in Retail", "and across all industries?"],
      rows(
        `select avg(amount) as amount from d where outcome = 'won'`,
        `select industry as name, avg(amount) as amount from d where outcome = 'won' group by 1`,
      ),
    ],
  }),
  ...questions("brief", "demo", {
    "makers-battle": [
      "up against Sparrowdesk tomorrow. what should I know?",
      tells(
        `select '$48' as price, count(*) filter (where outcome = 'won') as won, count(*) filter (where outcome = 'lost') as lost from d join rivals on deal_id = id where competitor = 'Sparrowdesk'`,
      ),
    ],
    "makers-es-resumen": [
      "hazme un resumen de Tallowmark",
      tells(
        `select '$26' as price, count(*) filter (where outcome = 'won') as won, count(*) filter (where outcome = 'lost') as lost from d join rivals on deal_id = id where competitor = 'Tallowmark'`,
      ),
      "es",
    ],
  }),
  ...questions("documents", "demo", {
    "makers-host-dublin": [
      "which competitors keep customer data in Dublin?",
      says("Sparrowdesk", "Tallowmark", "Dublin"),
    ],
    "makers-setup-nimbrel": ["setup fee at Nimbrel?", says("24,500")],
    "makers-price-rise": ["is Tallowmark raising its prices?", says(["$29", "$3"], "per seat per month from")],
  }),
  ...questions("library", "demo", {
    "makers-marrowfield": ["why was Marrowfield Docks lost?", says("finance director")],
    "makers-halvern-left": ["Halvern Credit: what made them leave Tallowmark?", says("two outages")],
    "makers-caldrith-sites": ["in how many sites does Caldrith Hotels want the rollout", says("4 sites")],
  }),
  ...questions("unanswerable", "demo", {
    "makers-nps": ["NPS by product", refuses("NPS")],
    "makers-competitor-unknown": [
      "how often do we lose to Salesforce?",
      refuses("Salesforce", ["Orvanta", "Tallowmark"]),
    ],
    "makers-battery": ["what does Orvanta charge for on-site training?", refuses()],
    "makers-weather": ["will it rain in Basel tomorrow", refuses()],
  }),
  ...questions("unanswerable", "crm", {
    "makers-regions-crm": ["revenue by region", refuses("region")],
  }),
]

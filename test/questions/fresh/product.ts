import { questions, ranking, refuses, rows, says, tells } from "../question.ts"

/** The questions of a product manager. */
export const product = [
  ...questions("features", "demo", {
    "product-pipeline-by-feature": [
      "which 3 features have the most open pipeline riding on them?",
      ranking(
        3,
        `select feature as name, sum(amount) as amount from mentions join d on id = deal_id where outcome = 'open' group by 1 order by 2 desc`,
      ),
    ],
    "product-worst-rated": [
      "Which feature has the highest share of negative mentions?",
      ranking(
        1,
        `select feature as name, avg((not sentiment)::int) as share from mentions where sentiment is not null group by 1 order by 2 desc`,
        `select feature as name, count(*) filter (where not sentiment)::float / count(*) as share from mentions group by 1 order by 2 desc`,
      ),
    ],
    "product-sso-must-have": [
      "single sign-on tagged must-have – how many times",
      rows(`select count(*) as mentions from mentions where feature = 'Single sign-on' and 'must-have' = any(tags)`),
    ],
    "product-blocked-pipeline": [
      "how much open pipeline hangs on a feature tagged blocker?",
      rows(
        `select sum(amount) as amount from d where outcome = 'open' and id in (select deal_id from mentions where 'blocker' = any(tags))`,
      ),
    ],
    "product-healthcare-feature": [
      "What feature do healthcare customers bring up most?",
      ranking(
        1,
        `select feature as name, count(*) as mentions from mentions join d on id = deal_id where industry = 'Healthcare' group by 1 order by 2 desc`,
        `select feature as name, count(distinct client) as clients from mentions join d on id = deal_id where industry = 'Healthcare' group by 1 order by 2 desc`,
      ),
    ],
    "product-least-mentioned": [
      "the feature nobody cares about, i.e. fewest mentions",
      ranking(1, `select feature as name, count(*) as mentions from mentions group by 1 order by 2`),
    ],
    "product-by-line": [
      "feature mentions per product",
      rows(
        `select product as name, count(*) as mentions from mentions group by 1`,
        `select label as name, count(*) as mentions from mentions join labels using (deal_id) group by 1`,
      ),
    ],
    "product-audit-trail-lost": [
      "How often did audit trail come up in deals we lost last fiscal year?",
      rows(
        `select count(*) as mentions from mentions join d on id = deal_id where outcome = 'lost' and feature = 'Audit trail' and in_year(close_date, -1)`,
        `select count(*) as mentions from mentions join d on id = deal_id where outcome = 'lost' and feature = 'Audit trail' and in_year(asked, -1)`,
      ),
    ],
  }),
  ...questions("reasons", "demo", {
    "product-mobile-app-against": [
      "how many times did the mobile app speak against us, in any deal?",
      rows(`select count(*) as deals from drivers where not positive and reason = 'Mobile app'`),
    ],
    "product-win-categories": [
      "which categories of reasons win us deals? top three",
      ranking(
        3,
        `select category as name, count(distinct deal_id) as deals from d join drivers on deal_id = id where outcome = 'won' and positive group by 1 order by 2 desc`,
        `select category as name, count(*) as deals from d join drivers on deal_id = id where outcome = 'won' and positive group by 1 order by 2 desc`,
      ),
    ],
    "product-reporting-sides": [
      "Is Reporting a plus or a minus for us? count both sides",
      rows(
        `select count(*) filter (where positive) as positive, count(*) filter (where not positive) as negative from drivers where reason = 'Reporting'`,
      ),
    ],
  }),
  ...questions("trend", "demo", {
    "product-barcode-by-quarter": [
      "barcode scanning mentions by quarter",
      rows(
        `select quarter_name(quarter_start(n)) as name, count(*) as mentions from generate_series(-6, -1) n join mentions on feature = 'Barcode scanning' and in_quarter(asked, n) group by n order by n`,
        `select quarter_name(quarter_start(n)) as name, count(*) as mentions from generate_series(-6, -1) n join (mentions join d on id = deal_id) on feature = 'Barcode scanning' and in_quarter(close_date, n) group by n order by n`,
      ),
    ],
  }),
  ...questions("share", "demo", {
    "product-positive-share": [
      "what % of workflow builder mentions are positive",
      rows(
        `select avg(sentiment::int) as share from mentions where feature = 'Workflow builder'`,
        `select count(*) filter (where sentiment)::float / count(*) as share from mentions where feature = 'Workflow builder'`,
      ),
    ],
  }),
  ...questions("rate", "demo", {
    "product-rate-with-dashboards": [
      "win rate of deals in which custom dashboards came up",
      rows(
        `select avg((outcome = 'won')::int) as rate from d where outcome <> 'open' and id in (select deal_id from mentions where feature = 'Custom dashboards')`,
      ),
    ],
    "product-rate-signal": [
      "Quellaria Signal win rate pls",
      rows(
        `select avg((outcome = 'won')::int) as rate from d join labels on deal_id = id where outcome <> 'open' and label = 'Quellaria Signal'`,
      ),
    ],
  }),
  ...questions("score", "demo", {
    "product-fit-won-lost": [
      "product fit: won deals versus lost deals",
      rows(`select outcome as name, avg(product_fit) as score from d where outcome <> 'open' group by 1`),
    ],
    "product-best-fit-region": [
      "In which region is the product fit best?",
      ranking(1, `select region as name, avg(product_fit) as score from d group by 1 order by 2 desc`),
    ],
  }),
  ...questions("compared", "demo", {
    "product-flow-ledger": [
      "Flow or Ledger: which one brought more revenue so far?",
      rows(
        `select label || '|' || split_part(label, ' ', 2) as name, sum(amount) as amount from d join labels on deal_id = id where outcome = 'won' and label in ('Quellaria Flow', 'Quellaria Ledger') group by 1`,
      ),
    ],
  }),
  ...questions("follow-up", "demo", {
    "product-of-those-won": [
      ["how many deals mention scenario planning?", "how many of those did we win?"],
      rows(
        `select count(*) as deals from d where outcome = 'won' and id in (select deal_id from mentions where feature = 'Scenario planning')`,
      ),
    ],
  }),
  ...questions("misspelt", "demo", {
    "product-spredsheet": [
      "how many mentions of spredsheet imports",
      rows(`select count(*) as mentions from mentions where feature = 'Spreadsheet import'`),
    ],
  }),
  ...questions("documents", "demo", {
    "product-offline-top-plan": [
      "which competitors have offline mode only in the highest plan?",
      says("Nimbrel", "Sparrowdesk"),
    ],
    "product-dublin": ["Who hosts in Dublin?", says("Tallowmark", "Sparrowdesk")],
  }),
  ...questions("brief", "demo", {
    "product-istrand": [
      "summarise what happened at Istrand Outfitters",
      tells(
        `select 'Lost' as stage, amount, 'Total cost|a third above' as reason, 'Nimbrel' as rival from d where client = 'Istrand Outfitters'`,
      ),
    ],
  }),
  ...questions("unanswerable", "demo", {
    "product-roadmap-date": ["when does the new workflow builder ship?", refuses()],
    "product-dark-mode": ["how often was dark mode requested", refuses("dark mode")],
  }),
]

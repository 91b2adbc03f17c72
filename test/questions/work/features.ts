import { questions, ranking, rows } from "../question.ts"

export const features = [
  ...questions("features", "demo", {
    "sso-mentions": [
      "how often was single sign-on mentioned?",
      rows(`select count(*) as mentions from mentions where feature = 'Single sign-on'`),
    ],
    "by-area": [
      "feature mentions by product area",
      rows(`select area as name, count(*) as mentions from mentions group by 1`),
    ],
    blockers: [
      "which feature is tagged blocker the most?",
      ranking(
        1,
        `select feature as name, count(*) as mentions from mentions where 'blocker' = any(tags) group by 1 order by 2 desc`,
      ),
    ],
    "best-liked": [
      "what do customers like best, feature-wise",
      ranking(
        1,
        `select feature as name, count(*) as mentions from mentions where sentiment group by 1 order by 2 desc`,
      ),
    ],
    "open-pipeline-api": [
      "open pipeline that depends on Open API",
      rows(
        `select sum(amount) as amount from mentions join d on id = deal_id where outcome = 'open' and feature = 'Open API'`,
      ),
    ],
    "requests-last-quarter": [
      "feature requests last quarter, top 5",
      ranking(
        5,
        `select feature as name, count(*) as mentions from mentions where in_quarter(asked, -1) group by 1 order by 2 desc`,
      ),
    ],
    "barcode-customers": [
      "how many customers asked for barcode scanning?",
      rows(
        `select count(distinct client) as clients from mentions join d on id = deal_id where feature = 'Barcode scanning'`,
      ),
    ],
  }),
]

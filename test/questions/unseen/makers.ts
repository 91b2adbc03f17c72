import { introduces, questions, ranking, rows } from "../question.ts"

/** The questions of product managers and analysts. */
export const makers = [
  ...questions("greeting", "demo", {
    "makers-new-here": ["hey, I'm new here. what is this good for?", introduces],
  }),
  ...questions("count", "demo", {
    "makers-analyzed": [
      "how many of our decided deals have been analyzed?",
      rows(`select count(*) as deals from d where outcome <> 'open' and analyzed`),
    ],
    "makers-security-open": [
      "open deals with a security review",
      rows(`select count(*) as deals from d where outcome = 'open' and (crm ->> 'security_review')::boolean`),
    ],
  }),
  ...questions("count", "crm", {
    "makers-no-account": [
      "how many opportunities have no account?",
      rows(`select count(*) as deals from d where client is null`),
    ],
  }),
  ...questions("features", "demo", {
    "makers-complaints": [
      "which features do prospects complain about most?",
      ranking(
        3,
        `select feature as name, count(*) as mentions from mentions where not sentiment group by 1 order by 2 desc`,
        `select feature as name, count(distinct deal_id) as deals from mentions where not sentiment group by 1 order by 2 desc`,
      ),
    ],
    "makers-sso-losses": [
      "in how many lost deals did single sign-on come up negatively?",
      rows(
        `select count(distinct deal_id) as deals from mentions join d on id = deal_id where outcome = 'lost' and feature = 'Single sign-on' and not sentiment`,
      ),
    ],
    "makers-open-money-offline": [
      "open pipeline value that asks for offline mode",
      rows(
        `select sum(amount) as amount from d where outcome = 'open' and id in (select deal_id from mentions where feature = 'Offline mode')`,
      ),
    ],
    "makers-areas": [
      "requests per product area",
      rows(
        `select area as name, count(*) as mentions from mentions group by 1`,
        `select area as name, count(distinct deal_id) as deals from mentions group by 1`,
      ),
    ],
    "makers-must-have": [
      "what do people tag as must-have? top 3 features",
      ranking(
        3,
        `select feature as name, count(*) as mentions from mentions where 'must-have' = any (tags) group by 1 order by 2 desc`,
        `select feature as name, count(distinct deal_id) as deals from mentions where 'must-have' = any (tags) group by 1 order by 2 desc`,
      ),
    ],
    "makers-healthcare-wish": [
      "most wanted feature in healthcare",
      ranking(
        1,
        `select feature as name, count(*) as mentions from mentions join d on id = deal_id where industry = 'Healthcare' group by 1 order by 2 desc`,
        `select feature as name, count(distinct deal_id) as deals from mentions join d on id = deal_id where industry = 'Healthcare' group by 1 order by 2 desc`,
        `select feature as name, count(*) as mentions from mentions join d on id = deal_id where industry = 'Healthcare' and sentiment group by 1 order by 2 desc`,
      ),
    ],
  }),
  ...questions("reasons", "demo", {
    "makers-lose-on-price": [
      "how often is total cost the reason we lose?",
      rows(
        `select count(distinct deal_id) as deals from drivers join d on id = deal_id where outcome = 'lost' and not positive and reason = 'Total cost'`,
        `select avg((id in (select deal_id from drivers where not positive and reason = 'Total cost'))::int) as share from d where outcome = 'lost'`,
      ),
    ],
    "makers-why-win-energy": [
      "what makes energy companies choose us?",
      ranking(
        3,
        `select reason as name, count(*) as deals from d join drivers on deal_id = id where outcome = 'won' and positive and industry = 'Energy' group by 1 order by 2 desc`,
        `select reason as name, count(*) as deals from d join drivers on deal_id = id where positive and industry = 'Energy' group by 1 order by 2 desc`,
      ),
    ],
    "makers-categories": [
      "lost deals by category of reason",
      rows(
        `select category as name, count(distinct deal_id) as deals from d join drivers on deal_id = id where outcome = 'lost' and not positive group by 1`,
        `select category as name, count(distinct deal_id) as deals from d join drivers on deal_id = id where outcome = 'lost' group by 1`,
      ),
    ],
    "makers-mobile-win": [
      "did the mobile app help us more than it hurt us? deals for both",
      rows(
        `select case when positive then 'positive|for us|helped|spoke for' else 'negative|against us|hurt|spoke against' end as name, count(*) as deals from drivers where reason = 'Mobile app' group by 1`,
      ),
    ],
    "makers-brixen-wins": [
      "top three reasons we beat Brixen Suite",
      ranking(
        3,
        `select reason as name, count(*) as deals from d join drivers on deal_id = id where outcome = 'won' and positive and id in (select deal_id from rivals where competitor = 'Brixen Suite') group by 1 order by 2 desc`,
      ),
    ],
  }),
  ...questions("score", "demo", {
    "makers-score-fit-product": [
      "product fit score for Signal deals",
      rows(`select avg(product_fit) as score from d join labels on deal_id = id where label = 'Quellaria Signal'`),
    ],
    "makers-messaging": [
      "which region has the worst messaging fit?",
      ranking(1, `select region as name, avg(messaging_fit) as score from d group by 1 order by 2`),
    ],
    "makers-champion": [
      "avg champion strength, won against lost",
      rows(
        `select case outcome when 'won' then 'won|win' else 'lost|loss' end as name, avg((metrics -> 'champion_strength' ->> 'score')::float) as score from d where outcome <> 'open' group by outcome`,
      ),
    ],
  }),
  ...questions("filters", "demo", {
    "makers-three-filters": [
      "expansions in APAC lost to Sparrowdesk: how many and what amount",
      rows(
        `select count(*) as deals, coalesce(sum(amount), 0) as amount from d join rivals on deal_id = id where outcome = 'lost' and type = 'Expansion' and region = 'APAC' and competitor = 'Sparrowdesk'`,
      ),
    ],
    "makers-not-dach": [
      "open deals outside DACH",
      rows(`select count(*) as deals from d where outcome = 'open' and region <> 'DACH'`),
    ],
    "makers-between": [
      "deals between 40 and 60 thousand that we won in Retail, number",
      rows(
        `select count(*) as deals from d where outcome = 'won' and industry = 'Retail' and amount between 40000 and 60000`,
      ),
    ],
    "makers-large-employers": [
      "open deals with accounts of more than 1000 employees",
      rows(`select count(*) as deals from d where outcome = 'open' and (account ->> 'employee_count')::float > 1000`),
    ],
  }),
  ...questions("filters", "crm", {
    "makers-either-product": [
      "wins of GTX Basic or GTXPro in software during July 2025",
      rows(
        `select count(distinct id) as deals from d join labels on deal_id = id where outcome = 'won' and industry = 'software' and label in ('GTX Basic', 'GTXPro') and close_date >= '2025-07-01' and close_date < '2025-08-01'`,
      ),
    ],
  }),
  ...questions("trend", "crm", {
    "makers-weekly": [
      "won deals per month in the first half of 2025",
      rows(
        `select month_name(date_trunc('month', close_date)::date) as name, count(*) as deals from d where outcome = 'won' and close_date >= '2025-01-01' and close_date < '2025-07-01' group by date_trunc('month', close_date) order by date_trunc('month', close_date)`,
      ),
    ],
  }),
  ...questions("share", "crm", {
    "makers-engaging-share": [
      "what fraction of open opportunities is in Engaging",
      rows(`select avg((stage = 'Engaging')::int) as share from d where outcome = 'open'`),
    ],
  }),
]

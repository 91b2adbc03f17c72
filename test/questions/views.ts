import type { WorkspaceName } from "./question.ts"

/**
 * The tables of one organization under short names, and its calendar, for the SQL of truths:
 * - `d`: deals; `outcome` is open, won or lost; `created` is a date; `age` and `cycle` are days
 * - `rivals`: a competitor of a deal; `drivers`: a reason of a deal; `mentions`: a feature in a deal; `labels`: a product of a deal
 * - `texts`: the text of each document, with the competitor or deal that it is about
 * - `in_month(day, -1)`, `in_quarter`, `in_year`: last month, quarter, year; 0 is the running one
 * - `in_named_month(day, 3)`: the latest March that has begun; `in_numbered_quarter(day, 2)` likewise; `in_fiscal_year(day, 2026)`
 * - `ytd(day)`, `last_days(day, 90)`, `in_week(day, -1)`; `month_name`, `quarter_name`, `year_name`: the ways to write a period
 */
export const viewsOf = (workspace: WorkspaceName, org: string): ReadonlyArray<string> => {
  const own = `org_id = '${org.replaceAll("'", "''")}'`
  const schema = `truth_${workspace}`
  return [
    `create schema ${schema}`,
    `set search_path = ${schema}, sightline, public`,
    "create function today() returns date language sql stable as $$ select current_setting('truth.today')::date $$",
    "create function fiscal_start() returns int language sql stable as $$ select current_setting('truth.fiscal_start')::int $$",
    `create function year_start(n int) returns date language sql stable as $$
      select (make_date(extract(year from today())::int, fiscal_start(), 1)
        - (case when extract(month from today()) < fiscal_start() then interval '1 year' else interval '0' end)
        + n * interval '1 year')::date $$`,
    `create function quarter_start(n int) returns date language sql stable as $$
      select (date_trunc('month', today()::timestamp)
        - (((extract(month from today())::int - fiscal_start() + 12) % 3) * interval '1 month') + n * interval '3 months')::date $$`,
    `create function month_start(n int) returns date language sql stable as $$
      select (date_trunc('month', today()::timestamp) + n * interval '1 month')::date $$`,
    `create function week_start(n int) returns date language sql stable as $$
      select (date_trunc('week', today()::timestamp) + n * interval '7 days')::date $$`,
    ...["year", "quarter", "month", "week"].map(
      (grain) => `create function in_${grain}(day date, n int) returns boolean language sql stable as $$
        select day >= ${grain}_start(n) and day < ${grain}_start(n + 1) $$`,
    ),
    `create function in_named_month(day date, month int) returns boolean language sql stable as $$
      select in_month(day, -((extract(month from today())::int - month + 12) % 12)) $$`,
    `create function since_month(day date, month int) returns boolean language sql stable as $$
      select day >= month_start(-((extract(month from today())::int - month + 12) % 12)) and day <= today() $$`,
    `create function in_fiscal_year(day date, year int) returns boolean language sql stable as $$
      select extract(year from day + (((13 - fiscal_start()) % 12) * interval '1 month')) = year $$`,
    "create function ytd(day date) returns boolean language sql stable as $$ select day >= year_start(0) and day <= today() $$",
    `create function last_days(day date, n int) returns boolean language sql stable as $$
      select day > today() - n and day <= today() $$`,
    `create function month_name(day date) returns text language sql stable as $$
      select to_char(day, 'YYYY-MM|FMMonth YYYY|Mon YYYY') $$`,
    `create function fiscal_quarter(day date) returns int language sql stable as $$
      select ((extract(month from day)::int - fiscal_start() + 12) % 12) / 3 + 1 $$`,
    `create function in_numbered_quarter(day date, quarter int) returns boolean language sql stable as $$
      select in_quarter(day, -((fiscal_quarter(today()) - quarter + 4) % 4)) $$`,
    `create function fiscal_year(day date) returns int language sql stable as $$
      select extract(year from day + (((13 - fiscal_start()) % 12) * interval '1 month'))::int $$`,
    `create function quarter_name(day date) returns text language sql stable as $$
      select format('%s-Q%s|Q%s %s|Q%s FY%s|FY%s Q%s', fiscal_year(day), fiscal_quarter(day), fiscal_quarter(day), fiscal_year(day),
        fiscal_quarter(day), fiscal_year(day) % 100, fiscal_year(day) % 100, fiscal_quarter(day)) $$`,
    `create function year_name(day date) returns text language sql stable as $$
      select format('%s|FY%s|FY %s', fiscal_year(day), fiscal_year(day) % 100, fiscal_year(day)) $$`,
    `create view d as
      select d.id, d.name, d.amount, coalesce(s.category, 'open') as outcome, s.name as stage, o.name as owner, c.name as client,
        c.industry, c.crm_properties as account, d.region, d.type, d.close_date, d.created_at::date as created,
        today() - d.created_at::date as age, d.close_date - d.created_at::date as cycle,
        coalesce(s.category, 'open') = 'open' and d.close_date < today() as overdue, d.deal_analyzed as analyzed,
        d.wl_product_fit_score as product_fit, d.wl_sales_execution_score as sales_execution,
        d.wl_relationship_score as relationship, d.wl_price_sensitivity_score as price_sensitivity,
        d.wl_competitive_intensity_score as competitive_intensity, d.wl_customer_fit_score as customer_fit,
        d.wl_messaging_fit_score as messaging_fit, d.wl_messaging_accuracy_score as messaging_accuracy,
        d.crm_properties as crm, d.custom_metrics as metrics
      from deals d
        left join stages s on (s.org_id, s.id) = (d.org_id, d.status_id)
        left join owners o on (o.org_id, o.id) = (d.org_id, d.owner_id)
        left join clients c on (c.org_id, c.id) = (d.org_id, d.client_id)
      where d.${own}`,
    `create view rivals as
      select r.deal_id, c.name as competitor, r.is_primary, r.is_incumbent
      from deal_competitors r join competitors c on (c.org_id, c.id) = (r.org_id, r.competitor_id) where r.${own}`,
    `create view drivers as
      select r.deal_id, c.name as reason, c.category, r.positive
      from deal_drivers r join reasons c on (c.org_id, c.id) = (r.org_id, r.reason_id) where r.${own}`,
    `create view mentions as
      select r.deal_id, f.name as feature, f.product, f.product_area as area, r.sentiment, r.created_at::date as asked, r.tags
      from associations r join features f on (f.org_id, f.id) = (r.org_id, r.feature_id) where r.${own}`,
    `create view labels as select deal_id, label from deal_product_labels where ${own}`,
    `create view texts as
      select t.body, d.file_name, d.type, c.name as competitor, d.deal_id
      from documents d join document_texts t on (t.org_id, t.document_id) = (d.org_id, d.id)
        left join competitors c on (c.org_id, c.id) = (d.org_id, d.competitor_id) where d.${own}`,
  ]
}

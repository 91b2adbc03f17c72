import * as Effect from "effect/Effect"
import { ApiKeys } from "../../src/core/keys/ApiKeys.ts"
import { BEFORE, connect, dropIndexes, run, type Server } from "./database.ts"
import { GENEROUS, insertFolded, seed } from "./seed.ts"

/** Makes a database with one organization that has all the deals, and a member's key. */
export const makeWorkspaceDatabase = async (server: Server, deals: number) => {
  const url = new URL(server.url)
  url.pathname = `/workspace_${deals}`
  const maintenance = await connect(server.url)
  await maintenance.query(`create database workspace_${deals}`)
  await maintenance.end()
  const key = await run(url.href, async (services) => {
    const admin = await connect(url.href)
    for (const statement of BEFORE) await admin.query(statement)
    const indexes = await dropIndexes(admin)
    for (const statement of [...seed(deals, 1), ...CATALOGUE, "vacuum full deals", GENEROUS, ...indexes]) {
      await admin.query(statement)
    }
    await admin.query("vacuum (analyze)")
    await admin.end()
    return services(
      Effect.map(
        Effect.flatMap(ApiKeys, (keys) => keys.create(ORG, { name: "bench", role: "member" })),
        (made) => made.key,
      ),
    )
  })
  return { url: url.href, key }
}

export const ORG = "org_bench_1"
const org = `'${ORG}'`

/** SQL of `{"m_1": 1, "m_4": 4, …}`: each of `count` keys with a chance of `percent`. */
const someKeys = (prefix: string, count: number, percent: number) =>
  `coalesce((select jsonb_object_agg('${prefix}' || k, k) from generate_series(1, ${count}) k
    where abs(hashtext(d.id || '${prefix}' || k)) % 100 < ${percent}), '{}')`

/** What `seed` omits: metrics, answers, CRM properties, features with tags, labels and segments. */
export const CATALOGUE = [
  insertFolded("metrics", "org_id, id, name", `select ${org}, 'm_' || n, 'Metric ' || n from generate_series(1, 20) n`),
  insertFolded("answers", "org_id, id, name", `select ${org}, 'a_' || n, 'Answer ' || n from generate_series(1, 10) n`),
  `insert into crm_properties (org_id, crm, object, id, label, data_type)
   select ${org}, 'crm_one', 'deal', 'p_' || n, 'Property ' || n, 'number' from generate_series(1, 20) n
   union all select ${org}, 'crm_two', 'account', 'q_' || n, 'Account property ' || n, 'number' from generate_series(1, 10) n`,
  insertFolded(
    "features",
    "org_id, id, name, product, product_area",
    `select ${org}, 'feature_' || n, 'Feature ' || n, null, null from generate_series(1, 120) n`,
  ),
  `insert into segments (org_id, id, name, folded, filters) select ${org}, 'segment_' || n, 'Segment ' || n, 'segment ' || n,
     jsonb_build_object('region', array[(array['EMEA','AMER','APAC','LATAM'])[1 + n % 4]], 'amount', jsonb_build_object('min', n * 10000))
   from generate_series(1, 10) n`,
  `update deals d set custom_metrics = ${someKeys("m_", 20, 40)}, custom_answers = ${someKeys("a_", 10, 40)},
     crm_properties = ${someKeys("p_", 20, 60)}`,
  `update clients d set crm_properties = ${someKeys("q_", 10, 60)}`,
  insertFolded(
    "deal_product_labels",
    "org_id, deal_id, label",
    `select d.org_id, d.id, 'Label ' || (abs(hashtext(d.id)) + n * 5) % 30 from deals d, generate_series(0, 1) n`,
  ),
  `insert into associations (org_id, id, deal_id, feature_id, created_at, tags)
   select d.org_id, d.id || n, d.id, 'feature_' || 1 + (abs(hashtext(d.id)) + n * 11) % 120, d.created_at,
     array['tag ' || abs(hashtext(d.id)) % 25, 'tag ' || (abs(hashtext(d.id)) + n) % 25]
   from deals d, generate_series(1, 2) n`,
]

import assert from "node:assert/strict"
import * as Schema from "effect/Schema"
import { Associations } from "../../../src/core/intelligence/contract.ts"
import { section } from "../Check.ts"
import { type Client, invalidFields, refusal } from "../Client.ts"
import { ASSOCIATION_IDS } from "../dataset.ts"

const decode = Schema.decodeUnknownSync(Associations, { onExcessProperty: "error" })

/** Asserts the rows that match a query string, in any order. Returns the meta object. */
const finds = async (api: Client, query: string, expected: ReadonlyArray<string>) => {
  const reply = await api.request(`/product-intelligence?${query}`)
  assert.equal(reply.status, 200, reply.text.slice(0, 500))
  const { data, meta } = decode(reply.json)
  assert.deepEqual(data.map(({ id }) => id).sort(), expected, query)
  assert.equal(meta.count, expected.length)
  return meta
}

const each = (cases: Readonly<Record<string, ReadonlyArray<string>>>) => async (api: Client) => {
  for (const [query, expected] of Object.entries(cases)) await finds(api, query, expected)
}

const NO_FILTER = { sentiment: null, date_from: null, date_to: null, product: null, product_area: null, tags: [] }

export const intelligence = section("GET /product-intelligence", [], {
  "the reply is data and meta, by the contract's schema": async (api) => {
    const reply = await api.get("/product-intelligence")
    assert.deepEqual(Object.keys(reply).sort(), ["data", "meta"])
    const { data, meta } = decode(reply)
    assert.deepEqual(meta, { count: data.length, ...NO_FILTER })
  },
  "meta echoes each applied filter, null for absent ones": async (api) => {
    const query = {
      date_from: "2026-01-01",
      date_to: "2026-12-31T12:00:00Z",
      sentiment: "neutral",
      tags: "a,b",
      product: "none such",
      product_area: "none such",
    }
    const { meta } = await api.get("/product-intelligence", query)
    assert.deepEqual(meta, { ...query, count: 0, tags: ["a", "b"] })
    const { meta: one } = await api.get("/product-intelligence", { product: "none such" })
    assert.deepEqual(one, { ...NO_FILTER, count: 0, product: "none such" })
  },
  "the newest come first": async (api) => {
    const { data } = await api.get("/product-intelligence")
    for (const [index, { created_at }] of data.slice(1).entries()) assert.ok(data[index].created_at >= created_at)
  },
  "400 for invalid parameters": async (api) => {
    const error = await api.bad("/product-intelligence", "date_from=yesterday&date_to=2026-13-01&sentiment=mixed&tag=a")
    assert.deepEqual([...invalidFields(error)].sort(), ["date_from", "date_to", "sentiment"])
    assert.deepEqual(error.details?.unknown_fields, ["tag"])
    assert.match(error.message, /such as 2026-03-31/)
    assert.match(error.message, /one of positive, negative, neutral/)
  },
  "400 if date_from is later than date_to": async (api) => {
    const error = await api.bad("/product-intelligence", "date_from=2026-03-02&date_to=2026-03-01")
    assert.deepEqual(invalidFields(error), ["date_from"])
    await api.get("/product-intelligence", { date_from: "2026-03-01", date_to: "2026-03-01" })
    await api.get("/product-intelligence", { date_from: "2026-03-01T23:00:00Z", date_to: "2026-03-01" })
  },
  "401 without a key": async (api) => {
    refusal(await api.request("/product-intelligence", { key: null }), 401, "unauthorized")
  },
})

/** Rows and filters, on the data set. */
export const intelligenceRows = section("GET /product-intelligence", ["data"], {
  "without filters there is one row for each association": async (api) => {
    await finds(api, "", ASSOCIATION_IDS)
    const { data } = await api.get("/product-intelligence")
    assert.equal(data.filter(({ feature_id }: { feature_id: string }) => feature_id === "f_sso").length, 3)
    assert.deepEqual(
      data.map(({ id }: { id: string }) => id),
      ["a05", "a06", "a04", "a03", "a02", "a01"],
    )
  },
  "a row holds the association, its feature, its deal and the deal's client": async (api) => {
    const { data } = await api.get("/product-intelligence", { tags: "security,must-have" })
    assert.deepEqual(data, [
      {
        id: "a01",
        created_at: "2026-02-01T00:00:00.000Z",
        deal_id: "d01",
        feature_id: "f_sso",
        influence_summary: "Asked for SSO",
        sentiment: true,
        tags: ["security", "must-have"],
        features: {
          id: "f_sso",
          name: "Single sign-on",
          description: "SAML and OIDC",
          product: "Platform",
          product_area: "Security",
        },
        deals: {
          id: "d01",
          name: "Northwind renewal",
          crm_one_id: "006A",
          crm_two_id: "9001",
          status: "Closed Won",
          amount: 12_000.5,
          close_date: "2026-01-31T00:00:00.000Z",
          created_at: "2026-01-01T00:00:00.000Z",
          updated_at: "2026-02-01T08:00:00.000Z",
          clients: {
            id: "c_north",
            name: "Northwind",
            crm_one_id: "001N",
            crm_two_id: "c-1",
            industry: "software",
            website_url: "https://northwind.example",
          },
        },
      },
    ])
  },
  "a missing summary, sentiment or client is null": async (api) => {
    const { data } = await api.get("/product-intelligence", { sentiment: "neutral", product: "Insights" })
    assert.equal(data[0].influence_summary, null)
    assert.equal(data[0].sentiment, null)
    assert.equal(data[0].deals.clients, null)
  },
  "date_from and date_to are inclusive": each({
    "date_from=2026-02-11T00:00:00Z": ["a04", "a05", "a06"],
    "date_from=2026-02-11T00:00:00.001Z": ["a05", "a06"],
    "date_from=2026-02-12": ["a05", "a06"],
    "date_to=2026-02-02T00:00:00Z": ["a01", "a02"],
    "date_from=2026-02-02&date_to=2026-02-11": ["a02", "a03", "a04"],
    "date_from=2026-02-11T01:00:00%2B01:00&date_to=2026-02-11T00:00:00Z": ["a04"],
  }),
  "a date_to without a time covers its whole day in UTC": each({
    "date_to=2026-02-10": ["a01", "a02", "a03"],
    "date_from=2026-02-10&date_to=2026-02-10": ["a03"],
  }),
  "sentiment is positive, negative or neutral (not recorded)": each({
    "sentiment=positive": ["a01", "a04", "a06"],
    "sentiment=negative": ["a02"],
    "sentiment=neutral": ["a03", "a05"],
  }),
  "tags are comma-separated or repeated; a row must have each of them, exactly": each({
    "tags=security": ["a01", "a02"],
    "tags=security,must-have": ["a01"],
    "tags=security&tags=must-have": ["a01"],
    "tags=%20security%20,%20must-have%20": ["a01"],
    "tags=secur": [],
    "tags=Security": [],
    "tags=a%20b": ["a06"],
  }),
  "product and product_area match exactly": each({
    "product=Platform": ["a01", "a02", "a03", "a04"],
    "product=platform": [],
    "product=Plat": [],
    "product_area=Security": ["a01", "a02", "a03"],
    "product=Platform&product_area=Integration": ["a04"],
    "product=Insights&product_area=Security": [],
  }),
  "filters join by AND": each({
    "sentiment=positive&product=Platform&date_to=2026-02-01": ["a01"],
    "sentiment=neutral&tags=must-have": ["a05"],
  }),
})

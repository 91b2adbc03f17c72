import { type Examples, json } from "../http/api/Example.ts"
import { FILTER_EXAMPLES } from "./filters/examples.ts"

const DEAL = {
  id: "deal_8f3k2",
  name: "Hartwell renewal",
  amount: 48000,
  status_id: "stage_lost",
  previous_status_id: "stage_negotiation",
  close_date: "2026-03-14",
  created_at: "2025-11-03T09:12:44.000Z",
  owner_id: "owner_farah",
  crm_one_id: "0061t00000ABCDE",
  crm_two_id: null,
  deal_analyzed: true,
  analysis_verified: false,
  type: "Renewal",
  region: "EMEA",
  deal_competitor_associations: [
    { competitor_id: "comp_orvanta", competitor_name: "Orvanta", is_primary: true, is_incumbent: false },
  ],
  drivers: [
    {
      reason_id: "reason_price",
      name: "Price",
      category: "Commercial",
      positive: false,
      summary: "Orvanta's three-year offer was a fifth lower.",
    },
  ],
  wl_product_fit_score: 4,
  wl_sales_execution_score: 3,
  wl_relationship_score: 4,
  wl_price_sensitivity_score: 5,
  wl_competitive_intensity_score: 4,
  wl_customer_fit_score: 4,
  wl_messaging_fit_score: 3,
  wl_messaging_accuracy_score: null,
}

export const dealsExamples = {
  list: {
    replies: "A page of deals, or their number with `count=true`.",
    query: {
      ...FILTER_EXAMPLES,
      page_size: 50,
      page_index: 0,
      cursor: "eyJvIjoiY3JlYXRlZF9hdCJ9",
      count: false,
      sort: "close_date",
      sort_order: "desc",
      columns: ["name", "amount", "deal_status"],
    },
    reply: json([DEAL]),
  },
  get: {
    path: { id: DEAL.id },
    replies: "The deal, with the requested columns.",
    query: { columns: ["name", "amount", "deal_status"] },
    reply: json({ id: "deal_8f3k2", name: "Hartwell renewal", amount: 48000, deal_status: "Lost" }),
  },
  update: {
    path: { id: DEAL.id },
    replies: "The whole deal after the change.",
    request: json({ status: "Won", amount: 52000, drivers: [{ reason: "Price", positive: true }] }),
    reply: json({ ...DEAL, amount: 52000, status_id: "stage_won", previous_status_id: "stage_lost" }),
  },
  delete: { path: { id: DEAL.id }, replies: "The deal is deleted." },
  stages: {
    path: { id: DEAL.id },
    replies: "Every stage change, oldest first.",
    reply: json({
      data: [
        {
          changed_at: "2025-11-03T09:12:44.000Z",
          status: { id: "stage_negotiation", name: "Negotiation", category: "open" },
          previous_status: null,
        },
        {
          changed_at: "2026-03-14T16:05:00.000Z",
          status: { id: "stage_lost", name: "Lost", category: "lost" },
          previous_status: { id: "stage_negotiation", name: "Negotiation", category: "open" },
        },
      ],
    }),
  },
} satisfies Examples

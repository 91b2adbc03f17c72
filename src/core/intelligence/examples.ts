import { type Examples, json } from "../http/api/Example.ts"

export const intelligenceExamples = {
  export: {
    replies: "Every association that matches, and the applied filters.",
    query: {
      date_from: "2026-01-01",
      date_to: "2026-03-31",
      sentiment: "negative",
      tags: ["blocker", "q1"],
      product: "Platform",
      product_area: "Access",
    },
    reply: json({
      data: [
        {
          id: "assoc_51",
          created_at: "2026-03-02T10:30:00.000Z",
          deal_id: "deal_8f3k2",
          feature_id: "feature_sso",
          influence_summary: "Single sign-on with their identity provider is a condition of the contract.",
          sentiment: false,
          tags: ["blocker", "q1"],
          features: {
            id: "feature_sso",
            name: "Single sign-on",
            description: "SAML and OpenID Connect",
            product: "Platform",
            product_area: "Access",
          },
          deals: {
            id: "deal_8f3k2",
            name: "Hartwell renewal",
            crm_one_id: "0061t00000ABCDE",
            crm_two_id: null,
            status: "Lost",
            amount: 48000,
            close_date: "2026-03-14T00:00:00.000Z",
            created_at: "2025-11-03T09:12:44.000Z",
            updated_at: "2026-03-15T07:01:10.000Z",
            clients: {
              id: "client_hartwell",
              name: "Hartwell",
              crm_one_id: "0011t00000FGHIJ",
              crm_two_id: null,
              industry: "Logistics",
              website_url: "https://hartwell.example",
            },
          },
        },
      ],
      meta: {
        count: 1,
        sentiment: "negative",
        date_from: "2026-01-01",
        date_to: "2026-03-31",
        product: "Platform",
        product_area: "Access",
        tags: ["blocker", "q1"],
      },
    }),
  },
  delete: { path: { id: "assoc_51" }, replies: "The association is deleted." },
} satisfies Examples

import { type Examples, json } from "../http/api/Example.ts"

const QUOTE = "The price is too high for what we would use."

const finding = {
  id: "fnd_3f2a9c",
  kind: "driver",
  target: { id: "reason_price", name: "Price" },
  effect: "negative",
  claim: "mentioned",
  side: "buyer",
  speaker: "Dana Reyes (Hartwell)",
  quote: QUOTE,
  document_name: "Second call.vtt",
  document_id: "doc_7c1",
  start: 1204,
  end: 1204 + QUOTE.length,
  url: "https://sightline.example/v/AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyAhIiMk",
  start_second: 312.4,
  state: "proposed",
  by: "gpt-5-mini",
  judged_by: null,
  judged_at: null,
}

const analysis = {
  deal_id: "deal_8f3k2",
  state: "ready",
  stale: false,
  method: "model",
  model: "gpt-5-mini",
  run_id: "run_5d0",
  error: null,
  finished_at: "2026-03-15T08:00:02.000Z",
  verified_at: null,
  findings: [finding],
  omitted: 0,
  talk: [
    {
      document_id: "doc_7c1",
      document_name: "Second call.vtt",
      words: { buyer: 1210, seller: 1980, unknown: 0 },
      buyer_share: 0.379,
      questions: { buyer: 9, seller: 14, unknown: 0 },
      longest_monologue: {
        speaker: "Farah Rasmussen (Acme)",
        side: "seller",
        words: 312,
        seconds: 128.5,
        start: 5200,
        end: 6904,
        url: "https://sightline.example/v/AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyAhIiMk",
      },
    },
  ],
  next_steps: [
    {
      side: "seller",
      speaker: "Farah Rasmussen (Acme)",
      quote: "I will send you the security questionnaire by Friday.",
      withdrawn: false,
      document_id: "doc_7c1",
      start: 9100,
      end: 9153,
      url: "https://sightline.example/v/AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyAhIiMk",
    },
  ],
  sections: [
    {
      name: "decision_drivers",
      text: "The price is too high for what they would use.",
      reason: null,
      sentences: [{ text: "The price is too high for what they would use.", findings: ["fnd_3f2a9c", "fnd_81b0d4"] }],
    },
    { name: "competitive_landscape", text: null, reason: "fewer than two findings", sentences: [] },
  ],
  scorecard: [
    {
      metric: "price_sensitivity",
      score: 4,
      explanation: "The price is too high for what they would use.",
      reason: null,
      samples: [4, 5, 4],
      spread: 1,
      sentences: [{ text: "The price is too high for what they would use.", findings: ["fnd_3f2a9c", "fnd_81b0d4"] }],
    },
  ],
  custom_metrics: [],
  custom_answers: [
    {
      id: "answer_decider",
      name: "Who decides",
      text: null,
      value: null,
      reason: "not established",
      sentences: [],
    },
  ],
  dropped: { quote: 2, sentence: 1 },
  tokens: { input: 18_240, output: 2310 },
  conflicts: [
    {
      field: "drivers",
      target: { id: "reason_price", name: "Price" },
      recorded: "positive",
      findings: ["fnd_3f2a9c"],
    },
  ],
}

const spending = {
  month: "2026-03",
  tokens: { input: 1_240_500, output: 180_200 },
  cost: 0.67,
  budget: 5_000_000,
  resets_at: "2026-04-01T00:00:00.000Z",
}

const label = {
  id: "fnd_3f2a9c",
  kind: "driver",
  state: "accepted",
  deal_id: "deal_8f3k2",
  deal_name: "Hartwell renewal",
  found_target: "Price",
  found_effect: "negative",
  found_score: null,
  target: "Price",
  effect: "neutral",
  score: null,
  side: "buyer",
  speaker: "Dana Reyes (Hartwell)",
  quote: QUOTE,
  document_id: "doc_7c1",
  document_name: "Second call.vtt",
  start: 1204,
  end: 1204 + QUOTE.length,
  by: "gpt-5-mini",
  version: "prompt-1",
  judged_by: "key_ada",
  judged_at: "2026-03-15T09:12:44.000Z",
}

export const analysisExamples = {
  run: { path: { id: "deal_8f3k2" }, replies: "The run is queued.", reply: json({ run_id: "run_5d0", deals: 1 }) },
  runMany: {
    request: json({ filters: { outcome: ["lost"] } }),
    replies: "The run is queued.",
    reply: json({ run_id: "run_5d1", deals: 214 }),
  },
  estimate: {
    request: json({ filters: { outcome: ["lost"] } }),
    replies: "What the run would cost.",
    reply: json({
      deals: 214,
      unchanged: 180,
      documents: 61,
      windows: 388,
      method: "model",
      tokens: { input: 1_581_600, output: 296_000 },
      cost: 0.99,
      spending,
    }),
  },
  progress: {
    path: { id: "run_5d1" },
    replies: "The run, with its deals and its cost.",
    reply: json({
      run_id: "run_5d1",
      status: "running",
      progress: 0.42,
      error: null,
      deals: 214,
      ready: 89,
      failed: 1,
      findings: 1180,
      failures: [{ deal_id: "deal_2p9", deal_name: "Corvo pilot", reason: "the deal cannot take the result" }],
      tokens: { input: 640_100, output: 98_400 },
      cost: 0.36,
    }),
  },
  spending: { replies: "The month so far.", reply: json(spending) },
  get: { path: { id: "deal_8f3k2" }, replies: "The analysis, with every finding.", reply: json(analysis) },
  judge: {
    path: { id: "deal_8f3k2", finding_id: "fnd_3f2a9c" },
    request: json({ state: "accepted", effect: "negative" }),
    replies: "The finding as judged.",
    reply: json({
      ...finding,
      state: "accepted",
      judged_by: "key_ada",
      judged_at: "2026-03-15T09:12:44.000Z",
    }),
  },
  verify: {
    path: { id: "deal_8f3k2" },
    replies: "The verified analysis.",
    reply: json({ ...analysis, verified_at: "2026-03-15T09:14:02.000Z" }),
  },
  queue: {
    query: { page_size: 50, cursor: "WzQ4MDAwLDMsImRlYWxfOGYzazIiXQ" },
    replies: "The deals whose findings await a person.",
    reply: json({
      data: [
        {
          deal_id: "deal_8f3k2",
          deal_name: "Hartwell renewal",
          amount: 48000,
          deal_status: "Lost",
          method: "extracted",
          proposed: 14,
          doubtful: 3,
          conflicts: 1,
        },
      ],
      next_cursor: null,
    }),
  },
  quality: {
    replies: "The precision of each kind of finding, and the agreement of scores.",
    reply: json({
      data: [
        {
          kind: "competitor",
          by: "extracted",
          version: "extracted-1",
          proposed: 120,
          accepted: 47,
          changed: 1,
          rejected: 2,
          precision: 0.94,
          low: 0.8378,
          high: 0.9794,
        },
      ],
      scores: [
        { metric: "price_sensitivity", by: "gpt-5-mini", version: "prompt-1", scores: 38, same: 27, kappa: 0.71 },
      ],
    }),
  },
  labels: {
    query: { cursor: "Zm5kXzNmMmE5Yw" },
    replies: "A page of labels, or all of them as CSV or NDJSON.",
    reply: {
      ...json({ data: [label], next_cursor: null }),
      "text/csv": `${Object.keys(label).join()}\r\n${Object.values(label).join()}\r\n`,
      "application/x-ndjson": `${JSON.stringify(label)}\n`,
    },
  },
} satisfies Examples

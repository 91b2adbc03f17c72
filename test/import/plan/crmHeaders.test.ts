import { assert, describe, it } from "vitest"
import { fieldsOf, readRows } from "./readRows.ts"

/** The first deal of a file. */
const dealOf = (text: string) => readRows(text).records![0] as any

describe("columns of competitors and reasons", () => {
  it("say which competitor is primary, or the incumbent", () => {
    for (const header of ["Primary Competitor", "Hauptwettbewerber", "Concurrent principal", "Competidor principal"]) {
      assert.deepStrictEqual(readRows(`Deal Name|${header}\nBig|Rival`).records, [
        { name: "Big", competitors: [{ is_primary: true, competitor: "Rival" }] },
      ])
    }
    const found = readRows(
      "Deal Name|Incumbent|Other Competitors|Primary Competitor\nBig|Oldco|Rival; Hooli|Rival\nSmall||Hooli|",
    )
    assert.deepStrictEqual(found.records, [
      {
        name: "Big",
        competitors: ["Hooli", { is_primary: true, competitor: "Rival" }, { is_incumbent: true, competitor: "Oldco" }],
      },
      { name: "Small", competitors: ["Hooli"] },
    ])
  })

  it("of yes and no have no names", () => {
    assert.deepStrictEqual(readRows("Deal Name|Incumbent\nBig|Yes\nSmall|No").records, [
      { name: "Big" },
      { name: "Small" },
    ])
  })

  it("say whether a reason speaks for us", () => {
    const driver = (header: string) => dealOf(`Deal Name|Stage|${header}\nBig|Closed|Price`).drivers?.[0]
    for (const header of "Loss Reason|Closed Lost Reason|Deal - Lost reason|Verlustgrund|Reason For Loss|Loss Reasons|Motivo da perda".split(
      "|",
    ))
      assert.deepStrictEqual(driver(header), { positive: false, reason: "Price" }, header)
    for (const header of "Win reason|Win Reasons|Closed Won Reason|Gewinngrund".split("|"))
      assert.deepStrictEqual(driver(header), { positive: true, reason: "Price" }, header)
    for (const header of ["Win/Loss reason", "Reason"]) assert.strictEqual(driver(header), undefined, header)
    assert.strictEqual(driver("Drivers"), "Price")
    assert.deepStrictEqual(dealOf("Deal Name|Closed Lost Reason|Closed Won Reason\nBig|Price|Features").drivers, [
      { positive: true, reason: "Features" },
      { positive: false, reason: "Price" },
    ])
  })

  it("clear their list only if all of them are empty", () => {
    const found = readRows("Deal Name|Competitors|Primary Competitor\nBig|Rival|\nSmall||Rival\nNone||", {
      empty: "clear",
    })
    assert.deepStrictEqual(
      found.records?.map((each) => (each as any).competitors),
      [["Rival"], [{ is_primary: true, competitor: "Rival" }], null],
    )
  })
})

describe("the date on which a deal has ended", () => {
  it("counts over the one that was expected", () => {
    for (const [header, end] of [
      ["Actual Close Date", {}],
      ["Won time", { status: "Won" }],
      ["Lost time", { status: "Lost" }],
    ] as const) {
      const found = readRows(
        `Deal Name|${header}|Expected Close Date\nBig|2026-03-30 10:00:00|2026-06-30\nSmall||2026-06-30`,
      )
      assert.deepStrictEqual(found.records, [
        { name: "Big", close_date: "2026-03-30", ...end },
        { name: "Small", close_date: "2026-06-30" },
      ])
    }
    assert.deepStrictEqual(fieldsOf("Topic|Actual Close Date"), ["name", "close_date"])
  })
})

describe("the outcome of a deal", () => {
  const stages = (text: string) => readRows(text).records?.map((each) => (each as any).status)

  it("is the stage where no column has stages", () => {
    assert.deepStrictEqual(stages("Deal Name|Win/Loss\na|Win\nb|L\nc|W\nd|"), ["Win", "Lost", "Won", undefined])
    assert.deepStrictEqual(stages("Deal Name|Won?\na|Yes\nb|No\nc|"), ["Won", "Not won", undefined])
    assert.deepStrictEqual(stages("Deal Name|Is Closed|Is Won\na|1|1\nb|1|0\nc|0|0"), ["Won", "Lost", undefined])
  })

  it("is read from marks, and from numbers as databases write yes and no", () => {
    assert.deepStrictEqual(stages("Deal Name|Won?\na|x\nb|\nc|✓"), ["Won", undefined, "Won"])
    assert.deepStrictEqual(stages("Deal Name|Is Won|Is Closed\na|1.0|1.0\nb|0.0|1.0\nc|0.0|0.0"), [
      "Won",
      "Lost",
      undefined,
    ])
    const { notices } = readRows("Deal Name|Won?\na|x\nAcme renewal|")
    assert.deepStrictEqual(
      notices.map(({ code, examples }) => [code, examples]),
      [["stage_missing", ["Acme renewal"]]],
    )
  })

  it("that is not won is lost if the row has a reason of loss", () => {
    assert.deepStrictEqual(stages("Deal Name|Won (Y/N)|Lost Reason\na|Y|\nb|N|Price\nc|N|"), ["Won", "Lost", "Not won"])
  })

  it("is that of the row where rows of one stage have different ones", () => {
    const found = readRows("Deal Name|Stage|Won\na|Closed|yes\nb|Closed|no\nc|Demo|no").records
    assert.deepStrictEqual(found, [
      { name: "a", status: "Won", previous_status: "Closed" },
      { name: "b", status: "Closed" },
      { name: "c", status: "Demo" },
    ])
  })

  it("of an archived deal with a reason of loss is lost, as Odoo exports it", () => {
    const found = readRows(
      "Opportunity|Stage|Active|Lost Reason\na|Proposition|True|\nb|Qualified|False|Too expensive\nc|Qualified|False|",
    )
    assert.deepStrictEqual(
      found.records?.map((each) => [(each as any).status, (each as any).previous_status]),
      [
        ["Proposition", undefined],
        ["Lost", "Qualified"],
        ["Qualified", undefined],
      ],
    )
    assert.deepStrictEqual(found.codes, ["stage_contradicted status 1"])
    assert.deepStrictEqual(stages("Opportunity|Active|Lost Reason\na|True|\nb|False|Price"), [undefined, "Lost"])
  })

  it("decides over a stage that only may be an end", () => {
    const found = readRows("Deal Name|Stage|Status\na|Signed|Open\nb|Signed|Won\nc|Proposal|Open")
    assert.deepStrictEqual(
      found.records?.map((each) => (each as any).status),
      ["Signed", "Won", "Proposal"],
    )
    assert.deepStrictEqual([found.codes, found.stageFlags], [[], { signed: "open" }])
  })

  it("of a column called Status counts where one called Outcome tells how it came about", () => {
    const found = readRows("Deal Name|Stage|Status|Outcome\na|Contract|Won|Good support\nb|Demo|Open|")
    assert.deepStrictEqual(
      found.records?.map((each) => [(each as any).status, (each as any).previous_status]),
      [
        ["Won", "Contract"],
        ["Demo", undefined],
      ],
    )
    assert.deepStrictEqual(found.notices[0]?.examples, ["Outcome"])
  })

  it("in a column called Status never takes the place of one called Stage", () => {
    const found = readRows("Name|Stage|Status|Value\na|Contract|Won|1\nb|Qualified|Abandoned|1\nc|Qualified|Open|1")
    assert.deepStrictEqual([found.fields?.["Stage"], found.fields?.["Status"]], ["status", "outcome"])
    assert.deepStrictEqual(
      found.records?.map((each) => [(each as any).status, (each as any).previous_status]),
      [
        ["Won", "Contract"],
        ["Abandoned", "Qualified"],
        ["Qualified", undefined],
      ],
    )
  })
})

describe("headers", () => {
  it("of Close fill fields, and its ids are not ours", () => {
    const header = "id|lead_name|status_label|status_type|value|value_currency|date_won|user_name"
    const found = readRows(`${header}\noppo_1a|Globex|Signed|won|100|USD|2026-03-31|Anna Berg`, {
      map: { lead_name: ["name", "client"] },
    })
    assert.deepStrictEqual(found.records, [
      {
        name: "Globex",
        client: "Globex",
        crm_two_id: "oppo_1a",
        status: "won",
        previous_status: "Signed",
        amount: 100,
        close_date: "2026-03-31",
        owner: "Anna Berg",
      },
    ])
  })

  it("in Portuguese, German and French fill fields", () => {
    assert.deepStrictEqual(
      fieldsOf("Nome do negócio|Empresa|Valor|Moeda|Etapa|Data de fechamento|Responsável|Motivo da perda|Concorrente"),
      ["name", "client", "amount", "currency", "status", "close_date", "owner", "loss_reason", "competitors"],
    )
    assert.deepStrictEqual(fieldsOf("Verkaufschancen-ID|Verkaufschance|Verantwortlich"), [
      "crm_one_id",
      "name",
      "owner",
    ])
    assert.deepStrictEqual(fieldsOf("N° opportunité|Nom de l’affaire"), ["crm_one_id", "name"])
    assert.deepStrictEqual(fieldsOf("Copper ID|Name|Proprietário"), ["crm_two_id", "name", "owner"])
  })

  it("are known by their API names, and behind the object that a report writes before them", () => {
    for (const [header, field] of [
      ["Loss_Reason__c", "loss_reason"],
      ["LOSS_REASON__C", "loss_reason"],
      ["Reason For Loss__s", "loss_reason"],
      ["Primary_Competitor__c", "primary_competitor"],
      ["COMPETITOR__C", "competitors"],
      ["Account.Name", "client"],
      ["Owner.Name", "owner"],
      ["Opportunity: Created Date", "created_at"],
      ["Deal - Competitor", "competitors"],
      ["Closed/Lost Reason", "loss_reason"],
      ["Grund für „Geschlossen und verloren“", "loss_reason"],
      ["Zugehöriges Unternehmen", "client"],
      ["Lost to", "primary_competitor"],
      ["Contract Value", "amount"],
      ["Expected close", "close_date"],
      ["CloseDate", "close_date"],
      ["BidAmount", "amount"],
      ["OrganizationName", "client"],
      ["Primary Loss Reason", "loss_reason"],
      ["Loss_Reason__d", null],
      ["Deal - Person", null],
    ] as const)
      assert.deepStrictEqual(fieldsOf(`Deal Name|${header}`)[1], field, header)
    assert.deepStrictEqual(fieldsOf("Deal - Titel|Affaire - Valeur"), ["name", "amount"])
  })

  it("that are numbered fill one list of reasons", () => {
    const deal = dealOf("Deal Name|Loss Reason 1|Loss Reason 2|Win Reason 1\nBig|Price|Support|Team")
    assert.deepStrictEqual(deal.drivers.toSorted(), [
      { positive: true, reason: "Team" },
      { positive: false, reason: "Price" },
      { positive: false, reason: "Support" },
    ])
  })

  it("of two companies or two dates are taken by what they say", () => {
    assert.deepStrictEqual(fieldsOf("Deal Name|Associated Company|Associated Company (Primary)"), [
      "name",
      null,
      "client",
    ])
    assert.deepStrictEqual(
      dealOf("Deal Name|Stage|Expected close date|Closed date\nA|Won|2026-03-31|2026-02-01").close_date,
      "2026-02-01",
    )
    assert.deepStrictEqual(fieldsOf("Deal Name|Closed date"), ["name", "close_date"])
  })
})

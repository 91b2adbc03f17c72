import { assert, describe, it } from "vitest"
import { read } from "./support.ts"

describe("the header", () => {
  it("is found below lines of title", () => {
    const found = read("Pipeline report Q3||\nPrepared on 25 Nov||\n\nDeal Name|Amount|Stage\na|1|Won")
    assert.deepStrictEqual([found.plan?.headerLine, found.lines], [4, [5]])
  })

  it("that names no field is refused with the line that was read", () => {
    assert.match(read("Foo|Bar\n1|2").invalid?.[0]?.reason ?? "", /line 1 reads 'Foo, Bar'/)
  })

  it("is that of the sheet that is read, and others are named", () => {
    const facts = { container: "xlsx", sheet: "Q1", sheets: ["Q1", "Q2", "Notes"], unread: ["Q2"] } as const
    const found = read("Deal|Amount\na|1", {}, undefined, facts)
    assert.deepStrictEqual(found.codes, ["sheets_unread 1"])
    assert.match(
      found.messages![0]!,
      /^only the sheet 'Q1' is read; 'Q2' also holds a table and is not imported.*'sheet'/,
    )
    assert.match(
      read("Foo|Bar\n1|2", {}, undefined, facts).invalid?.[0]?.reason ?? "",
      /line 1 of the sheet 'Q1' reads 'Foo, Bar'.*Set 'sheet' to read another: 'Q2', 'Notes'/,
    )
  })

  it("is that of a sheet behind a cover, with a warning", () => {
    const facts = { container: "xlsx", sheet: "Data", sheets: ["Cover", "Data"], passedOver: "Cover" } as const
    const found = read("Deal|Amount\na|1", {}, undefined, facts)
    assert.deepStrictEqual(found.codes, ["sheet_chosen 1"])
    assert.match(found.messages![0]!, /^the sheet 'Data' is read, because the first one, 'Cover', .*'sheet'/)
  })

  it("is separated otherwise than the first line says, with a warning", () => {
    const facts = { container: "csv", delimiter: ",", statedDelimiter: ";" } as const
    const { codes, messages } = read("Deal|Amount\na|1", {}, undefined, facts)
    assert.deepStrictEqual(codes, ["separator_contradicted 1"])
    assert.match(messages![0]!, /^line 1 says that a semicolon separates .* but the rows have a comma/)
  })

  it("with marks of notes fills the fields of its words, and its column keeps its name", () => {
    const { plan } = read("Deal Name†|Amount¹ (k€)|Close Date ²|Stage⁽³⁾|Loss Reason¹|CO²\na|5|||z|1")
    assert.deepStrictEqual(
      plan?.columns.map(({ column, field }) => [column, field]),
      [
        ["Deal Name†", "name"],
        ["Amount¹ (k€)", "amount"],
        ["Close Date ²", "close_date"],
        ["Stage⁽³⁾", "status"],
        ["Loss Reason¹", "loss_reason"],
        ["CO²", null],
      ],
    )
    const scaleOf = (header: string) =>
      read(`Deal|${header}\na|5`).plan?.fields.find(({ field }) => field === "amount")?.scale
    assert.deepStrictEqual(["Amount¹ (k€)", "Amount (k€)¹", "Amount¹"].map(scaleOf), [1000, 1000, undefined])
  })

  it("in four languages of five CRMs fills fields", () => {
    const fieldsOf = (header: string) => read(`${header}\n`).plan?.columns.map(({ field }) => field)
    assert.deepStrictEqual(
      fieldsOf("Opportunity ID|Opportunity Name|Account Name|Stage|Close Date|Opportunity Owner"),
      ["crm_one_id", "name", "client", "status", "close_date", "owner"],
    )
    assert.deepStrictEqual(fieldsOf("Record ID|Deal Name|Deal Stage|Deal owner|Create Date|Associated Company"), [
      "crm_two_id",
      "name",
      "status",
      "owner",
      "created_at",
      "client",
    ])
    assert.deepStrictEqual(
      fieldsOf("Deal - ID|Deal - Title|Deal - Value|Deal - Currency|Deal - Organization|Deal - Expected close date"),
      ["crm_two_id", "name", "amount", "currency", "client", "close_date"],
    )
    for (const header of [
      "Verkaufschance|Kunde|Betrag|Phase|Schlussdatum|Inhaber",
      "Nom de l'opportunité|Nom du compte|Montant|Étape|Date de clôture|Propriétaire",
      "Nombre del negocio|Empresa|Importe|Etapa|Fecha de cierre|Propietario",
    ])
      assert.deepStrictEqual(fieldsOf(header), ["name", "client", "amount", "status", "close_date", "owner"], header)
  })

  it("with two columns of one name needs a map, which counts them", () => {
    assert.match(read("Name|Name|Amount\na|A|1").invalid?.[0]?.reason ?? "", /map 'Name\[1\]' or 'Name\[2\]'/)
    const found = read("Name|Name|Amount\na|A|1", { map: { "Name[1]": "name", "Name[2]": "client" } })
    assert.deepStrictEqual(found.records, [{ record: { type: "deal", name: "a", client: "A", amount: 1 } }])
  })

  it("of an id is known by its values", () => {
    const found = read("Deal|Key\na|0065g00000AbCdE\nb|0065g00000AbCdF")
    assert.deepInclude(found.plan?.columns[1], { field: "crm_one_id", by: "values" })
  })
})

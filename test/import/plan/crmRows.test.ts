import { assert, describe, it } from "vitest"
import { fieldsOf } from "./readRows.ts"

/** Headers of the exports of deals of each CRM, and the fields that they fill. A `-` fills none. */
const EXPORTS: Readonly<Record<string, string>> = {
  Insightly:
    "Record ID=crm_two_id|Opportunity Name=name|Opportunity Details=-|Probability=-|Bid Currency=currency|Bid Amount=amount|Bid Type=-|Forecast Close Date=close_date|Actual Close Date=actual_close_date|Opportunity Category=deal_type|Opportunity State=outcome|State Reason=-|Pipeline=-|Pipeline Stage=status|User Responsible=owner|Organization=client|Date Created=created_at|Date Updated=updated_at|Competitor=competitors",
  Nutshell:
    "Lead ID=-|Lead name=name|Status=outcome|Stage=status|Value=amount|Currency=currency|Primary company=client|Primary person=-|Assignee=owner|Anticipated close date=close_date|Closed date=actual_close_date|Created date=created_at|Competitors=competitors|Loss reason=loss_reason|Territory=region|Products=product_labels|Sources=-",
  "Keap, opportunities":
    "Opportunity Title=name|Contact Name=-|Company=client|Stage=status|Assigned User=owner|Est. Close Date=close_date|Projected Revenue Low=-|Projected Revenue High=-|Date Created=created_at",
  "Keap, deals":
    "Deal Name=name|Deal Value=amount|Deal Stage=status|Deal Owner=owner|Company=client|Estimated Close Date=close_date|Created Date=created_at|Deal Status=outcome|Lost Reason=loss_reason",
  Copper:
    "Copper ID=crm_two_id|Name=name|Primary Contact=-|Company=client|Value=amount|Converted Value=-|Currency=currency|Close Date=close_date|Owned By=owner|Pipeline=-|Stage=status|Status=outcome|Win Probability=-|Source=-|Loss Reason=loss_reason|Created At=created_at|Updated At=updated_at",
  "Pipedrive, in Portuguese":
    "Negócio - Título=name|Negócio - Organização=client|Negócio - Valor=amount|Negócio - Moeda=currency|Negócio - Status=outcome|Negócio - Etapa=status|Negócio - Proprietário=owner|Negócio - Negócio criado=created_at|Negócio - Data de fechamento esperada=close_date|Negócio - Motivo da perda=loss_reason",
  "Pipedrive, in German":
    "Deal - Titel=name|Deal - Organisation=client|Deal - Wert=amount|Deal - Status=outcome|Deal - Phase=status|Deal - Besitzer=owner|Deal - Deal erstellt=created_at",
  "Zoho, in French":
    "Propriétaire de l'affaire=owner|Montant=amount|Nom de l'affaire=name|Date de clôture=close_date|Nom du compte=client|Étape=status|Heure de création=created_at|Devise=currency",
  Bitrix24:
    "Deal name=name|Pipeline=-|Deal stage=status|Amount=amount|Currency=currency|Company=client|Created on=created_at|Expected close date=close_date|Responsible person=owner",
  Capsule:
    "Name=name|Organisation=client|Person=-|Milestone=-|Value=amount|Currency=currency|Expected Close On=close_date|Actual Close On=actual_close_date|Owner=owner|Lost Reason=loss_reason|Duration Basis=-|Duration=-",
  Clari:
    "Opp Name=name|Opp Owner=owner|Account=client|CRM Score=-|Forecast Category=-|Stage=status|Amount=amount|Amount Δ=-|Close Date=close_date|Close Date Δ=-",
  Close:
    "id=crm_two_id|lead_name=client|contact_name=-|user_name=owner|status_label=status|status_type=outcome|pipeline_name=-|value=-|value_formatted=amount|value_currency=currency|confidence=-|date_created=created_at|date_updated=updated_at|date_won=won_date|date_lost=close_date|note=-",
  Freshsales:
    "Deal name=name|Deal value=amount|Currency=currency|Related account=client|Deal stage=status|Sales owner=owner|Expected close date=close_date|Closed date=actual_close_date|Deal type=deal_type|Lost reason=loss_reason|Territory=region|Created at=created_at|Updated at=updated_at|Deal product=product_labels",
  "Freshsales, fields":
    "Name=name|Amount=amount|Base Currency Amount=-|Sales account=client|Deal stage=status|Sales owner=owner|Expected close=close_date|Deal lost reason=loss_reason|Created at=created_at",
  Zoho: "Record Id=crm_two_id|Deal Owner.id=-|Deal Owner=owner|Amount=amount|Deal Name=name|Closing Date=close_date|Account Name.id=-|Account Name=client|Stage=status|Type=deal_type|Probability (%)=-|Expected Revenue=-|Lead Source=-|Created Time=created_at|Modified Time=updated_at|Currency=currency|Exchange Rate=-|Reason For Loss__s=loss_reason|Territory=region",
  "Dynamics 365":
    "(Do Not Modify) Opportunity=crm_one_id|(Do Not Modify) Row Checksum=-|(Do Not Modify) Modified On=updated_at|Topic=name|Potential Customer=client|Est. Close Date=close_date|Est. Revenue=amount|Currency=currency|Probability=-|Rating=-|Status=outcome|Status Reason=-|Pipeline Phase=status|Owner=owner|Actual Close Date=actual_close_date|Actual Revenue=-|Created On=created_at|Territory=region",
  "Dynamics 365, German":
    "(Nicht ändern) Verkaufschance=crm_one_id|(Nicht ändern) Zeilenprüfsumme=-|(Nicht ändern) Geändert am=updated_at|Thema=name|Potenzieller Kunde=client|Gesch. Abschlussdatum=close_date|Gesch. Umsatz=amount|Währung=currency|Wahrscheinlichkeit=-|Status=outcome|Statusgrund=-|Pipelinephase=status|Besitzer=owner|Tatsächliches Abschlussdatum=actual_close_date|Tatsächlicher Umsatz=-|Erstellt am=created_at|Gebiet=region",
  "Dynamics 365, German in full":
    "Verkaufschance=name|Geschätztes Abschlussdatum=close_date|Geschätzter Umsatz=amount|Firma=client|Verkaufsphase=status|Verlustgrund=loss_reason|Wettbewerber=competitors",
}

describe("the headers of a CRM", () => {
  for (const [crm, columns] of Object.entries(EXPORTS)) {
    it(`fill their fields: ${crm}`, () => {
      const each = columns.split("|").map((column) => column.split("=") as [string, string])
      const cells = each.map(([header]) => CELLS[header] ?? "")
      const fields = fieldsOf(`${each.map(([header]) => header).join("|")}\n${cells.join("|")}`)
      assert.deepStrictEqual(
        each.map(([header], at) => `${header}=${fields[at] ?? "-"}`),
        columns.split("|"),
      )
    })
  }
})

/** Cells that say more than their headers. */
const CELLS: Readonly<Record<string, string>> = {
  id: "oppo_1a",
  Status: "Won",
  "Deal Status": "Won",
  "Opportunity State": "WON",
  status_type: "won",
}

import { readCurrencyCell } from "../../records/values/currency.ts"
import { parseScale } from "./scale.ts"
import type { RecordType } from "../../records/record.ts"

/**
 * Headers of the exports of Salesforce, HubSpot, Pipedrive, Dynamics and Zoho, and of hand-kept sheets, in English, German,
 * French and Spanish, some also in Italian, Polish and Japanese. Salesforce and Dynamics are the first CRM, all others the second.
 */
const HEADERS: Partial<Record<RecordType, Readonly<Record<string, string>>>> = {
  deal: {
    crm_one_id:
      "opportunity id|opp id|sfdc id|salesforce id|salesforce opportunity id|18 digit opportunity id|opportunity id (18)|case safe id|verkaufschance id|opportunity-id|id de l'opportunité|id de opportunité|id de la oportunidad|id de oportunidad|(do not modify) opportunity",
    crm_two_id:
      "record id|deal id|hs object id|hs_object_id|hubspot deal id|deal - id|deal record id|datensatz-id|id de fiche d'informations|id de registro",
    name: "deal name|deal|dealname|opportunity name|opportunity|opp name|deal - title|deal title|title|topic|potential name|name des deals|deal-name|verkaufschance|name der verkaufschance|opportunity-name|nom de la transaction|nom de l'opportunité|opportunité|nombre del negocio|nombre de la oportunidad|oportunidad|negocio|bezeichnung|nazwa szansy|nome opportunità|商談名|案件名",
    amount:
      "amount|deal amount|deal value|deal - value|value|opportunity amount|acv|tcv|est. revenue|estimated revenue|est revenue|expected amount|close value|closed value|betrag|deal-betrag|auftragswert|wert|umsatz|montant|montant de la transaction|valeur|importe|monto|valor|valor del negocio|importo|wartość|kwota|金額",
    currency:
      "currency|deal currency|deal currency code|currency code|currency iso code|amount currency|currencyisocode|opportunity currency|deal - currency|deal - currency of value|currency of value|transaction currency|montant devise|betrag währung|währung|währungscode|devise|code devise|moneda|divisa|código de moneda",
    outcome: "deal - status",
    status:
      "stage|deal stage|stage name|stagename|dealstage|opportunity stage|sales stage|pipeline stage|deal - stage|deal status|phase|deal-phase|verkaufsphase|stufe|phase de la transaction|étape|etape|etapa|etapa del negocio|fase|etap|フェーズ",
    previous_status: "previous stage|from stage|prior stage|vorherige phase",
    close_date:
      "close date|closed date|closedate|deal close date|expected close date|deal - expected close date|est. close date|estimated close date|closing date|actual close date|schlussdatum|abschlussdatum|geschlossen am|date de clôture|date de cloture|date de fermeture|fecha de cierre|fecha cierre|data chiusura|data zamknięcia|完了予定日",
    created_at:
      "created date|createddate|create date|createdate|created on|created time|created at|date created|deal - deal created|erstellungsdatum|erstelldatum|erstellt am|date de création|date de creation|fecha de creación|fecha creación",
    updated_at:
      "last modified date|lastmodifieddate|last modified|modified on|modified time|modified date|updated at|update time|deal - update time|(do not modify) modified on|letzte änderung|letzte aktivität geändert|geändert am|dernière modification|date de dernière modification|última modificación|fecha de modificación|" +
      "hs lastmodifieddate|systemmodstamp|modifiedon|date modified|last updated|last update|updated on|updated date|edit date|zuletzt geändert|zuletzt geändert am|zuletzt aktualisiert|aktualisiert am|änderungsdatum|modifié le|mis à jour le|date de modification|última actualización|modificado el|data ultima modifica|最終更新日",
    owner:
      "owner|deal owner|opportunity owner|account executive|sales rep|rep|sales agent|owner name|deal - owner|deal owner name|inhaber|besitzer|verantwortlicher|zuständiger mitarbeiter|für deal zuständiger mitarbeiter|für den deal zuständiger mitarbeiter|owned by|assigned user name|opportunity-inhaber|vertriebsmitarbeiter|propriétaire|propriétaire de la transaction|propriétaire de l'opportunité|propietario|propietario del negocio|propietario de la oportunidad|proprietario|właściciel|商談 所有者|担当者",
    collaborators: "collaborators|deal collaborator|team members|opportunity team|mitwirkende",
    client:
      "account name|account|company|company name|customer|client|client name|organization|organisation|deal - organization|associated company|primary associated company|kunde|firma|firmenname|accountname|unternehmen|compte|nom du compte|société|entreprise|cuenta|nombre de la cuenta|empresa|cliente|potential customer|zugeordnetes unternehmen|nome account|klient|取引先名",
    deal_type:
      "type|deal type|opportunity type|typ|deal-typ|art|type de transaction|type d'opportunité|tipo|tipo de negocio",
    region: "region|territory|sales region|gebiet|région|territoire|región|territorio",
    product_labels: "products|product|product labels|product name|produkte|produkt|produits|produit|productos|producto",
    competitors:
      "competitors|competitor|main competitor|main competitor(s)|main competitors|primary competitor|wettbewerber|hauptwettbewerber|konkurrent|konkurrenten|concurrents|concurrent|concurrent principal|competidores|competidor",
    drivers:
      "drivers|loss reason|lost reason|reason for loss|closed lost reason|reason lost|win reason|closed won reason|reason won|won reason|deal - lost reason|verlustgrund|grund für verlust|gewinngrund|raison de la perte|motif de perte|motivo de pérdida|razón de pérdida",
    summary: "summary|win loss summary",
  },
  client: {
    crm_one_id: "account id|salesforce account id|account-id|(do not modify) account|id du compte|id de la cuenta",
    crm_two_id: "record id|company id|hs object id|organization - id|datensatz-id",
    name: "account name|account|company name|company|organization - name|organization name|client name|customer|customer name|kunde|firma|firmenname|accountname|unternehmensname|nom du compte|nom de l'entreprise|société|nombre de la cuenta|nombre de la empresa|empresa",
    industry: "industry|sector|branche|secteur|secteur d'activité|sector industrial|industria",
    website_url:
      "website|website url|web site|company domain name|domain|website-url|internetseite|site web|site internet|sitio web|página web",
  },
  owner: {
    name: "owner name|full name|user name|user|sales rep|sales agent|rep|name des benutzers|vollständiger name|nom complet|nombre completo",
    email: "email|e-mail|email address|user email|owner email|e-mail-adresse|adresse e-mail|correo electrónico|correo",
  },
  competitor: {
    name: "competitor|competitor name|wettbewerber|konkurrent|concurrent|competidor",
    website_url: "website|web site|url|site web|sitio web",
    aliases: "aliases|also known as|synonyms|alias",
  },
  stage: {
    name: "stage|stage name|phase|étape|etapa",
    category: "type|kategorie|catégorie|categoría",
    position: "order|sort order|display order|reihenfolge|ordre|orden",
    probability: "win probability|wahrscheinlichkeit|probabilité|probabilidad",
  },
  reason: { name: "reason|grund|raison|motivo|razón", category: "kategorie|catégorie|categoría" },
  feature: {
    name: "feature|feature name|funktion|fonctionnalité|función",
    description: "beschreibung|descripción",
    product: "product name|produkt|produit|producto",
    product_area: "area|product area|bereich",
  },
  association: {
    deal: "opportunity id|deal id|record id",
    feature: "feature name|funktion",
    created_at: "date|created date",
  },
}

/** Drops what does not tell headers apart: case, invisible characters, line breaks, `*` and `:`, kinds of separators. */
export const normalizeHeader = (header: string): string =>
  header
    .normalize("NFKC")
    .replaceAll(/[\u00ad\u200b-\u200f\u2060\ufeff]/g, "")
    .replaceAll(/[\s_]+/g, " ")
    .replace(/^[\s"'“”*:]+|[\s"'“”*:]+$/g, "")
    .toLowerCase()

const known = new Map<RecordType, ReadonlyMap<string, string>>()

const listHeaders = (type: RecordType): ReadonlyMap<string, string> => {
  let found = known.get(type)
  if (found === undefined) {
    found = new Map(
      Object.entries(HEADERS[type] ?? {}).flatMap(([field, headers]) =>
        headers.split("|").map((header) => [normalizeHeader(header), field] as const),
      ),
    )
    known.set(type, found)
  }
  return found
}

/** `Amount (EUR)`, `Betrag in €` and `Amount (converted)` say more than the column's name. */
const SUFFIX = /\s*(?:\(([^()]*)\)|\[([^[\]]*)\]|\bin (\S{1,4}|(?:tsd|mio|mln|thousand|million)\S*(?: \S{1,4})?))$/i

/** Separates a header from the unit at its end. */
export const splitUnit = (header: string): { readonly name: string; readonly unit: string | undefined } => {
  const text = header.trim()
  const found = SUFFIX.exec(text)
  if (found === null) {
    // "Amount USD", "Betrag €", "Umsatz TEUR"
    const [, name = "", last = ""] = /^(.*\S)[\s_]+(\S{1,5})$/.exec(text) ?? []
    const isUnit =
      last === last.toUpperCase() && (readCurrencyCell(last)?.kind !== undefined || parseScale(last) !== undefined)
    return isUnit ? { name, unit: last } : { name: header, unit: undefined }
  }
  return { name: header.trim().slice(0, found.index), unit: (found[1] ?? found[2] ?? found[3])?.trim() }
}

const IS_DELETED_HEADER = /^(?:is ?)?deleted$|^(?:ist )?gelöscht$|^supprimée?$|^eliminad[oa]$/

/** The field that CRMs and people call by this header. Undefined if none is known. */
export const fieldCalled = (type: RecordType, header: string): string | undefined =>
  (IS_DELETED_HEADER.test(normalizeHeader(header)) ? "is_deleted" : undefined) ??
  listHeaders(type).get(normalizeHeader(header)) ??
  listHeaders(type).get(normalizeHeader(splitUnit(header).name))

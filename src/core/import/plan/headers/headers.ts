import type { RecordType } from "../../../records/record.ts"
import { withoutNotes } from "./noteMarks.ts"
import { MAX_HEADER_LENGTH, splitUnit } from "./scale.ts"

/**
 * Headers of the exports of Salesforce, HubSpot, Pipedrive, Dynamics, Zoho, Close, Copper, Insightly, Nutshell, Keap and Freshsales, and of hand-kept sheets, in English, German,
 * French, Spanish and Portuguese, some also in Italian, Polish and Japanese. Salesforce and Dynamics are the first CRM, all others the second.
 */
const HEADERS: Partial<Record<RecordType, Readonly<Record<string, string>>>> = {
  deal: {
    crm_one_id:
      "opportunity id|opp id|sfdc id|salesforce id|salesforce opportunity id|18 digit opportunity id|opportunity id (18)|case safe id|verkaufschance id|opportunity-id|id de l'opportunité|id de opportunité|id de la oportunidad|id de oportunidad|id da oportunidad|verkaufschancen-id|verkaufschancen id|n° opportunité|n° d'opportunité|n° de l'opportunité|no opportunité|numéro d'opportunité|(do not modify) opportunity|(nicht ändern) verkaufschance|(ne pas modifier) opportunité|(no modificar) oportunidad",
    crm_two_id:
      "record id|deal id|hs object id|hs_object_id|hubspot deal id|deal - id|deal record id|datensatz-id|id de fiche d'informations|id de registro|copper id|opportunity record id|id do negócio|id do registro",
    name: "opportunity title|deal titel|titel|titre|título|titolo|thema|deal name|deal|dealname|opportunity name|opportunity|opp name|deal - title|deal title|title|topic|potential name|name des deals|deal-name|verkaufschance|name der verkaufschance|opportunity-name|nom de la transaction|nom de l'opportunité|opportunité|nombre del negocio|nombre de la oportunidad|oportunidad|negocio|bezeichnung|nom de l'affaire|affaire|nome do negócio|negócio|nome da oportunidade|oportunidade|título do negócio|nazwa szansy|dealnaam|naam deal|naam opportunity|verkoopkans|nome opportunità|商談名|案件名",
    amount:
      "est. revenue|waarde|bedrag|dealwaarde|geschätzter umsatz|gesch. umsatz|erwarteter umsatz|auftragssumme|auftragsvolumen|chiffre d'affaires estimé|ca estimé|revenu estimé|ingresos estimados|ingresos est.|importe estimado|estimated value|contract value|annual contract value|total contract value|opportunity value|total amount|value formatted|amount|deal amount|deal value|deal - value|value|opportunity amount|acv|tcv|estimated revenue|est revenue|expected amount|close value|closed value|betrag|deal-betrag|auftragswert|wert|umsatz|montant|montant de la transaction|valeur|importe|monto|valor|valor del negocio|valor do negócio|valor da oportunidade|montante|importo|wartość|kwota|金額",
    currency:
      "bid currency|value currency|currency|deal currency|deal currency code|currency code|currency iso code|amount currency|currencyisocode|opportunity currency|deal - currency|deal - currency of value|currency of value|transaction currency|montant devise|betrag währung|währung|währungscode|devise|code devise|moneda|divisa|código de moneda|moeda|código da moeda",
    outcome:
      "opportunity state|current state|deal - status|status type|win/loss|win / loss|win or loss|win loss|won/lost|won / lost|won or lost|won lost|deal outcome|opportunity outcome|gewonnen/verloren|gewonnen / verloren|gagné/perdu|ganado/perdido|ganho/perdido",
    status:
      "pipeline phase|pipelinephase|phase du pipeline|fase de canalización|current stage|deal phase|stage|deal stage|stage name|stagename|dealstage|opportunity stage|sales stage|pipeline stage|deal - stage|deal status|phase|deal-phase|verkaufsphase|stufe|phase de la transaction|étape|etape|etapa|etapa del negocio|etapa do negócio|etapa da oportunidade|fase do negócio|estágio|status label|fase|etap|フェーズ",
    previous_status: "previous stage|from stage|prior stage|vorherige phase",
    close_date:
      "expected closing|expected closing date|expected close on|anticipated closing date|planned close date|abschluss geplant|data de fechamento esperada|fecha de cierre esperada|erwarteter abschluss|geplanter abschluss|sluitingsdatum|verwachte sluitingsdatum|data di chiusura|data chiusura prevista|date closed|closure date|expected close|anticipated close date|anticipated close|gesch. abschlussdatum|geschätztes abschlussdatum|voraussichtliches abschlussdatum|geplantes abschlussdatum|date de clôture estimée|date de clôture est.|fecha de cierre estimada|fecha de cierre est.|fecha estimada de cierre|close|close dt|target close|target close date|forecast close date|erwartetes abschlussdatum|date de clôture prévue|schlusstermin|close date|closed date|closedate|deal close date|expected close date|deal - expected close date|est. close date|estimated close date|closing date|schlussdatum|abschlussdatum|geschlossen am|date de clôture|date de cloture|date de fermeture|fecha de cierre|fecha cierre|fecha prevista de cierre|data de fechamento|data prevista de fechamento|data de fechamento prevista|data de fecho|previsão de fechamento|data chiusura|data zamknięcia|完了予定日",
    actual_close_date:
      "closed time|actual close on|actual close|actual close date|actualclosedate|actual closed date|closed on|deal closed on|deal - deal closed on|deal - closed on|tatsächliches abschlussdatum|tatsächliches schlussdatum|date de clôture réelle|fecha de cierre real|data de fechamento real",
    won_date: "won time|deal - won time|date won|won on",
    lost_date: "lost time|deal - lost time|date lost|lost on",
    created_at:
      "date created utc|deal erstellt|negócio criado|heure de création|créé le|creado el|deal created date|created|creation date|date added|add time|created date|createddate|create date|createdate|created on|created time|created at|date created|deal - deal created|erstellungsdatum|erstelldatum|erstellt am|date de création|date de creation|fecha de creación|fecha creación|data de criação|criado em",
    updated_at:
      "date updated utc|(nicht ändern) geändert am|(ne pas modifier) modifié le|(no modificar) modificado el|last modified date|lastmodifieddate|last modified|modified on|modified time|modified date|updated at|update time|deal - update time|(do not modify) modified on|letzte änderung|letzte aktivität geändert|geändert am|dernière modification|date de dernière modification|última modificación|fecha de modificación|" +
      "hs lastmodifieddate|systemmodstamp|modifiedon|date modified|last updated|last update|updated on|updated date|edit date|zuletzt geändert|zuletzt geändert am|zuletzt aktualisiert|aktualisiert am|änderungsdatum|modifié le|mis à jour le|date de modification|última actualización|modificado el|data ultima modifica|data de modificação|última modificação|última atualização|atualizado em|modificado em|date updated|最終更新日",
    owner:
      "user responsible|responsible person|verantwortliche person|opp owner|responsable|propriétaire de l'affaire|propriétaire du deal|eigenaar|deal-eigenaar|proprietario opportunità|responsible user|assigned user|salesperson|sales person|assigned to|assignee|sales owner|deal-inhaber|propietario de oportunidad|owner|deal owner|opportunity owner|account executive|sales rep|rep|sales agent|owner name|deal - owner|deal owner name|inhaber|besitzer|verantwortlicher|verantwortlich|zuständiger mitarbeiter|für deal zuständiger mitarbeiter|für den deal zuständiger mitarbeiter|owned by|assigned user name|opportunity-inhaber|vertriebsmitarbeiter|propriétaire|propriétaire de la transaction|propriétaire de l'opportunité|propietario|propietario del negocio|propietario de la oportunidad|proprietario|proprietário|proprietário do negócio|proprietário da oportunidade|responsável|vendedor|user name|właściciel|商談 所有者|担当者",
    collaborators: "collaborators|deal collaborator|team members|opportunity team|mitwirkende",
    client:
      "organization name|bedrijf|bedrijfsnaam|klant|azienda|organisation name|primary company|related account|sales account|potenzieller kunde|interessent|client potentiel|cliente potencial|associated company (primary)|zugehöriges unternehmen|linked organization|linked organisation|account name|account|company|company name|customer|client|client name|organization|organisation|deal - organization|associated company|primary associated company|kunde|firma|firmenname|accountname|unternehmen|compte|nom du compte|société|entreprise|cuenta|nombre de la cuenta|empresa|nome da empresa|nome da conta|conta|organização|lead name|cliente|potential customer|zugeordnetes unternehmen|nome account|klient|取引先名|取引先|会社名|顧客名",
    deal_type:
      "opportunity category|deal category|type|deal type|opportunity type|typ|deal-typ|art|type de transaction|type d'opportunité|tipo|tipo de negocio|tipo de negócio|tipo de oportunidade",
    region: "region|territory|sales region|gebiet|région|territoire|región|territorio|região|território",
    product_labels:
      "deal product|deal products|products|product|product labels|product name|produkte|produkt|produits|produit|productos|producto|produtos|produto",
    competitors:
      "concurrenten|concorrente principale|competitor evaluated|competitors evaluated|competitor considered|competitors considered|competing vendor|competing vendors|competitors|competitor|competitor name|competitor names|main competitor(s)|main competitors|wettbewerber|konkurrent|konkurrenten|concurrents|concurrent|competidores|competidor|concorrentes|concorrente",
    other_competitors:
      "other competitors|other competitor|additional competitors|further competitors|weitere wettbewerber|andere wettbewerber|autres concurrents|otros competidores|outros concorrentes",
    primary_competitor:
      "lost to|lost to competitor|primary competitor|main competitor|primary competitor name|hauptwettbewerber|hauptkonkurrent|concurrent principal|principal concurrent|competidor principal|principal competidor|concorrente principal|principal concorrente",
    incumbent:
      "incumbent|incumbent vendor|incumbent competitor|incumbent supplier|bestandsanbieter|fournisseur en place|proveedor actual|fornecedor atual",
    drivers: "drivers",
    loss_reason:
      "primary loss reason|main loss reason|key loss reason|primary lost reason|hauptverlustgrund|deal lost reason|closed/lost reason|closed / lost reason|why lost|why we lost|grund für „geschlossen und verloren“|loss reason|loss reasons|loss reason(s)|lost reason|lost reasons|reason for loss|reasons for loss|reason lost|reason for losing|closed lost reason|closed lost reasons|deal - lost reason|verlustgrund|verlustgründe|grund für verlust|grund für den verlust|grund des verlusts|raison de la perte|raison de perte|motif de perte|motif de la perte|motivo de pérdida|motivo de la pérdida|razón de pérdida|razón de la pérdida|motivo da perda|motivo de perda|motivos da perda|razão da perda|motivo perdita|motivo della perdita|causa perdita|verliesreden|reden verlies|reden van verlies",
    win_reason:
      "closed/won reason|closed / won reason|why won|why we won|win reason|win reasons|win reason(s)|won reason|won reasons|reason for win|reasons for win|reason won|reason for winning|closed won reason|closed won reasons|deal - won reason|gewinngrund|gewinngründe|grund für gewinn|grund für den gewinn|raison du gain|motif de gain|motivo de ganancia|razón de ganancia|motivo del éxito|motivo do ganho|motivo de ganho",
    summary: "summary|win loss summary",
  },
  client: {
    crm_one_id: "account id|salesforce account id|account-id|(do not modify) account|id du compte|id de la cuenta",
    crm_two_id: "record id|company id|hs object id|organization - id|datensatz-id",
    name: "account name|account|company name|company|organization - name|organization name|client name|customer|customer name|kunde|firma|firmenname|accountname|unternehmensname|nom du compte|nom de l'entreprise|société|nombre de la cuenta|nombre de la empresa|empresa|nome da empresa|nome da conta|conta",
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

/** Drops what does not tell headers apart: case, invisible characters, marks of notes, line breaks, `*` and `:`, arrows of a sort order, kinds of separators. */
export const normalizeHeader = (header: string): string =>
  isTooLong(header)
    ? header
    : withoutNotes(header)
        .normalize("NFKC")
        .replaceAll(/[‘’]/g, "'")
        .replaceAll(/[\u00ad\u200b-\u200f\u2060\ufeff]/g, "")
        .replaceAll(/[\s_]+/g, " ")
        .replace(/^[\s"'“”*:\p{So}\p{Sm}]+|(?<![\s"'“”*:\p{So}\p{Sm}])[\s"'“”*:\p{So}\p{Sm}]+$/gu, "")
        .toLowerCase()

/** Whether a text is no header that people or programs write, but a cell of a file without headers. */
export const isTooLong = (header: string): boolean => header.length > MAX_HEADER_LENGTH

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

const IS_DELETED_HEADER = /^(?:is ?)?deleted$|^(?:ist )?gelöscht$|^supprimée?$|^eliminad[oa]$/

/** The field that CRMs and people call by this header. Undefined if none is known. */
export const fieldCalled = (type: RecordType, header: string): string | undefined =>
  isTooLong(header) ? undefined : findField(type, header)

const findField = (type: RecordType, header: string): string | undefined =>
  (IS_DELETED_HEADER.test(normalizeHeader(header)) ? "is_deleted" : undefined) ??
  listHeaders(type).get(normalizeHeader(header)) ??
  listHeaders(type).get(normalizeHeader(splitUnit(header).name)) ??
  nameOf(type, normalizeHeader(header)) ??
  numberedList(type, normalizeHeader(header)) ??
  fieldOfName(type, header)

/** API names, `Loss_Reason__c`, `Account.Name` and `CloseDate`, and the object before its field: `Deal - Competitor`. */
const fieldOfName = (type: RecordType, header: string): string | undefined => {
  const plain = header
    .trim()
    .replace(/__[cs]$/i, "")
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ")
    .replace(/^(\w+)\.(?=Name$)/i, "$1 ")
    .replace(type === "deal" ? OBJECT : "", "")
  const name = normalizeHeader(plain)
  return plain === header.trim() ? undefined : (listHeaders(type).get(name) ?? numberedList(type, name))
}
const OBJECT = /^(?:opportunity|deal|affaire|transaction|negocio|negócio|verkaufschance)(?:: | - )/i

/** Whether a header says that its column is about deals. */
export const isOfDeal = (header: string): boolean => DEAL.test(normalizeHeader(header))
const DEAL =
  /\b(?:deal|opp|opportunity|opportunities|opportunité|oportunidad|oportunidade|transaction|affaire|negocio|negócio)s?\b|verkaufschance/

/** Reports of Salesforce write the object before its field: `Owner: Full Name`, `Account Name: Account Name`. */
const nameOf = (type: RecordType, header: string): string | undefined => {
  const [, object = "", field = ""] = /^([^:]+): ([^:]+)$/.exec(header) ?? []
  const found = listHeaders(type).get(object)
  return /^(?:full )?name$/.test(field) || listHeaders(type).get(field) === found ? found : undefined
}

/** `Competitor 1`, `Loss Reason 2`: columns that fill one list. */
export const isNumbered = (header: string): boolean => !isTooLong(header) && /\D\s*\d$/.test(header.trim())
const LISTS: ReadonlySet<string> = new Set([
  "competitors",
  "product_labels",
  "collaborators",
  "loss_reason",
  "win_reason",
])
const numberedList = (type: RecordType, header: string): string | undefined => {
  const found = isNumbered(header) ? listHeaders(type).get(header.replace(/(?<![\s#])[\s#]*\d$/, "")) : undefined
  return found !== undefined && LISTS.has(found) ? found : undefined
}

/** The texts of the choices of an import that need its plan, and of its undo. */
export const UNDO_EN = {
  "import.unmapped": "Columns that fill no field",
  "import.unmapped.ignore": "are not imported",
  "import.unmapped.crm_one": "are kept as properties of the first CRM",
  "import.unmapped.crm_two": "are kept as properties of the second CRM",
  "import.emptyCell": "An empty cell",
  "import.emptyCell.keep": "leaves its field as it is",
  "import.emptyCell.clear": "clears its field",
  "import.more": "More choices",
  "import.unknownNames": "Names that the workspace does not have",
  "import.unknownNames.all": "are created",
  "import.unknownNames.none": "are errors of their rows",
  "import.encoding": "Encoding",
  "import.encoding.none": "as the file shows",
  "import.sheetField": "Sheet, by name or number",
  "import.keeps": "Columns kept as properties of the deal ({count}):",
  "import.noneToKeep": "Every column fills a field, so no property is kept.",
  "import.newProperty": "new property, {type}",
  "import.knownProperty": "property, {type}",
  "import.type.text": "text",
  "import.type.number": "number",
  "import.type.date": "date",
  "import.type.boolean": "yes or no",
  "import.rates": "The file has amounts in other currencies",
  "import.ratesHint": "Rows in a currency without a rate are refused.",
  "import.severalCurrencies": "The file has several currencies",
  "import.severalHint":
    "The workspace has no currency yet. Choose the one that its amounts are in; the import sets it and converts the others.",
  "import.base": "Currency of the workspace",
  "import.choose": "(choose)",
  "import.rate": "1 {code} in {currency}",
  "undo.button": "Undo this import",
  "undo.again": "Go on with the undo",
  "undo.until": "Possible until {at}.",
  "undo.not": "This import cannot be undone: {reason}.",
  "undo.title": "Undo this import?",
  "undo.created": "{count} new records, and new names that nothing else uses, are deleted.",
  "undo.updated": "{count} changed records get their earlier values back.",
  "undo.deleted": "{count} deleted records are created again.",
  "undo.later": "Records that were changed after the import stay as they are, and are listed.",
  "undo.confirm": "Undo the import",
  "undo.runs": "Undoing the import …",
  "undo.progress": "Progress of the undo",
  "undo.done": "The import is undone:",
  "undo.restored": "{count} restored to their earlier values",
  "undo.removed": "{count} records and names deleted",
  "undo.recreated": "{count} created again",
  "undo.kept": "{count} stay as they are",
  "undo.nothing": "nothing was left to undo",
  "undo.keptTitle": "Not undone, or not whole",
  "undo.moreKept": "and {count} more",
  "undo.ended": "The undo ended early: {reason}. What it has undone stays undone.",
  "undo.twice": "This import is already undone, or is being undone.",
  "undo.late": "It is too late: an import can be undone for 7 days.",
  "undo.forbidden": "Your key may not undo imports: it needs the permission import.write.",
  "undo.unknown": "This import is not known: it may be older than 90 days.",
  "undo.earlier": "Import of {at}",
  "undo.status.running": "It still runs.",
  "undo.status.incomplete": "It ended before the end of its file.",
  "undo.open": "Look at it, or undo it",
  "undo.reason.changed_later": "changed after the import",
  "undo.reason.deleted_later": "deleted after the import",
  "undo.reason.created_again": "created again after the import, with the same id",
  "undo.reason.in_use": "in use elsewhere",
  "undo.reason.conflict": "its earlier values refer to something that is gone, or another record has its CRM id now",
  "undo.reason.documents_lost": "exists again, without the documents that it had",
  "notice.id_repeated":
    "Several rows are about the same record. Lists have the entries of all of them; of other values the newest counts, or else the last.",
  "notice.name_repeated":
    "Rows without an id have the name and account of an earlier row: each is a deal of its own. Add a column with ids if they are one deal.",
  "notice.date_of_period": "Months, quarters and years are read as their last day. Write the day if you mean another.",
  "notice.amount_approximate":
    "Amounts that are only about so much are taken as they are. Correct those that you know exactly.",
  "notice.deal_named":
    "No column has the names of the deals, so each is named after its account and close date. Choose the column if one has them.",
  "notice.sheet_chosen":
    "The first sheet has no table of deals, so another is read. Name the sheet if you mean another.",
  "notice.name_without_client":
    "New deals are called like deals that exist, and only one of both has an account. Add the account or an id if they are the same.",
  "notice.id_of_numbers":
    "Running numbers become the ids: a row of another list with the same number will change the same record. Choose the field of the CRM's ids, or none, if they only number the rows.",
  "notice.stage_missing":
    "Deals that no column calls won or lost are imported without a stage; one that exists keeps its own.",
  "notice.stage_contradicted":
    "The stage says won or lost, and the outcome another thing. A won or lost outcome counts, else the stage.",
  "notice.table_skipped":
    "Another header begins a table with other columns. Import it from a file or sheet of its own.",
  "notice.table_beside":
    "Columns beside an empty column are another table and are not imported. Delete the empty column, or choose their fields, if they belong to the deals.",
  "notice.group_written_once":
    "Most rows have no value here, as in a report that writes each group once. Export it without groups if they should have one.",
  "notice.stage_unclear":
    "It is not clear whether the new stage is open, won or lost. Choose it if the guess is wrong.",
  "notice.footer_skipped": "Lines of a footer are no records and are not imported.",
  "notice.total_skipped": "Rows of totals are no records and are not imported.",
  "notice.deleted_skipped": "Records that the CRM has deleted are not imported.",
  "notice.struck_skipped": "Struck-out rows and text are not imported.",
  "notice.deletes_records":
    "Rows with yes in the column of “deleted” delete their records here. Choose another field for the column if you do not want that.",
  "notice.short_row": "Rows that end early are not imported.",
  "notice.row_of_one_cell":
    "Rows of one cell become deals, although most rows have more. If they are headings, delete them from the file and choose it again.",
  "notice.name_missing":
    "No column has the name of the deals. Choose the column that has it: without a name, no new deal is imported.",
  "notice.row_hidden":
    "Rows that the file hides, as a filter does, are imported too. Delete them from the file and choose it again, if only the rows shown count.",
  "notice.column_hidden":
    "Columns that the file hides fill these fields. Choose no field for a column that does not count.",
  "notice.placeholder_emptied": "Cells that only stand for nothing are taken as empty.",
  "notice.column_unmapped": "Columns that fill no field are not imported, unless you choose a field for them.",
  "notice.column_like_field":
    "The cells of these columns look like it, but the headers do not say so. Choose the field if you mean it; without one, the columns are not imported.",
  "notice.list_unsplit":
    "It is not sure that these cells are lists, so each is taken as one name. Separate the parts with semicolons if they are.",
  "notice.cell_left_out":
    "Cells that do not fit the type of their property, or give no single amount or date, are left out; their rows are imported.",
  "notice.formulas_not_calculated":
    "Formulas have no value, because the program that wrote the file did not calculate them. Open it in a spreadsheet, save it, and choose it again.",
  "notice.sheets_unread":
    "Other sheets of the workbook hold a table too and are not imported. Import the file again for each, and name it under “Sheet”.",
  "notice.separator_contradicted":
    "The first line names a separator of cells that the rows do not have. They are read by the one that they have.",
  "thing.deal": "Deal",
  "thing.association": "Feature of a deal",
  "thing.client": "Account",
  "thing.owner": "Owner",
  "thing.stage": "Stage",
  "thing.competitor": "Competitor",
  "thing.feature": "Feature",
  "thing.reason": "Reason",
  "thing.metric": "Metric",
  "thing.answer": "Answer",
  "thing.segment": "Segment",
  "thing.crm_property": "CRM property",
  "thing.currency": "Currency of the workspace",
} as const

export const UNDO_DE: Readonly<Record<keyof typeof UNDO_EN, string>> = {
  "import.unmapped": "Spalten ohne Feld",
  "import.unmapped.ignore": "werden nicht übernommen",
  "import.unmapped.crm_one": "werden Felder des ersten CRM",
  "import.unmapped.crm_two": "werden Felder des zweiten CRM",
  "import.emptyCell": "Eine leere Zelle",
  "import.emptyCell.keep": "lässt ihr Feld, wie es ist",
  "import.emptyCell.clear": "leert ihr Feld",
  "import.more": "Weitere Einstellungen",
  "import.unknownNames": "Namen, die der Arbeitsbereich nicht hat",
  "import.unknownNames.all": "werden angelegt",
  "import.unknownNames.none": "sind Fehler ihrer Zeilen",
  "import.encoding": "Zeichenkodierung",
  "import.encoding.none": "wie die Datei zeigt",
  "import.sheetField": "Blatt, nach Name oder Nummer",
  "import.keeps": "Spalten, die CRM-Felder des Deals werden ({count}):",
  "import.noneToKeep": "Jede Spalte füllt ein Feld: keine bleibt übrig.",
  "import.newProperty": "neues CRM-Feld, {type}",
  "import.knownProperty": "CRM-Feld, {type}",
  "import.type.text": "Text",
  "import.type.number": "Zahl",
  "import.type.date": "Datum",
  "import.type.boolean": "ja oder nein",
  "import.rates": "Die Datei hat Beträge in anderen Währungen",
  "import.ratesHint": "Zeilen in einer Währung ohne Kurs werden abgewiesen.",
  "import.severalCurrencies": "Die Datei hat mehrere Währungen",
  "import.severalHint":
    "Der Arbeitsbereich hat noch keine Währung. Wählen Sie die seiner Beträge; der Import stellt sie ein und rechnet die anderen um.",
  "import.base": "Währung des Arbeitsbereichs",
  "import.choose": "(auswählen)",
  "import.rate": "1 {code} in {currency}",
  "undo.button": "Diesen Import rückgängig machen",
  "undo.again": "Rückgängigmachen fortsetzen",
  "undo.until": "Möglich bis {at}.",
  "undo.not": "Dieser Import kann nicht rückgängig gemacht werden: {reason}.",
  "undo.title": "Diesen Import rückgängig machen?",
  "undo.created": "{count} neue Datensätze werden gelöscht, ebenso neue Namen, die sonst nichts verwendet.",
  "undo.updated": "{count} geänderte Datensätze erhalten ihre früheren Werte.",
  "undo.deleted": "{count} gelöschte Datensätze werden wieder angelegt.",
  "undo.later": "Was nach dem Import geändert wurde, bleibt, wie es ist, und wird aufgeführt.",
  "undo.confirm": "Rückgängig machen",
  "undo.runs": "Der Import wird rückgängig gemacht …",
  "undo.progress": "Fortschritt",
  "undo.done": "Der Import ist rückgängig gemacht:",
  "undo.restored": "{count} mit früheren Werten wiederhergestellt",
  "undo.removed": "{count} Datensätze und Namen gelöscht",
  "undo.recreated": "{count} wieder angelegt",
  "undo.kept": "{count} bleiben, wie sie sind",
  "undo.nothing": "es war nichts mehr rückgängig zu machen",
  "undo.keptTitle": "Nicht oder nicht ganz rückgängig gemacht",
  "undo.moreKept": "und {count} weitere",
  "undo.ended": "Das Rückgängigmachen brach ab: {reason}. Was rückgängig gemacht ist, bleibt es.",
  "undo.twice": "Dieser Import ist schon rückgängig gemacht, oder er wird es gerade.",
  "undo.late": "Es ist zu spät: Ein Import kann 7 Tage lang rückgängig gemacht werden.",
  "undo.forbidden": "Ihr Schlüssel darf keine Importe rückgängig machen: Ihm fehlt das Recht import.write.",
  "undo.unknown": "Dieser Import ist unbekannt: Er ist vielleicht älter als 90 Tage.",
  "undo.earlier": "Import vom {at}",
  "undo.status.running": "Er läuft noch.",
  "undo.status.incomplete": "Er endete vor dem Ende seiner Datei.",
  "undo.open": "Ansehen oder rückgängig machen",
  "undo.reason.changed_later": "nach dem Import geändert",
  "undo.reason.deleted_later": "nach dem Import gelöscht",
  "undo.reason.created_again": "nach dem Import mit derselben Id wieder angelegt",
  "undo.reason.in_use": "wird anderswo verwendet",
  "undo.reason.conflict":
    "seine früheren Werte nennen etwas, das es nicht mehr gibt, oder ein anderer Datensatz hat jetzt seine CRM-Id",
  "undo.reason.documents_lost": "wieder angelegt, ohne die früheren Dokumente",
  "notice.id_repeated":
    "Mehrere Zeilen betreffen denselben Datensatz. Listen haben die Einträge aller Zeilen; sonst zählt der neueste Wert, oder der letzte.",
  "notice.name_repeated":
    "Zeilen ohne Id haben Name und Kunde einer früheren Zeile: Jede wird ein eigener Deal. Ist es derselbe, hilft eine Spalte mit Ids.",
  "notice.date_of_period":
    "Monate, Quartale und Jahre gelten als ihr letzter Tag. Schreiben Sie den Tag, wenn Sie einen anderen meinen.",
  "notice.amount_approximate":
    "Ungefähre Beträge werden übernommen, wie sie sind. Berichtigen Sie die, die Sie genau kennen.",
  "notice.deal_named":
    "Keine Spalte hat die Namen der Deals, deshalb heißt jeder nach Kunde und Abschlussdatum. Wählen Sie die Spalte, wenn eine sie hat.",
  "notice.sheet_chosen":
    "Das erste Blatt hat keine Tabelle mit Deals, deshalb wird ein anderes gelesen. Nennen Sie das Blatt, wenn Sie ein anderes meinen.",
  "notice.name_without_client":
    "Neue Deals heißen wie vorhandene, und nur einer von beiden hat einen Kunden. Sind es dieselben, hilft der Kunde oder eine Id.",
  "notice.id_of_numbers":
    "Laufende Nummern werden zu Ids: Eine Zeile einer anderen Liste mit derselben Nummer ändert denselben Datensatz. Wählen Sie das Feld für Ids des CRM, oder keines, wenn sie nur die Zeilen zählen.",
  "notice.stage_missing":
    "Deals, die keine Spalte gewonnen oder verloren nennt, werden ohne Phase importiert; vorhandene behalten ihre.",
  "notice.stage_contradicted":
    "Die Phase sagt gewonnen oder verloren, das Ergebnis etwas anderes. Ein Ergebnis gewonnen oder verloren zählt, sonst die Phase.",
  "notice.table_skipped":
    "Eine weitere Kopfzeile beginnt eine Tabelle mit anderen Spalten. Importieren Sie sie aus einer eigenen Datei oder einem eigenen Blatt.",
  "notice.table_beside":
    "Spalten neben einer leeren Spalte sind eine andere Tabelle und werden nicht importiert. Löschen Sie die leere Spalte, oder wählen Sie Felder, wenn sie zu den Deals gehören.",
  "notice.group_written_once":
    "Die meisten Zeilen haben hier keinen Wert, wie in einem Bericht, der jede Gruppe einmal nennt. Ohne Gruppen exportiert, hätten sie einen.",
  "notice.stage_unclear":
    "Ob die neue Phase offen, gewonnen oder verloren ist, ist nicht klar. Wählen Sie es, falls die Annahme falsch ist.",
  "notice.footer_skipped": "Fußzeilen sind keine Datensätze und werden nicht importiert.",
  "notice.total_skipped": "Summenzeilen sind keine Datensätze und werden nicht importiert.",
  "notice.deleted_skipped": "Datensätze, die das CRM gelöscht hat, werden nicht importiert.",
  "notice.struck_skipped": "Durchgestrichene Zeilen und Texte werden nicht importiert.",
  "notice.deletes_records":
    "Zeilen mit Ja in der Spalte für „deleted“ löschen hier ihre Datensätze. Wählen Sie ein anderes Feld für die Spalte, wenn Sie das nicht wollen.",
  "notice.short_row": "Zeilen, die zu früh enden, werden nicht importiert.",
  "notice.row_of_one_cell":
    "Zeilen mit einer Zelle werden zu Deals, obwohl die meisten Zeilen mehr haben. Wenn es Überschriften sind, löschen Sie sie aus der Datei und wählen Sie sie erneut.",
  "notice.name_missing":
    "Keine Spalte hat den Namen der Deals. Wählen Sie die Spalte, die ihn hat: Ohne Namen wird kein neuer Deal importiert.",
  "notice.row_hidden":
    "Zeilen, die die Datei ausblendet, etwa durch einen Filter, werden auch importiert. Löschen Sie sie aus der Datei und wählen Sie sie erneut, wenn nur die sichtbaren zählen.",
  "notice.column_hidden":
    "Spalten, die die Datei ausblendet, füllen diese Felder. Wählen Sie kein Feld für eine Spalte, die nicht zählt.",
  "notice.placeholder_emptied": "Zellen, die nur für nichts stehen, gelten als leer.",
  "notice.column_unmapped": "Spalten, die kein Feld füllen, werden nicht importiert, außer Sie wählen ein Feld dafür.",
  "notice.column_like_field":
    "Die Zellen dieser Spalten sehen danach aus, aber die Überschriften sagen es nicht. Wählen Sie das Feld, wenn Sie es meinen; ohne Feld werden die Spalten nicht importiert.",
  "notice.list_unsplit":
    "Ob diese Zellen Listen sind, ist nicht sicher; jede gilt als ein Name. Trennen Sie die Teile durch Semikolons, wenn es welche sind.",
  "notice.cell_left_out":
    "Zellen, die nicht zur Art ihres CRM-Felds passen oder keinen einzelnen Betrag oder Tag nennen, werden ausgelassen; ihre Zeilen werden importiert.",
  "notice.formulas_not_calculated":
    "Formeln haben keinen Wert, weil das Programm, das die Datei schrieb, sie nicht berechnet hat. Öffnen und speichern Sie sie in einer Tabellenkalkulation und wählen Sie sie erneut.",
  "notice.sheets_unread":
    "Andere Blätter der Arbeitsmappe haben auch eine Tabelle und werden nicht importiert. Importieren Sie die Datei für jedes erneut, und nennen Sie es unter „Blatt“.",
  "notice.separator_contradicted":
    "Die erste Zeile nennt ein Trennzeichen, das die Zeilen nicht haben. Sie werden nach dem gelesen, das sie haben.",
  "thing.deal": "Deal",
  "thing.association": "Funktion eines Deals",
  "thing.client": "Kunde",
  "thing.owner": "Verantwortlich",
  "thing.stage": "Phase",
  "thing.competitor": "Wettbewerber",
  "thing.feature": "Funktion",
  "thing.reason": "Grund",
  "thing.metric": "Kennzahl",
  "thing.answer": "Antwort",
  "thing.segment": "Segment",
  "thing.crm_property": "CRM-Feld",
  "thing.currency": "Währung des Arbeitsbereichs",
}

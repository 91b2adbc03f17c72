import { singleWordsOf } from "../../reports/words.ts"

/** Words for the same thing, in English, German, French and Spanish. Each line begins with the name of its group. */

/** Names of fields and roles: a claim needs these words where its evidence has the value. */
export const FIELDS = `
  price cost charge fee pay pays paid priced quote bill billed kosten kostet kostete preis verlangen verlangt zahlen zahlt gebühr
    berechnen berechnet prix coût coûte coûter coûtent frais tarif facture facturer demande payer paie precio precios costo coste cuesta
    cuestan cobra cobrar cuota pagar paga pago tarifa
  setup onboarding einrichtung implementation einführung installation installer instalar instalación instala puesta alta
  discount rabatt reduction nachlass remise ristourne descuento rebaja
  budget presupuesto
  amount value worth wert auftragswert vertragswert volumen betrag size arr valeur montant importe valor monto
  revenue sales bookings turnover umsatz chiffre ingresos facturación ventas
  deficit losses verluste pertes pérdidas
  user nutzer benutzer anwender utilisateur utilisateurs usuario usuarios
  employee employ employs staff people headcount mitarbeiter beschäftigte beschäftigt beschäftigen leute menschen personen salarié
    salariés emploie employés personne personnes personas empleado empleados emplea trabajador trabajadores plantilla
  seat platz plätze sitz lizenzplatz arbeitsplatz arbeitsplätze arbeitsplätzen poste postes puesto puestos asiento
  license licence lizenz lizenzen licencia licencias
  ${singleWordsOf("owner").join(" ")} own owns executive verantwortlich verantwortliche besitzer inhaber responsable propietario
  ${singleWordsOf("competitor").join(" ")} compete competes wettbewerber konkurrent konkurrenz konkurriert concurrent concurrence
    competidor competencia
  ${singleWordsOf("client").join(" ")} kunde kunden clientes clients
  notice cancellation cancel cancelled kündigungsfrist kündigen gekündigt kündigung préavis résilier preaviso aviso avisar antelación
  won win wins winning remporté remporter gewinnen gewonnen gewann gagné gagner gagnée ganar ganamos ganado ganada
  lost lose losing verlieren verloren verlor perdu perdre perdue perder perdimos perdido perdida
  minimum least mindestens mindest fewer minimal minimale mínimo mínima
  maximum most höchstens maximal maximale máximo máxima
  share marktanteil anteil
  lawyer anwalt avocat abogado
  founder found founded founding gründen gegründet gründer fondé fondateur fundada fundador
  headquarter headquarters hq base based sitz hauptsitz sitzt siège sede
  collaborator collaborates collaborate supported unterstützt
  target quota ziel objectif objetivo`

/** Words that mean the same where a claim and its evidence use different ones. */
export const SYNONYMS = `
  term laufzeit laufen mindestlaufzeit vertragslaufzeit läuft duration durée dure durer durent duración dura duran
  close closing closed ends end endet enden expire expires schließt geschlossen clôture clôturé fin cierre cerró cierra cerrar termina
    terminar termine
  create created opened open erstellt angelegt créé creado creada creó
  year annual annually yearly jahr jahre jahren jährlich an ans année années annuel annuelle annuellement año años anual anuales anualmente
  month monthly monat monate monaten monats monatlich mois mensuel mensuelle mes meses mensual mensuales
  week weekly woche wochen wöchentlich semaine semaines semana semanas
  day daily tag tage tagen täglich jour jours día días
  hour hourly stunde stunden heure heures hora horas
  minute minuten minutos
  quarter quartal quartale quarterly trimestre
  once onetime einmalig einmalige oneoff fois unique única único
  extra additional beyond further zusätzlich
  support supports help service unterstützung soporte assistance
  answer respond response reply antworten antwortet antwort hear répond répondre responde responder
  acquire buy bought acquisition purchase purchased übernehmen übernahm übernahme kaufen kaufte
  offer offers offered provide sell sells available anbieten bietet angebot bid proposal proposed proposition
    proposait propose proposer offre oferta ofrece ofreció ofrecer propuesta bieten stellt
  include includes included enthält enthalten inbegriffen compris comprise inclut inclus incluye comprend
  contact ansprechpartner ansprechpartnerin interlocuteur
  decide decides decision decisionmaker entscheidung entscheiden entscheidet entschied entscheiderin entscheider décision décider decisión decidir
  choose choice choix elección wahl chose chosen pick picked select selected opt opted retenu retient choisi choisir elegir eligió elegido entschieden prefer
    prefers preferred favour favor favoured favored bevorzugen bevorzugt bevorzugte préféré préférer préférés préférait prefería prefirió preferir
    decidió
  renew renewal renews verlängern verlängert verlängerung renouvelle renouveler renouvellement renueva renuevan renovar renovación
  automatic automatically automatisch automatiquement automáticamente automática
  contract contracts agreement vertrag verträge vertrags contrat contrats contrato contratos commit engager engage engagement
  certified certify certification zertifiziert zertifizierung certifié certificado
  ${singleWordsOf("region").join(" ")} gebiet région región
  want wants wanted insist insists ask demand request fordern fordert verlangte souhaitait souhaiter veut quería quiere pide pedía
  invest investment investor raise funding investieren
  employeeowner betriebsrat
  plan tier edition paket package formule formula
  rate taux tasa
  reason cause because grund weil raison motif motivo razón
  cheap cheaper cheapest billig billiger günstig günstiger undercut undercuts économique barato barata
  expensive teurer teuer cher chère caro cara dearer
  higher high above höher hoch superior supérieur supérieure
  lower low below niedriger niedrig inferior inférieur inférieure
  first initial erste ersten premier première primero primera
  rollout deployment einsatz déploiement déployer despliegue
  reach achieve hit attain erreichen erreicht atteindre atteint
  rise rises rose climb climbed climbs jumped jump soared expanded improved gained grimpé bondi kletterte increase increased grow grew grown raised steigen gestiegen steigt stieg augmenté augmenter augmente progressé progresser hausse
    crecer creció crecieron subió subir subida aumentó aumentar gewachsen wuchs encareció
  fall fell falls slipped slid dipped plunged reculé chuté descendió disminuyó decrease decreased drop dropped decline declined shrank shrink shrunk shortened sinken gesunken sank fallen gefallen
    baissé baisser baisse diminué diminuer bajó bajar cayó caer reducir redujo verkürzt
  positive helped
  negative hurt
  succeed succeeded took succeed replaced replace succeeds
  pass passed passes bestanden bestehen réussi aprobó
  interface integration schnittstelle anbindung interfaz integración connector
  store stores filiale filialen magasin magasins tienda tiendas
  site sites location standort standorte standorten
  data daten données datos
  host hosts hosted hosting stored
  head heads lead leads leiter leiterin leitet director directora directeur directrice dirige dirigeant jefa jefe
  purchasing einkauf einkaufs procurement achats compras
  technical technique técnico
  phase stage status stufe étape etapa
  evaluation evaluate evaluators evaluated evaluación évaluation
  spend spends spent ausgeben
  migrate migration migrer migración
  finding findings
  start begin began begins starts launch beginn beginnt starten startet commence comienza
  live
  delivery deliver livraison livrer entrega entregar liefern lieferung
  main principal principale hauptgrund ausschlaggebend wichtigste
  cycle cycles zyklus ciclo
  availability uptime verfügbarkeit disponibilité disponibilidad
  outage outages downtime ausfall ausfälle panne pannes caída caídas down
  training trainings schulung schulungen formation formations formación
  invoice invoices invoiced rechnung rechnungen factures facturas payment payments zahlung zahlungen zahlungsziel paiement paiements
  leave leaves leaving left exit quit depart departed verlassen verließ ausstieg quitter quitté parti partir salir salió dejó
  office offices büro büros niederlassung bureau bureaux succursale oficina oficinas sucursal branch branches
  security sicherheit sécurité seguridad
  review reviews audit audits prüfung examen revisión auditoría
  champion sponsor advocate fürsprecher
  gap gaps weakness weaknesses schwäche schwächen faiblesse debilidad lücke lacune carencia
  strength strengths stärke stärken fortaleza
  pilot trial test poc testphase essai prueba piloto pilote
  capability functionality funktion funktionen fonctionnalité fonctionnalités función funcionalidad funciones feature features
  app apps application applications anwendung anwendungen aplicación aplicaciones
  mobile mobil móvil
  approve approves approved approval genehmigen genehmigt approuver approuvé aprobar aprobó
  meeting meetings termin réunion reunión call calls appel llamada gespräch
  deadline frist échéance plazo délai
  fast faster quick quickly quicker schnell schneller rapide rapidement rápido rápida
  slow slower langsam langsamer lent lente lento lenta
  big bigger large larger groß größer grand grande gros
  small smaller klein kleiner petit petite pequeño pequeña
  new neu neue neuer neuen nouveau nouvelle nuevo nueva
  profit gewinn bénéfice beneficio earnings
  team teams équipe equipo
  product products produkt produkte produit produits producto productos
  market markt marché mercado
  partner partners partenaire socio
  source quelle origen origine
  sold selling verkauft verkaufte vendu vendió vendido
  important importance matter matters wichtig importa importan importante importantes
  channel kanal canal
  strategy strategie stratégie estrategia
  industry industrie branche secteur sector
  country land país
  language sprache langue idioma
  document dokument dokumente documento
  warranty garantie garantía guarantee guarantees promise promises promised garantiert versprochen
  ceo geschäftsführer geschäftsführerin pdg
  cfo finanzchef finanzchefin
  coo
  cto
  weekend weekends wochenende wochenenden
  storage speicher stockage almacenamiento`

/** Words that carry no fact of their own in a sentence with a value, or only join it. */
export const LIGHT = `
  around about roughly approximately approx nearly almost over total overall currently today now present each every per more less
  go goes going come comes stand stands stood sit sits lie lies amounts total get gets got give gives gave make makes made take takes
  have has had having need needs use uses used using say says said tell told state states stated mention mentioned note noted call called
  common commonly usual usually typical typically customer customers company vendor provider people person name named
  deal deals opportunity account sale figure number according respectively just only alone back well way like time times
  set put run runs keep keeps keeping kept bring brings brought become became remain remains remained hold holds held expect expected ahead scheduled planned cover covers came
  before instead rather than out take part possible longer average averages joined requires require required demands involves involved
  working someone able serve serves served count counts sign signs signed move moved longest highest lowest
  monday tuesday wednesday thursday friday saturday sunday montag dienstag mittwoch donnerstag freitag samstag sonntag
  lundi mardi mercredi jeudi vendredi samedi dimanche lunes martes miércoles jueves viernes sábado domingo
  date dates datum fecha terms conditions konditionen condiciones whole entire even further another additionally
  fully usually likely main mainly mostly part overall
  preislich derzeit aktuell aktuelle bisher heute damals bereits dafür davon dabei dazu danach vorher voraus frau herr genauer ende
  liegt liegen lag beträgt betragen schlägt buche zuge etwa rund circa ca insgesamt jeweils gibt fällt bekommt erhält
  firma verkaufschance unternehmen kaufmännisch zählt braucht brauchen geschäft damit
  arbeiten arbeitet nutzt nutzen wollen will kann können muss müssen fällig
  dollar dollars euro euros usd eur percent prozent pourcent
  environ actuellement aujourd'hui également faut prendre doit élève élevait élever compte comptait représente revient atteindre passe agit
  appelle monsieur madame affaire opportunité chargé entreprise société
  tiene tienen tener tenía cuenta cuentan actualmente hoy asciende ascendía ascendió lleva llevar llevó contratar hace hacer solo vez
  señor señora empresa oportunidad`

/** Words of German, French and Spanish that mean nothing in a claim. */
export const FUNCTION_WORDS = `
  man der die das den dem des ein eine einen einem einer eines und oder ist sind war waren wird werden wurde wurden hat haben hatte habe
  mit von vom für bei beim im in am an auf aus zu zum zur nach seit bis innerhalb als auch noch schon sich sie er es wir uns unser unsere
  unseren unserem über unter wer wenn da dass gegen sehr mehr wie pro je sowie um
  le la les l un une du de d au aux et ou est sont était étaient a ont avons avait avaient été être avoir il elle ils elles on nous notre nos
  nôtre vous leur leurs son sa ses ce cet cette ces qui que qu dont où pour par avec dans en chez sur sous entre vers depuis dès
  jusqu afin si se s y n ne plus moins très tout tous toute toutes chaque aussi m mme selon
  el los las lo una unos unas del al o e es era eran fue fueron ha han hemos había ser estar está están hay con para por qué quien como
  su sus nuestro nuestra nuestros nuestras nosotros él ella ellos este esta estos estas ese esa cada sobre hasta desde según muy más menos
  también ya sola mediante dentro`

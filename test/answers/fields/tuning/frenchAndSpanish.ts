import type { FieldClaims } from "../judge.ts"

/** Passages in French and Spanish. */
export const FRENCH_AND_SPANISH: ReadonlyArray<FieldClaims> = [
  {
    language: "fr",
    document: "Concurrent Ardélis.md",
    headings: ["Ardélis", "Prix et contrat"],
    text: `Ardélis demande 38 € par poste et par mois, avec un minimum de quinze postes. L'installation coûte 2 700 €, payés une seule fois. Le contrat dure deux ans et se renouvelle automatiquement, sauf préavis de 90 jours. Ardélis emploie 140 personnes à Grenoble et compte 1 100 clients. Depuis le 1er septembre 2025, la formule Pro coûte 6 % de plus. Ardélis ne propose pas d'application mobile.`,
    paraphrase: [
      "Le prix d'Ardélis est de 38 euros par mois pour chaque poste.",
      "Il faut prendre au moins 15 postes.",
      "Les frais d'installation sont de 2700 euros.",
      "Les contrats d'Ardélis durent vingt-quatre mois.",
      "Ardélis a 140 employés et 1100 clients.",
      "La formule Pro a augmenté de six pour cent le 01/09/2025.",
      "Ardélis n'a pas d'application mobile.",
      "Ardélis has a notice period of 90 days.",
    ],
    value: ["L'installation coûte 38 €.", "Ardélis a 140 clients."],
    subject: ["Le préavis est de deux ans.", "L'application mobile coûte 2 700 €."],
    number: ["Ardélis accorde 10 % de remise."],
    name: ["Ardélis est présent à Grenoble et à Bruxelles."],
    negated: ["Ardélis propose une application mobile.", "La formule Pro a baissé de 6 %."],
  },
  {
    language: "fr",
    document: "Entretien Dumaret.md",
    headings: ["Entretien après la décision"],
    text: `Le 17 mars 2026, nous avons parlé avec Sophie Garnier, responsable informatique de Dumaret. Dumaret a préféré Ardélis à notre solution. Ardélis proposait 96 000 € par an contre 104 000 € pour nous. Le manque d'une interface avec Sage nous a coûté l'affaire. Les quatre sites de Dumaret comptent 230 utilisateurs. Paul Thévenin, le directeur financier, souhaitait un contrat d'un an.`,
    paraphrase: [
      "Dumaret a choisi Ardélis plutôt que nous.",
      "L'offre d'Ardélis s'élevait à 96 k€ par an.",
      "Notre proposition était de 104 000 euros.",
      "Nous avons perdu Dumaret faute d'interface avec Sage.",
      "Dumaret a 230 utilisateurs répartis sur 4 sites.",
      "Le directeur financier s'appelle Paul Thévenin.",
      "We lost Dumaret to Ardélis.",
    ],
    value: ["Notre offre était de 96 000 € par an.", "Dumaret a quatre utilisateurs."],
    subject: ["Dumaret nous a préférés à Ardélis.", "Sophie Garnier souhaitait un contrat d'un an."],
    number: ["Le déploiement aurait pris 7 semaines."],
    name: ["Dumaret avait aussi consulté Nexira."],
    negated: ["Nous avons gagné l'affaire Dumaret."],
  },
  {
    language: "es",
    document: "Competidor Brisal.md",
    headings: ["Brisal", "Precios"],
    text: `Brisal cobra 33 € por puesto al mes, con un mínimo de diez puestos. La instalación cuesta 2.400 € y dura cinco semanas. Los contratos son de tres años y se renuevan automáticamente, salvo aviso con 45 días de antelación. Brisal emplea a 75 personas en Zaragoza. En abril de 2025 subió el precio del plan Plus un 8 %. Brisal no ofrece una aplicación sin conexión.`,
    paraphrase: [
      "El precio de Brisal es de 33 euros mensuales por puesto.",
      "Hay que contratar al menos 10 puestos.",
      "Instalar Brisal cuesta 2400 euros y lleva 5 semanas.",
      "La duración del contrato es de 36 meses.",
      "Brisal tiene 75 empleados.",
      "El plan Plus se encareció un ocho por ciento en abril de 2025.",
      "Brisal carece de aplicación sin conexión.",
      "Brisal charges 33 euros per seat.",
    ],
    value: ["La instalación cuesta 33 €.", "El contrato dura cinco semanas."],
    subject: ["Brisal tiene 45 empleados.", "El plan Plus cuesta 2.400 €."],
    number: ["Brisal hace un descuento del 20 %."],
    name: ["Brisal tiene oficinas en Zaragoza y Lisboa."],
    negated: ["Brisal ofrece una aplicación sin conexión.", "El precio del plan Plus bajó un 8 %."],
  },
  {
    language: "es",
    document: "Notas de Tejada.md",
    headings: ["Llamada con Tejada"],
    text: `El 3 de diciembre de 2025 hablamos con Marta Olmos, jefa de compras de Tejada. Tejada eligió Brisal y nos rechazó. La oferta de Brisal era de 58.000 € al año y la nuestra de 66.000 €. El motivo principal fue el plazo de entrega: nosotros pedíamos cuatro meses. Iván Robles, el director técnico, prefería nuestra solución. Tejada tiene 19 tiendas y 260 empleados.`,
    paraphrase: [
      "Tejada se decidió por Brisal y no por nosotros.",
      "La propuesta de Brisal ascendía a 58 mil euros anuales.",
      "Nuestra oferta era de 66000 euros.",
      "El plazo de entrega fue la razón principal.",
      "Marta Olmos dirige las compras de Tejada.",
      "Hay 19 tiendas y 260 trabajadores en Tejada.",
      "Brisal offered 58,000 euros per year.",
    ],
    value: ["Nuestra oferta era de 58.000 € al año.", "Tejada tiene 19 empleados."],
    subject: ["Tejada eligió nuestra solución y rechazó a Brisal.", "Marta Olmos prefería nuestra solución."],
    number: ["El presupuesto de Tejada era de 50.000 €."],
    name: ["Tejada también habló con Kentia."],
    negated: ["Tejada no eligió Brisal."],
  },
  {
    language: "fr",
    source: "deal",
    document: "Groupe Valmont déploiement",
    text: `Groupe Valmont déploiement

Amount: 128,000
Stage: Closed Won
Close date: 2026-06-24
Created: 2025-10-13
Owner: Julien Perrot
Client: Groupe Valmont
Region: France
Competitors: Sindal
Drivers

Support en français, service (positive): L'équipe de Lyon répond dans l'heure.
Prix, commercial (negative): Notre offre était 9 % plus chère que celle de Sindal.`,
    paraphrase: [
      "Nous avons remporté l'affaire Groupe Valmont le 24 juin 2026.",
      "Le montant de l'affaire est de 128 000.",
      "Julien Perrot est le commercial chargé de l'affaire.",
      "Sindal était notre concurrent.",
      "Nous étions plus chers que Sindal de 9 pour cent.",
      "The deal was created on October 13, 2025.",
    ],
    value: ["L'affaire a été créée le 24 juin 2026."],
    subject: ["Sindal a remporté l'affaire.", "Notre offre était 9 % moins chère que celle de Sindal."],
    number: ["L'affaire porte sur 400 licences."],
    name: ["Élodie Roche est la propriétaire de l'affaire."],
    negated: ["Nous n'avons pas gagné l'affaire Groupe Valmont."],
  },
  {
    language: "es",
    document: "Transcripción Montalbo.vtt",
    headings: [],
    text: `Rosa Cifuentes: Hoy pagamos 3.600 € al mes a Brisal por 110 licencias.
Diego Luna: ¿Cuándo vence el contrato?
Rosa Cifuentes: El 31 de octubre, y hay que avisar dos meses antes.
Diego Luna: Podemos ofrecerles un quince por ciento de descuento si firman por tres años.
Rosa Cifuentes: Lo más importante para nosotros es la integración con SAP. Brisal no la tiene.
Diego Luna: Nosotros la tenemos desde 2022.`,
    paraphrase: [
      "Montalbo paga a Brisal 3600 euros mensuales.",
      "Tienen ciento diez licencias.",
      "El contrato con Brisal termina el 31/10.",
      "Diego Luna ofreció un descuento del 15 % por un contrato de tres años.",
      "A Rosa Cifuentes le importa sobre todo la integración con SAP.",
      "Brisal no tiene integración con SAP.",
      "The contract expires on 31 October.",
    ],
    value: ["Montalbo paga a Brisal 110 € al mes.", "Hay que avisar tres años antes."],
    subject: ["Rosa Cifuentes ofreció un quince por ciento de descuento.", "Brisal tiene la integración desde 2022."],
    number: ["Montalbo necesita 150 licencias en 2027."],
    name: ["Montalbo también evalúa Kentia."],
    negated: ["Brisal tiene integración con SAP.", "Nosotros no tenemos la integración con SAP."],
  },
]

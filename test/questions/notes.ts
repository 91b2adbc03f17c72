/** Library notes about deals whose own records say nothing: one account has no deal, the other an open one without analysis. */
export const NOTES = [
  {
    file_name: "partner-roundtable.md",
    competitor: "Nimbrel",
    markdown: `# Notes from the partner roundtable

The Marrowfield Docks deal was lost because a new finance director froze every purchase until spring. Nobody of ours had met her.

The Sarnwick Capital deal is stuck because their auditors want the audit report in Portuguese.`,
  },
  {
    file_name: "trade-fair-gossip.md",
    competitor: "Calyptus One",
    markdown: `# Heard at the trade fair in Basel

Calyptus One is about to close its office in Lisbon and moves its support to Manila.

Halvern Credit told a partner that it left Tallowmark after two outages on one Sunday.`,
  },
] as const

const LENGTH = 15
const GROUP = 5
const CHECKS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ012345"

/** Each character of Salesforce's suffix says which of five characters are capitals. */
const computeSuffix = (id: string): string => {
  let suffix = ""
  for (let start = 0; start < LENGTH; start += GROUP) {
    let bits = 0
    for (let n = 0; n < GROUP; n++) if (/[A-Z]/.test(id[start + n]!)) bits |= 1 << n
    suffix += CHECKS[bits]
  }
  return suffix
}

/**
 * Two CRM ids mean the same thing if their keys are equal. Salesforce writes an id with 15 characters in reports, and with a case-safe
 * suffix of three in other exports: without it, both have the same key. Every other id is its own key; case counts.
 */
export const crmKey = (id: string): string =>
  id.length === LENGTH + 3 && /^[A-Za-z0-9]+$/.test(id) && id.slice(LENGTH) === computeSuffix(id)
    ? id.slice(0, LENGTH)
    : id

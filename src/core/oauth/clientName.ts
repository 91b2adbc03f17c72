const MAX_LENGTH = 80

/** Characters that hide, reorder or break a line of the consent page. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}]/u

export const hasName = (name: string | undefined): name is string =>
  name !== undefined && name.trim() !== "" && name.length <= MAX_LENGTH && name.isWellFormed() && !HIDDEN.test(name)

/** Whether a stranger took the name of this service, also in other letters that look alike. */
export const looksLikeOurs = (name: string): boolean =>
  name
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[\u0261]/g, "g")
    .replaceAll(/[\u0456\u04cf\u03b9\u0131|!1l]/g, "i")
    .replaceAll(/[\u0455$5]/g, "s")
    .replaceAll(/[\u04bb]/g, "h")
    .replaceAll(/[\u0435\u03b53]/g, "e")
    .replaceAll(/[\u043d]/g, "n")
    .replaceAll(/[\u03c4\u0442]/g, "t")
    .replaceAll(/[^a-z]/g, "")
    .includes("sightiine")

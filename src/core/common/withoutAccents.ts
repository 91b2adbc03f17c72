/** A text without accents, which people leave out. NFC puts what is no accent together again, such as Korean syllables. */
export const withoutAccents = (text: string): string =>
  text
    .normalize("NFD")
    .replaceAll(/[\u0300-\u036f]/g, "")
    .normalize("NFC")

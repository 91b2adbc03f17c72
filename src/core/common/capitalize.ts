/** A text that begins with a capital letter. Effect's own is not used: files that the command line shares load without Effect. */
export const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

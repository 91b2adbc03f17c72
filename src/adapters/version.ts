/** Equal to package.json's: a test compares them. */
export const VERSION = "0.1.0"

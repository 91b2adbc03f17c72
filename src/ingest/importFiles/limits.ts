/** The limits of files of records, which are larger than documents. */
export const LIMITS = {
  /** The inflated size of a text that was compressed by gzip. */
  inflatedBytes: 2 * 1024 ** 3,
  /** Inflated over compressed size, beyond the first mebibyte. */
  ratio: 200,
  /** The inflated size of a workbook. */
  workbookBytes: 500 * 1024 ** 2,
  cells: 5_000_000,
  /** CPU time to read one workbook: as many cells take a minute on a slow machine. */
  cpuSeconds: 180,
} as const

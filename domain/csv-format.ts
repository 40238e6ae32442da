export const CSV_SEPARATORS = ['comma', 'semicolon'] as const;
export const CSV_DECIMALS = ['point', 'comma'] as const;

/**
 * How files for spreadsheets are written (docs/rules/billing.md#exports): programs of some
 * countries expect `12,50;30,00`.
 */
export interface CsvFormat {
  separator: (typeof CSV_SEPARATORS)[number];
  decimal: (typeof CSV_DECIMALS)[number];
}

export const DEFAULT_CSV_FORMAT: CsvFormat = { decimal: 'point', separator: 'comma' };

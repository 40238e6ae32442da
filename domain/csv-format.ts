export const CSV_SEPARATORS = ['comma', 'semicolon'] as const;
export const CSV_DECIMALS = ['point', 'comma'] as const;

/**
 * The format of files for spreadsheets (docs/rules/billing.md#exports). In some countries, spreadsheet
 * programs expect `12,50;30,00`.
 */
export interface CsvFormat {
  separator: (typeof CSV_SEPARATORS)[number];
  decimal: (typeof CSV_DECIMALS)[number];
}

export const DEFAULT_CSV_FORMAT: CsvFormat = { decimal: 'point', separator: 'comma' };

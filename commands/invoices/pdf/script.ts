const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** True if a text contains letters that are written from right to left. */
export const isRightToLeft = (text: string): boolean => RIGHT_TO_LEFT.test(text);

/** Splits a text into clusters: what readers see as one character. */
export const clustersIn = (text: string): string[] =>
  [...graphemes.segment(text)].map(({ segment }) => segment);

import type { Money } from '../../domain/money.js';
import type { ApiContext } from '../../api/http/context.js';
import { formatAmount, formatDay, formatMoment, localeOf } from './format.js';

/** How amounts and times of the current workspace are written, in its zone and locale. */
export function formatsOf(ctx: ApiContext) {
  const membership = ctx.state.membership!;
  const { time_zone } = membership;
  const locale = localeOf(membership);
  return {
    /** `£30.00`. */
    amount: (amount_minor: number, currency: string = membership.currency) =>
      formatAmount({ amount_minor, currency }, locale),
    money: (money: Money) => formatAmount(money, locale),
    /** `Tue 24 Nov`. */
    day: (at: Date) => formatDay(at, time_zone, new Date(), locale),
    /** `Tue 24 Nov, 10:00`. */
    moment: (at: Date) => formatMoment(at, time_zone, new Date(), locale),
  };
}

/** `bank_transfer` → `bank transfer`. */
export const spaced = (word: string): string => word.replaceAll('_', ' ');

/** `bank_transfer` → `Bank transfer`. */
export const sentenceCase = (word: string): string =>
  spaced(word).replace(/^./, (letter) => letter.toUpperCase());

/** The options of a select field for words of the API. */
export const optionsOf = (words: readonly string[]): (readonly [string, string])[] =>
  words.map((word) => [word, sentenceCase(word)]);

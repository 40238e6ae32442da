import type { Money } from '../../domain/money.js';
import type { ApiContext } from '../../api/http/context.js';
import {
  formatAmount,
  formatClock,
  formatClocks,
  formatDay,
  formatDeadline,
  formatMoment,
  formatSpan,
  currencyLocale,
  type Span,
} from '../../domain/display.js';

/** How amounts and times are written for people who use a currency, in a time zone. */
export function formatsIn({ currency, time_zone }: { currency: string; time_zone: string }) {
  const locale = currencyLocale({ currency });
  const now = new Date();
  return {
    amount: (amount_minor: number, of: string = currency) =>
      formatAmount({ amount_minor, currency: of }, locale),
    money: (money: Money) => formatAmount(money, locale),
    /** `Tue 24 Nov`, with its year if that is not the current one. */
    day: (at: Date | string) => formatDay(new Date(at), time_zone, now, locale),
    /** `10:00`. */
    clock: (at: Date) => formatClock(at, time_zone, locale),
    /** `Tue 24 Nov, 10:00`. */
    moment: (at: Date | string) => formatMoment(new Date(at), time_zone, now, locale),
    /**
     * The end of a period: `10:00`, or `Tue 24 Nov, 10:00` if that is not the day of its `start`, by default
     * now.
     */
    deadline: (at: Date | string, start?: Date | string) =>
      formatDeadline(new Date(at), time_zone, { now, start: start ? new Date(start) : now }, locale),
    /** `10:00–11:00`, in the zone of the span. */
    clocks: (span: Span) => formatClocks(span, now, locale),
    /** `Tue 24 Nov, 10:00–11:00`, in the zone of the span, which is named if it is another one. */
    span: (span: Span) =>
      formatSpan(span, now, locale) + (span.time_zone === time_zone ? '' : ` (${span.time_zone})`),
  };
}

export type Formats = ReturnType<typeof formatsIn>;

/**
 * How amounts and times of the current workspace are written; in its zone, if no other is given. The foot of
 * a page that writes a time names the workspace's zone. A page that gives a zone names it (`otherZone`).
 */
export function createFormats(ctx: ApiContext, timeZone?: string): Formats {
  const { currency, time_zone } = ctx.state.membership!;
  const formats = formatsIn({ currency, time_zone: timeZone ?? time_zone });
  const noted =
    <Of extends unknown[]>(write: (...of: Of) => string) =>
    (...of: Of): string => {
      ctx.state.showsTimes = true;
      return write(...of);
    };
  const { clock, moment, deadline, clocks, span } = formats;
  return {
    ...formats,
    clock: noted(clock),
    moment: noted(moment),
    deadline: noted(deadline),
    clocks: noted(clocks),
    span: noted(span),
  };
}

/** ` (Asia/Kathmandu)` for a room whose zone is not the workspace's, which the foot of the page names. */
export const otherZone = (ctx: ApiContext, timeZone: string): string =>
  timeZone === ctx.state.membership!.time_zone ? '' : ` (${timeZone})`;

/** `bank_transfer` → `bank transfer`. */
export const spaced = (word: string): string => word.replaceAll('_', ' ');

/** `bank_transfer` → `Bank transfer`. */
export const sentenceCase = (word: string): string =>
  spaced(word).replace(/^./, (letter) => letter.toUpperCase());

/** `a, b and c`. */
export const listed = (words: readonly string[], conjunction: 'and' | 'or' = 'and'): string =>
  new Intl.ListFormat('en-GB', { type: conjunction === 'and' ? 'conjunction' : 'disjunction' }).format(words);

/** The options of a select field for words of the API. */
export const toOptions = (words: readonly string[]): (readonly [string, string])[] =>
  words.map((word) => [word, sentenceCase(word)]);

/** When something is tried next: `in 20 s` within a minute, else `at` a moment. */
export function formatNextAttempt(next: Date, moment: (at: Date) => string): string {
  const seconds = Math.max(1, Math.ceil((next.getTime() - Date.now()) / 1000));
  return seconds <= 60 ? `in ${seconds} s` : `at ${moment(next)}`;
}

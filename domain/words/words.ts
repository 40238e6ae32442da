import { DAY_MINUTES, DAY_MS } from '../durations.js';
import { IntlMessageFormat } from 'intl-messageformat';
import {
  cached,
  formatAmount,
  formatClock,
  formatDay,
  formatDeadline,
  formatMoment,
  formatSpan,
  formatZonedMoment,
  currencyLocale,
  type Span,
} from '../display.js';
import type { Money } from '../money.js';
import { zoneOrUtc } from '../utc-offsets.js';
import { de } from './de/index.js';
import { en } from './en/index.js';
import { es } from './es/index.js';
import { fr } from './fr/index.js';
import type { Language } from './languages.js';

type Catalog = typeof en;
export type WordKey = keyof Catalog;

/** The placeholders of a message: `{n, plural, one {# day} other {# days}} in {room}` → `n | room`. */
type NamesIn<Message extends string> = Message extends `${string}{${infer Rest}`
  ? NameAt<Rest> | NamesIn<Rest>
  : never;
type NameAt<Rest extends string> = Rest extends `${infer Upto}}${string}`
  ? Upto extends `${infer Name},${string}`
    ? OneWord<Name>
    : OneWord<Upto>
  : never;
/** A branch of a plural has a space or `#`, or is empty. */
type OneWord<Name extends string> = Name extends `${string}${' ' | '#' | '{' | '<'}${string}` | ''
  ? never
  : Name;

type Values<Key extends WordKey> = Record<NamesIn<Catalog[Key]>, string | number>;
/** The arguments of `say` after the key: values, if the message has placeholders. */
type Given<Key extends WordKey> = [NamesIn<Catalog[Key]>] extends [never] ? [] : [values: Values<Key>];

/** Parsed messages in ICU syntax: parsing one takes about 0.1 ms, formatting it a few µs. */
const formats = new Map<string, IntlMessageFormat>();

function getFormat(language: Language, key: WordKey): IntlMessageFormat {
  const id = `${language} ${key}`;
  let format = formats.get(id);
  if (!format) {
    format = new IntlMessageFormat(keepTogether(CATALOGS[language][key]), language);
    formats.set(id, format);
  }
  return format;
}

/** Spaces where no line may break: before `: ; ! ?` and inside « » in French, and before `%`. */
const UNBROKEN = / (?=[:;!?»%])|(?<=«) /g;
const keepTogether = (message: string): string => message.replaceAll(UNBROKEN, '\u00a0');

/** The messages of each language. `npm run lint:repo` compares their keys, placeholders and tags. */
export const CATALOGS: Record<Language, Record<WordKey, string>> = { en, de, fr, es };

/**
 * Something with a currency, which decides how its amounts and times are written.
 */
interface Priced {
  currency: string;
}

/** The messages of one language, and its formats of amounts and times. */
export class Words {
  constructor(readonly language: Language) {}

  /** The locale for amounts and times in a currency: `de-DE`. */
  locale(currency: string): string {
    return currencyLocale({ currency }, this.language);
  }

  /** A message with its values. */
  say<Key extends WordKey>(key: Key, ...[values]: Given<Key>): string {
    return String(
      getFormat(this.language, key).format(values as Record<string, string | number> | undefined),
    );
  }

  /** A message with tags, `<a>…</a>`: the function with the name of a tag makes its part. */
  rich<Key extends WordKey, Part>(
    key: Key,
    parts: Record<string, (text: string) => Part>,
    ...[values]: Given<Key>
  ): (string | Part)[] {
    const made = Object.entries(parts).map(([name, make]) => [
      name,
      (chunks: unknown[]): Part => make(chunks.join('')),
    ]);
    return [
      getFormat(this.language, key).format<Part>({ ...values, ...Object.fromEntries(made) }),
    ].flat() as (string | Part)[];
  }

  /** `£30.00`. */
  amount(amount_minor: number, currency: string): string {
    return this.money({ amount_minor, currency });
  }

  money(money: Money): string {
    return formatAmount(money, this.locale(money.currency));
  }

  /** `Tue 24 Nov, 10:00–11:00 (Europe/London)`, for people who may be elsewhere. */
  time(span: Span & Priced, now = new Date()): string {
    return `${this.span(span, now)} (${span.time_zone})`;
  }

  /** `Tue 24 Nov, 10:00–11:00`. */
  span(span: Span & Priced, now = new Date()): string {
    return formatSpan(span, now, this.locale(span.currency));
  }

  /** `Tue 24 Nov`, with its year if that is not the current one. */
  day(at: Date, { time_zone, currency }: { time_zone: string } & Priced, now = new Date()): string {
    return formatDay(at, time_zone, now, this.locale(currency));
  }

  /** `24 Nov 2026`. */
  dayOfYear(at: Date): string {
    return daysOfYear(this.locale(''), 'UTC').format(at);
  }

  /** A day, `2026-11-24`, or the day at an instant in a zone: `24 November 2026`. */
  longDay(at: Date | string, timeZone = 'UTC'): string {
    return longDays(this.locale(''), timeZone).format(new Date(at));
  }

  /** A month, `2026-11`: `November 2026`. */
  month(month: string, currency: string): string {
    return months(this.locale(currency), '').format(new Date(month));
  }

  /** The names of the days of a week, `Mon` and `Monday`, from the day with which weeks begin. */
  weekdays(currency: string): { short: string; long: string }[] {
    const locale = this.locale(currency);
    const first = this.firstWeekday(currency);
    return Array.from({ length: 7 }, (_, n) => {
      const day = new Date(MONDAY + ((first + n) % 7) * DAY_MS);
      return { short: weekdays(locale, 'short').format(day), long: weekdays(locale, 'long').format(day) };
    });
  }

  /** The day with which weeks begin: 0 for Monday, 6 for Sunday. */
  firstWeekday(currency: string): number {
    return (new Intl.Locale(this.locale(currency)) as LocaleWithWeeks).getWeekInfo().firstDay - 1;
  }

  /** `10:00`. */
  clock(at: Date, { time_zone, currency }: { time_zone: string } & Priced): string {
    return formatClock(at, time_zone, this.locale(currency));
  }

  /** `Tue 24 Nov, 10:00`. */
  moment(at: Date, { time_zone, currency }: { time_zone: string } & Priced, now = new Date()): string {
    return formatMoment(at, time_zone, now, this.locale(currency));
  }

  /** A deadline: `10:00`, or `Tue 24 Nov, 10:00` if it is not today. */
  deadline(at: Date, { time_zone, currency }: { time_zone: string } & Priced, now = new Date()): string {
    return formatDeadline(at, time_zone, { now }, this.locale(currency));
  }

  /** `Tue 24 Nov, 10:00 (Europe/London)`. */
  zonedMoment(at: Date, { time_zone, currency }: { time_zone: string } & Priced, now = new Date()): string {
    return formatZonedMoment(at, time_zone, now, this.locale(currency));
  }

  /** `2.5`. */
  number(value: number): string {
    return numbers(this.language, '').format(value);
  }

  /** `a, b and c`. */
  listed(items: readonly string[]): string {
    return lists(this.language === 'en' ? 'en-GB' : this.language, '').format(items);
  }

  /** `1 hour credit`, `2 hour credits`. */
  credits(hours: number): string {
    return this.say('terms.credits', { hours });
  }

  /** `1 h 30 min`, `2 days`. */
  length(minutes: number): string {
    if (minutes > 0 && minutes % DAY_MINUTES === 0)
      return days(this.language, '').format(minutes / DAY_MINUTES);
    const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
    return [hours > 0 && `${hours} h`, rest > 0 && `${rest} min`].filter(Boolean).join(' ') || '0 min';
  }
}

const daysOfYear = cached(
  (locale, timeZone) =>
    new Intl.DateTimeFormat(locale, {
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      timeZone: zoneOrUtc(timeZone),
    }),
);
const longDays = cached(
  (locale, timeZone) => new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: zoneOrUtc(timeZone) }),
);
/** TypeScript does not describe this method yet. */
type LocaleWithWeeks = Intl.Locale & { getWeekInfo(): { firstDay: number } };

const MONDAY = Date.parse('2026-11-23');
const months = cached(
  (locale) => new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' }),
);
const weekdays = cached(
  (locale, weekday) =>
    new Intl.DateTimeFormat(locale, { weekday: weekday as 'short' | 'long', timeZone: 'UTC' }),
);
const numbers = cached(
  (locale) => new Intl.NumberFormat(locale, { useGrouping: false, maximumFractionDigits: 10 }),
);
const days = cached(
  (locale) => new Intl.NumberFormat(locale, { style: 'unit', unit: 'day', unitDisplay: 'long' }),
);
const lists = cached((locale) => new Intl.ListFormat(locale, { type: 'conjunction' }));

const WORDS: Record<Language, Words> = {
  en: new Words('en'),
  de: new Words('de'),
  fr: new Words('fr'),
  es: new Words('es'),
};

/** The words of a language. */
export const getWords = (language: Language): Words => WORDS[language];

/** For staff, and for payers without another language. */
export const ENGLISH = WORDS.en;

import type { Day } from '../cycle.js';
import { ApiError } from '../errors.js';
import type { InvoiceParties } from './parties.js';
import type { Language } from '../words/languages.js';
import type { Words } from '../words/words.js';

/**
 * An invoice on a statement that is still to be paid. Days are in the workspace's time zone, amounts minor
 * units.
 */
export interface OpenItem {
  /** The invoice's number on documents. */
  number: string;
  currency: string;
  invoiced_on: Day;
  due_on: Day;
  is_past_due: boolean;
  total_minor: number;
  paid_minor: number;
}

/** Something that was issued, paid, refunded or cancelled in the period of a statement. */
export interface AccountEntry {
  day: Day;
  kind: keyof typeof SIGNS;
  /** The number of the document, or of the invoice that was paid. */
  number: string;
  currency: string;
  amount_minor: number;
}

/**
 * Whether an entry increases or decreases what the payer owes. Entries of the same day are listed in this
 * order.
 */
export const SIGNS = {
  invoice: 1,
  supplement: 1,
  credit_note: -1,
  payment: -1,
  refund: 1,
  refund_failed: -1,
} as const;

/** Returns how an entry changes what the payer owes; negative for a payment or credit. */
export const balanceEffect = ({ kind, amount_minor }: Pick<AccountEntry, 'kind' | 'amount_minor'>): number =>
  SIGNS[kind] * amount_minor;

/** Sorts entries by day. On the same day, charges come before their payments. */
export function sortEntries(entries: AccountEntry[]): AccountEntry[] {
  const kinds = Object.keys(SIGNS);
  return entries.toSorted(
    (a, b) => a.day.localeCompare(b.day) || kinds.indexOf(a.kind) - kinds.indexOf(b.kind),
  );
}

/**
 * What a payer owes in a currency, from everything issued, paid and refunded until then; negative for a
 * credit. Minor units.
 */
export interface Balance {
  currency: string;
  amount_minor: number;
}

/** Returns the balances before and after a period, for each currency that has a balance or an entry. */
export function computeBalances(
  opening: Balance[],
  entries: AccountEntry[],
): (Balance & { closing_minor: number })[] {
  const currencies = new Set([...opening, ...entries].map(({ currency }) => currency));
  return [...currencies].map((currency) => {
    const amount_minor = opening.find((each) => each.currency === currency)?.amount_minor ?? 0;
    const changes = entries.filter((entry) => entry.currency === currency).map(balanceEffect);
    return {
      currency,
      amount_minor,
      closing_minor: changes.reduce((sum, change) => sum + change, amount_minor),
    };
  });
}

/** A statement as it was issued: the days `[from, to]`, and what was to be paid at that time. */
export interface StatementContent {
  from: Day;
  to: Day;
  time_zone: string;
  parties: InvoiceParties;
  /** The payer's language. */
  locale: Language;
  payment_instructions: string | null;
  open: OpenItem[];
  /** What was owed before the period. */
  opening: Balance[];
  entries: AccountEntry[];
}

/** A statement as lists show it. */
export interface ListedStatement {
  number: string;
  issued_at: string;
  /** What is to be paid in the currency of the invoice for which the statement is listed. */
  total_minor: number;
}

const MAX_DAYS = 366;

/**
 * Errors: 422 if the last day is before the first day or in the future, or the period is longer than a year.
 */
export function assertPeriod({ from, to }: { from: Day; to: Day }, today: Day): void {
  const days = (Date.parse(to) - Date.parse(from)) / 86_400_000;
  const message =
    days < 0
      ? 'The last day must not be before the first day.'
      : to > today
        ? 'The last day must not be in the future.'
        : days >= MAX_DAYS
          ? `A statement covers at most ${MAX_DAYS} days.`
          : null;
  if (message)
    throw new ApiError('validation_failed', message, { param: days < 0 || to > today ? 'to' : 'from' });
}

/** Returns the number of a workspace's statement: `HH-S3` for the third one. */
export const statementNumber = (prefix: string, ordinal: number): string => `${prefix}-S${ordinal}`;

export const balanceDue = ({
  total_minor,
  paid_minor,
}: Pick<OpenItem, 'total_minor' | 'paid_minor'>): number => total_minor - paid_minor;

/** Writes one amount for each currency, in order of appearance: `£60.00 and €10.00`. */
export function formatSums<T extends { currency: string }>(
  words: Words,
  items: T[],
  getAmount: (item: T) => number,
): string {
  const sums = new Map<string, number>();
  for (const item of items) sums.set(item.currency, (sums.get(item.currency) ?? 0) + getAmount(item));
  return words.listed([...sums].map(([currency, minor]) => words.amount(minor, currency)));
}

/** Describes the total, and how much of it is overdue. */
export function describeTotal<T extends Omit<OpenItem, 'number'>>(words: Words, open: T[]): string {
  if (open.length === 0) return words.say('documents.nothing_due');
  const pastDue = open.filter(({ is_past_due }) => is_past_due);
  const total = formatSums(words, open, balanceDue);
  if (pastDue.length === 0) return words.say('documents.total_to_pay', { total });
  return words.say('documents.total_past_due', { total, late: formatSums(words, pastDue, balanceDue) });
}

import { dayAfter, startOfDay, type Day } from '../cycle.js';

/** The ages of what is owed, by days since the due date (docs/rules/reports.md#receivables). */
export const AGES = ['not_due', 'days_1_to_30', 'days_31_to_60', 'days_61_to_90', 'days_over_90'] as const;
export type Age = (typeof AGES)[number];

/** What is owed by age, and in total. Minor units. */
export type Aged = Record<`${Age}_minor` | 'total_minor', number>;

/** The age at which each bucket but the first begins, in days overdue. */
const BEGINS = [1, 31, 61, 91];

/**
 * Returns the instants that separate the ages on a day of a time zone, newest first: what is due at or
 * after the first is not due yet; what is due before the last is of the last age. An invoice is overdue from
 * the day after its due date.
 */
export const ageLimits = (today: Day, timeZone: string): Date[] =>
  BEGINS.map((days) => startOfDay(dayAfter(today, 1 - days), timeZone));

/** What a payer owes in one currency. */
export interface Receivable extends Aged {
  kind: 'company' | 'member' | 'guest';
  /** The id of a company or member, the address of a guest; null for an erased person. */
  id: string | null;
  name: string;
  currency: string;
  /** How many invoices have an outstanding amount. */
  invoices: number;
}

/** The amounts of a receivable. */
const pickAmounts = (of: Aged): Aged => ({
  not_due_minor: of.not_due_minor,
  days_1_to_30_minor: of.days_1_to_30_minor,
  days_31_to_60_minor: of.days_31_to_60_minor,
  days_61_to_90_minor: of.days_61_to_90_minor,
  days_over_90_minor: of.days_over_90_minor,
  total_minor: of.total_minor,
});

/** Returns what several payers owe together, in one currency. */
function sumAged(rows: Aged[]): Aged {
  const sum = (field: keyof Aged): number => rows.reduce((total, row) => total + row[field], 0);
  return {
    not_due_minor: sum('not_due_minor'),
    days_1_to_30_minor: sum('days_1_to_30_minor'),
    days_31_to_60_minor: sum('days_31_to_60_minor'),
    days_61_to_90_minor: sum('days_61_to_90_minor'),
    days_over_90_minor: sum('days_over_90_minor'),
    total_minor: sum('total_minor'),
  };
}

/** What is owed in one currency, as the API returns it. */
export const presentReceivables = (currency: string, of: Receivable[]) => ({
  currency,
  ...sumAged(of),
  payers: of.map((payer) => ({
    company_id: payer.kind === 'company' ? payer.id : null,
    member_id: payer.kind === 'member' ? payer.id : null,
    guest_email: payer.kind === 'guest' ? payer.id : null,
    name: payer.name,
    invoices: payer.invoices,
    ...pickAmounts(payer),
  })),
});

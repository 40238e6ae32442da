/** How an unpaid invoice is collected (docs/rules/billing.md#collection). */

import { DAY_MS } from '../durations.js';
import type { Transition } from '../states.js';

export const COLLECTION_STATUSES = [
  'scheduled',
  'charging',
  'retrying',
  'action_required',
  'reminding',
  'overdue',
  'ended',
] as const;
export type CollectionStatus = (typeof COLLECTION_STATUSES)[number];

/** The transitions of a collection. While it waits, it has the status of the step that comes next. */
export const COLLECTION_TRANSITIONS = {
  charge: { from: COLLECTION_STATUSES, to: 'charging' },
  /** Nothing is outstanding. If an amount becomes outstanding again, the collection starts again. */
  end: { from: COLLECTION_STATUSES, to: 'ended' },
} as const satisfies Record<string, Transition<CollectionStatus>>;

/** A declined charge is repeated this many days after the first one. */
const RETRY_DAYS = [1, 3, 7];
const REMIND_DAYS_BEFORE = 3;
const REMIND_DAYS_AFTER = [1, 3, 7];
/** An unpaid invoice is overdue this many days after its due date, even if it was opened later. */
export const OVERDUE_DAYS_AFTER = 7;

/** Declines that another attempt with the same card cannot change. */
const HARD = new Set([
  'account_unusable',
  'card_not_supported',
  'currency_not_supported',
  'expired_card',
  'fraudulent',
  'incorrect_cvc',
  'incorrect_number',
  'invalid_account',
  'invalid_cvc',
  'invalid_expiry_month',
  'invalid_expiry_year',
  'invalid_number',
  'lost_card',
  'merchant_blacklist',
  'new_account_information_available',
  'no_card_on_file',
  'not_permitted',
  'payment_method_unactivated',
  'pickup_card',
  'resource_missing',
  'restricted_card',
  'revocation_of_all_authorizations',
  'revocation_of_authorization',
  'security_violation',
  'service_not_allowed',
  'stolen_card',
  'stop_payment_order',
  'test_mode_live_card',
  'testmode_decline',
  'transaction_not_allowed',
]);

/**
 * Returns what a decline means for the card: it may pass later, it never will, or the payer's bank requires
 * authentication.
 */
export function kindOfRefusal(code: string): 'retry' | 'never' | 'authenticate' {
  if (code === 'authentication_required') return 'authenticate';
  return HARD.has(code) ? 'never' : 'retry';
}

export interface RefusedCharge {
  at: Date;
  payment_method_id: string;
  refusal_code: string;
}

/** The facts that decide the next step. */
export interface CollectionFacts {
  /** The invoice can be paid and an amount is outstanding. */
  is_due: boolean;
  due_at: Date;
  started_at: Date;
  /** The payment method of the card that may be charged; null without a card or without autopay. */
  card: string | null;
  /** Declined charges, oldest first. */
  refused: RefusedCharge[];
  reminded_until: Date | null;
  mailed_at: Date | null;
  is_overdue: boolean;
}

export type CollectionStep =
  | { do: 'end' }
  | { do: 'charge' }
  /** Mails the payer. This mail also replaces reminders that were scheduled until `at`. */
  | { do: 'remind'; at: Date }
  | { do: 'mark_overdue' }
  /** `until` is null if the only thing left is to wait for the payer. */
  | { do: 'wait'; until: Date | null; status: CollectionStatus };

const after = (from: Date, days: number): Date => new Date(from.getTime() + days * DAY_MS);
const later = (a: Date, b: Date): Date => (a > b ? a : b);

/** Returns when the card is charged next; null if it is not. A new card starts over. */
function nextCharge({ card, refused, due_at }: CollectionFacts): Date | null {
  if (!card) return null;
  const own = refused.filter((charge) => charge.payment_method_id === card);
  if (own.length === 0) return due_at;
  if (own.some(({ refusal_code }) => kindOfRefusal(refusal_code) !== 'retry')) return null;
  const days = RETRY_DAYS[own.length - 1];
  return days === undefined ? null : after(own[0]!.at, days);
}

/**
 * Returns when the payer is mailed: before the due date, after it unless the card is still being charged, and
 * after a decline.
 */
function reminderDates(facts: CollectionFacts, charge: Date | null): Date[] {
  const { due_at, started_at, refused } = facts;
  const before = after(due_at, -REMIND_DAYS_BEFORE);
  const late = REMIND_DAYS_AFTER.map((days) => after(later(due_at, started_at), days));
  return [
    ...(before > started_at ? [before] : []),
    ...refused.slice(-1).map(({ at }) => at),
    ...(charge ? [] : late),
  ].sort((a, b) => a.getTime() - b.getTime());
}

function collectionStatus(facts: CollectionFacts, charge: Date | null, now: Date): CollectionStatus {
  if (charge) return facts.refused.length > 0 ? 'retrying' : 'scheduled';
  if (facts.is_overdue) return 'overdue';
  const last = facts.refused.at(-1);
  if (last && kindOfRefusal(last.refusal_code) === 'authenticate') return 'action_required';
  return last || facts.due_at <= now ? 'reminding' : 'scheduled';
}

/**
 * Returns the next step at a time. There is at most one mail a day: a reminder that would be too early waits.
 */
export function nextCollectionStep(facts: CollectionFacts, now: Date): CollectionStep {
  if (!facts.is_due) return { do: 'end' };
  const charge = nextCharge(facts);
  if (charge && charge <= now) return { do: 'charge' };
  const { reminded_until, mailed_at, is_overdue } = facts;
  const reminders = reminderDates(facts, charge).filter((at) => !reminded_until || at > reminded_until);
  const mayMail = mailed_at ? after(mailed_at, 1) : now;
  const passed = reminders.filter((at) => at <= now).at(-1);
  if (passed && mayMail <= now) return { do: 'remind', at: passed };
  const reminder = passed ?? reminders[0];
  const overdueAt = after(facts.due_at, OVERDUE_DAYS_AFTER);
  const becomesOverdue = !is_overdue && !charge;
  if (becomesOverdue && overdueAt <= now) return { do: 'mark_overdue' };
  const times = [
    ...(charge ? [charge] : []),
    ...(reminder ? [later(reminder, mayMail)] : []),
    ...(becomesOverdue ? [overdueAt] : []),
  ];
  const until = times.length > 0 ? new Date(Math.min(...times.map((at) => at.getTime()))) : null;
  return { do: 'wait', until, status: collectionStatus(facts, charge, now) };
}

/**
 * Applies all steps that only change stored facts, until another step is due. Returns the resulting facts and
 * that step.
 */
export function dueSteps(
  facts: CollectionFacts,
  now: Date,
): { reached: CollectionFacts; next: Exclude<CollectionStep, { do: 'remind' | 'mark_overdue' }> } {
  const reached = { ...facts };
  for (;;) {
    const step = nextCollectionStep(reached, now);
    if (step.do === 'remind') Object.assign(reached, { reminded_until: step.at, mailed_at: now });
    else if (step.do === 'mark_overdue') reached.is_overdue = true;
    else return { reached, next: step };
  }
}

/** Returns what a new collection shows before its first step is computed. */
export function initialCollection(
  facts: Pick<CollectionFacts, 'due_at' | 'card'>,
  now: Date,
): { status: CollectionStatus; next_at: Date | null } {
  const unseen = { reminded_until: null, mailed_at: null, refused: [], is_overdue: false };
  const step = nextCollectionStep({ ...facts, ...unseen, is_due: true, started_at: now }, now);
  if (step.do === 'wait') return { status: step.status, next_at: step.until };
  return { status: 'scheduled', next_at: now };
}

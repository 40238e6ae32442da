import type { Money } from '../money.js';
import type { Words } from '../words/words.js';

/** The outcome of refunds, in minor units. */
export interface ReturnedMoney {
  refunded_minor: number;
  /** Refunds that have neither succeeded nor failed. */
  refunding_minor: number;
  /** Refunds of manual payments, which the workspace returns by hand. */
  by_hand_minor: number;
  /** Refunds that failed; for payments, those of them that were not repeated. */
  failed_minor: number;
}

/** Payments and how much of them was returned; minor units. The rest is kept. */
export interface ReceivedMoney extends ReturnedMoney {
  received_minor: number;
  /** What banks withdrew for disputes and have not returned. */
  disputed_minor: number;
}

/** What has been received for a booking. */
export interface BookingMoney {
  currency: string;
  price_minor: number;
  hour_credits_used: number;
  /** Payments that count for the booking. */
  paid: ReceivedMoney;
  /** Payments that arrived after the booking had ended (docs/rules/bookings.md#late-payments). */
  late: ReceivedMoney;
  /** The booking is invoiced on account. `owed_minor` is the open amount of its invoices. */
  is_on_account: boolean;
  owed_minor: number;
  /** How the payments that count were made, as stored: `card`, `bank_transfer`, `sepa_debit`. */
  methods: string[];
}

/** Whether a booking is on account and nothing has been paid for it, so that nothing can be refunded. */
export const isUnpaidOnAccount = ({ is_on_account, paid }: Pick<BookingMoney, 'is_on_account' | 'paid'>) =>
  is_on_account && paid.received_minor === 0;

/** Returns how much of the payments that count is kept. */
export const keptMinor = (money: ReceivedMoney): number => {
  const { received_minor, refunded_minor, refunding_minor, by_hand_minor, failed_minor, disputed_minor } =
    money;
  const back = refunded_minor + refunding_minor + by_hand_minor + failed_minor + disputed_minor;
  return Math.max(0, received_minor - back);
};

/** Describes the outcome of refunds to the payer, in sentences. `payee` is the workspace's name. */
export function describeReturned(
  words: Words,
  { refunded_minor, refunding_minor, by_hand_minor, failed_minor }: ReturnedMoney,
  payee: string,
  amount: (minor: number) => string,
): string[] {
  const said = [
    ['terms.refunded', refunded_minor],
    ['terms.refunding', refunding_minor],
    ['terms.returned_by_hand', by_hand_minor],
    ['terms.refund_failed', failed_minor],
  ] as const;
  return said.flatMap(([key, minor]) =>
    minor > 0 ? [words.say(key, { amount: amount(minor), payee })] : [],
  );
}

/** Describes what banks withdrew for disputes, which cannot be refunded. Empty if nothing was withdrawn. */
export const describeDisputed = (
  words: Words,
  { disputed_minor }: Pick<ReceivedMoney, 'disputed_minor'>,
  amount: (minor: number) => string,
): string[] => (disputed_minor > 0 ? [words.say('terms.disputed', { amount: amount(disputed_minor) })] : []);

/**
 * Describes earlier refunds, so that the payer understands the sum after another refund. Empty if there were
 * none.
 */
export const describeEarlierRefunds = (
  words: Words,
  { refunded_before_minor }: { refunded_before_minor: number },
  amount: (minor: number) => string,
): string[] =>
  refunded_before_minor > 0
    ? [words.say('terms.refunded_before', { amount: amount(refunded_before_minor) })]
    : [];

/** Describes the hour credits that a change returns. Empty if it returns none. */
export const describeCredits = (
  words: Words,
  { hour_credits_used: had }: Pick<BookingMoney, 'hour_credits_used'>,
  move: { hour_credits_used?: number } | null,
): string[] => {
  const hours = had - (move?.hour_credits_used ?? had);
  return hours > 0 ? [words.say('payer.credits_returned', { hours })] : [];
};

/**
 * Describes to the payer of an ended booking what was paid and what is refunded: sentences with amounts, and
 * only what is known. `payee` is the workspace's name.
 */
export function describeMoney(
  words: Words,
  { currency, price_minor, hour_credits_used, paid, late, is_on_account, owed_minor }: BookingMoney,
  payee: string,
  format: (money: Money) => string = (money) => words.money(money),
): string[] {
  const amount = (amount_minor: number): string => format({ amount_minor, currency });
  const toAmount = (amount_minor: number) => ({ amount: amount(amount_minor) });
  const back = (money: ReceivedMoney): string[] => [
    ...describeReturned(words, money, payee, amount),
    ...describeDisputed(words, money, amount),
  ];
  const kept = keptMinor(paid);
  const sentences: string[] = [];
  if (paid.received_minor > 0) {
    sentences.push(words.say('terms.paid', toAmount(paid.received_minor)), ...back(paid));
    if (kept > 0)
      sentences.push(
        kept === paid.received_minor
          ? words.say('terms.none_refunded')
          : words.say('terms.rest_kept', toAmount(kept)),
      );
  }
  if (late.received_minor > 0)
    sentences.push(words.say('terms.paid_late', toAmount(late.received_minor)), ...back(late));
  if (owed_minor > 0) sentences.push(words.say('terms.stays_due', toAmount(owed_minor)));
  if (sentences.length > 0) return sentences;
  if (is_on_account) return [words.say('terms.was_on_account')];
  if (price_minor > 0) return [words.say('terms.not_paid')];
  return hour_credits_used > 0
    ? [words.say('terms.paid_with_credits', { credits: words.credits(hour_credits_used) })]
    : [words.say('terms.was_free')];
}

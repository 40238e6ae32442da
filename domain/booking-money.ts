import { creditsInWords } from './display.js';
import type { Money } from './money.js';
import { refundFailed, returnedByHand } from './refund-parts.js';

/** Payments and what of them went back; minor units. The rest is kept. */
export interface ReceivedMoney {
  received_minor: number;
  refunded_minor: number;
  /** Of refunds that have neither succeeded nor failed. */
  refunding_minor: number;
  /** Refunds of manual payments: the workspace returns them by hand. */
  by_hand_minor: number;
  /** Of refunds that failed and were not repeated. */
  failed_minor: number;
  /** What banks have withdrawn for disputes and not returned. */
  disputed_minor: number;
}

/** What has been received for a booking. */
export interface BookingMoney {
  currency: string;
  price_minor: number;
  hour_credits_used: number;
  /** Payments that count for the booking. */
  paid: ReceivedMoney;
  /** Payments that arrived when the booking was over (docs/rules/bookings.md#late-payments). */
  late: ReceivedMoney;
  /** It is invoiced on account, and so much of its invoices is open. */
  is_on_account: boolean;
  owed_minor: number;
  /** How the payments that count were made: `card`, `cash`. */
  methods: string[];
}

/** What is kept of the payments that count. */
const keptMinor = (money: ReceivedMoney): number => {
  const { received_minor, refunded_minor, refunding_minor, by_hand_minor, failed_minor, disputed_minor } =
    money;
  const back = refunded_minor + refunding_minor + by_hand_minor + failed_minor + disputed_minor;
  return Math.max(0, received_minor - back);
};

/**
 * Tells the payer of an ended booking what was paid and what is refunded: sentences with amounts, and only what is
 * known. `payee` is the workspace's name.
 */
export function describeMoney(
  { currency, price_minor, hour_credits_used, paid, late, is_on_account, owed_minor }: BookingMoney,
  payee: string,
  format: (money: Money) => string,
): string[] {
  const amount = (amount_minor: number): string => format({ amount_minor, currency });
  const back = ({
    refunded_minor,
    refunding_minor,
    by_hand_minor,
    failed_minor,
    disputed_minor,
  }: ReceivedMoney): string[] => [
    ...(refunded_minor > 0
      ? [`${amount(refunded_minor)} has been refunded to the original payment method.`]
      : []),
    ...(refunding_minor > 0
      ? [
          `${amount(refunding_minor)} is being refunded to the original payment method, which can take the bank several days.`,
        ]
      : []),
    ...(by_hand_minor > 0 ? [returnedByHand(amount(by_hand_minor), payee)] : []),
    ...(failed_minor > 0 ? [refundFailed(amount(failed_minor), payee)] : []),
    ...(disputed_minor > 0
      ? [`${amount(disputed_minor)} was withdrawn by the bank, because the payment was disputed.`]
      : []),
  ];
  const kept = keptMinor(paid);
  const sentences: string[] = [];
  if (paid.received_minor > 0) {
    sentences.push(`${amount(paid.received_minor)} was paid.`, ...back(paid));
    if (kept > 0)
      sentences.push(
        kept === paid.received_minor ? 'None of it is refunded.' : `${amount(kept)} is not refunded.`,
      );
  }
  if (late.received_minor > 0)
    sentences.push(
      `A payment of ${amount(late.received_minor)} arrived after the room had been released.`,
      ...back(late),
    );
  if (owed_minor > 0)
    sentences.push(`${amount(owed_minor)} stays due on account. The invoice says until when.`);
  if (sentences.length > 0) return sentences;
  if (is_on_account) return ['It was on account. Nothing is due for it any more.'];
  if (price_minor === 0)
    return [
      hour_credits_used > 0
        ? `It was paid with ${creditsInWords(hour_credits_used)}.`
        : 'It was free of charge.',
    ];
  return ['No payment has been received for it. A payment that still arrives is refunded in full.'];
}

import type { Money } from './money.js';

/** One of the refunds that a cancellation, change or adjustment is spread over: each is of one payment. Minor units. */
export interface RefundPart {
  amount_minor: number;
  status: 'pending' | 'succeeded' | 'failed';
  /** Of a manual payment: the workspace returns it by hand. */
  by_hand: boolean;
}

/** Says that a refund of manual payments does not go back by itself. `payee` is the workspace's name. */
export const returnedByHand = (amount: string, payee: string): string =>
  `${amount}, which was not paid by card, is returned by ${payee}.`;

/** A refund that is being made, or would be; minor units. */
export interface PlannedRefund {
  refund_minor: number;
  /** Of it, for manual payments: the workspace returns it by hand. */
  by_hand_minor: number;
}

/** Says to the person who booked what is refunded, in sentences. `payee` is the workspace's name. */
export function describeRefund(
  { refund_minor, by_hand_minor }: PlannedRefund,
  verb: 'is refunded' | 'is being refunded',
  { payee, is_on_account }: { payee: string; is_on_account: boolean },
  amount: (minor: number) => string,
): string[] {
  const refunded = refund_minor - by_hand_minor;
  // On account, somebody else may have paid.
  const to = is_on_account ? 'original payment method' : 'card or account you paid with';
  return [
    ...(refunded > 0 ? [`${amount(refunded)} ${verb} to the ${to}.`] : []),
    ...(by_hand_minor > 0 ? [returnedByHand(amount(by_hand_minor), payee)] : []),
  ];
}

/** Says to the workspace's staff what is refunded, and what they have to return themselves. */
export function describeRefundToStaff(
  { refund_minor, by_hand_minor }: PlannedRefund,
  amount: (minor: number) => string,
): string {
  if (refund_minor === 0) return 'Nothing is refunded.';
  const refunded = `${amount(refund_minor)} is refunded to the payer.`;
  if (by_hand_minor === 0) return refunded;
  return by_hand_minor === refund_minor
    ? `${refunded} It was not paid by card: return it yourself.`
    : `${refunded} ${amount(by_hand_minor)} of it was not paid by card: return it yourself.`;
}

/** Says that a refund did not arrive. `payee` is the workspace's name. */
export const refundFailed = (amount: string, payee: string): string =>
  `A refund of ${amount} has failed. ${payee} has been notified.`;

/**
 * Says what went back and what is still on its way, in total and by payment. Null if all of it has failed. `payee` is
 * the workspace's name.
 */
export function describeRefundParts(
  parts: RefundPart[],
  currency: string,
  payee: string,
  format: (money: Money) => string,
): string | null {
  const amounts = (status: RefundPart['status']): number[] =>
    parts.filter((part) => !part.by_hand && part.status === status).map(({ amount_minor }) => amount_minor);
  const amount = (amount_minor: number): string => format({ amount_minor, currency });
  const sum = (of: number[]): number => of.reduce((total, each) => total + each, 0);
  const [done, coming, failed] = [amounts('succeeded'), amounts('pending'), amounts('failed')];
  const list = (of: number[]): string => of.map(amount).join(' and ');
  const slowly = 'which can take the bank several days';
  const sentences = [];
  if (done.length + coming.length === 0) return null;
  if (coming.length === 0)
    sentences.push(
      done.length === 1
        ? `${list(done)} has been refunded to the card or account you paid with.`
        : `${amount(sum(done))} has been refunded to the cards or accounts you paid with, one part for each payment: ${list(done)}.`,
    );
  else if (done.length === 0)
    sentences.push(`${list(coming)} is being refunded to the card or account you paid with, ${slowly}.`);
  else
    sentences.push(
      `${amount(sum([...done, ...coming]))} is being refunded to the cards or accounts you paid with, one part for each payment.`,
      `${list(done)} has been refunded. ${list(coming)} is still being refunded, ${slowly}.`,
    );
  const byHand = parts.filter(({ by_hand }) => by_hand);
  if (byHand.length > 0)
    sentences.push(returnedByHand(list(byHand.map(({ amount_minor }) => amount_minor)), payee));
  if (failed.length > 0) sentences.push(refundFailed(list(failed), payee));
  return sentences.join(' ');
}

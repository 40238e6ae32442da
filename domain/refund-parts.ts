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

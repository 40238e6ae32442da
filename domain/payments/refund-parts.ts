import type { Words } from '../words/words.js';

/**
 * One of the refunds over which a cancellation, change or adjustment is spread; each belongs to one payment.
 * Minor units.
 */
export interface RefundPart {
  amount_minor: number;
  status: 'pending' | 'succeeded' | 'failed';
  /** A refund of a manual payment, which the workspace returns by hand. */
  by_hand: boolean;
}

/** A refund that would be made; minor units. */
export interface PlannedRefund {
  refund_minor: number;
  /** The part of it for manual payments, which the workspace returns by hand. */
  by_hand_minor: number;
}

/** Describes to the booker what would be refunded, in sentences. `payee` is the workspace's name. */
export function describeRefund(
  words: Words,
  { refund_minor, by_hand_minor }: PlannedRefund,
  { payee, is_on_account }: { payee: string; is_on_account: boolean },
  amount: (minor: number) => string,
): string[] {
  const refunded = refund_minor - by_hand_minor;
  // For a booking on account, somebody else may have paid.
  const key = is_on_account ? 'terms.is_refunded_to_payer' : 'terms.is_refunded';
  return [
    ...(refunded > 0 ? [words.say(key, { amount: amount(refunded) })] : []),
    ...(by_hand_minor > 0
      ? [words.say('terms.returned_by_hand', { amount: amount(by_hand_minor), payee })]
      : []),
  ];
}

/** Tells staff that they have to return the money themselves. The service does not learn whether they did. */
export const RETURN_YOURSELF = 'The payment was not made online, so return the money yourself.';

/** Describes to staff what is refunded, and what they have to return themselves. */
export function describeRefundToStaff(
  { refund_minor, by_hand_minor }: PlannedRefund,
  amount: (minor: number) => string,
): string {
  if (refund_minor === 0) return 'Nothing is refunded.';
  const refunded = `${amount(refund_minor)} is refunded to the payer.`;
  if (by_hand_minor === 0) return refunded;
  return by_hand_minor === refund_minor
    ? `${refunded} ${RETURN_YOURSELF}`
    : `${refunded} ${amount(by_hand_minor)} of this was not paid online, so return that amount yourself.`;
}

/** The same in a few words, for a choice: `refund £30.00 (not paid online, so return it yourself)`. */
export function refundChoiceToStaff(
  { refund_minor, by_hand_minor }: PlannedRefund,
  amount: (minor: number) => string,
): string {
  if (refund_minor === 0) return 'no refund';
  const refund = `refund ${amount(refund_minor)}`;
  if (by_hand_minor === 0) return refund;
  return by_hand_minor === refund_minor
    ? `${refund} (not paid online, so return it yourself)`
    : `${refund} (${amount(by_hand_minor)} of it not paid online, so return that amount yourself)`;
}

/**
 * Describes the outcome of a refund that an earlier mail announced, to the payer: a subject and sentences.
 */
export function describeRefundEnd(
  words: Words,
  refund: RefundPart,
  currency: string,
  payee: string,
): { subject: string; body: string[] } {
  const amount = words.amount(refund.amount_minor, currency);
  if (refund.status === 'succeeded')
    return {
      subject: words.say('mail.refund_made_subject', { amount }),
      body: [words.say('terms.part_refunded', { amount })],
    };
  return {
    subject: words.say('mail.refund_failed_subject', { amount }),
    body: [
      words.say('terms.refund_failed', { amount, payee }),
      words.say('mail.refund_failed_contact', { name: payee }),
    ],
  };
}

/**
 * Tells the payer that a bank has returned a refund that an earlier mail reported as done: a subject and
 * sentences.
 */
export function describeRefundReturn(
  words: Words,
  { amount_minor }: RefundPart,
  currency: string,
  payee: string,
): { subject: string; body: string[] } {
  const amount = words.amount(amount_minor, currency);
  return {
    subject: words.say('mail.refund_returned_subject', { amount }),
    body: [
      words.say('mail.refund_returned', { amount, payee }),
      words.say('mail.refund_failed_contact', { name: payee }),
    ],
  };
}

/**
 * Describes what was returned and what is still on its way, in total and by payment. Null if all of it
 * failed. `payee` is the workspace's name.
 */
export function describeRefundParts(
  words: Words,
  parts: RefundPart[],
  currency: string,
  payee: string,
): string | null {
  const amounts = (status: RefundPart['status']): number[] =>
    parts.filter((part) => !part.by_hand && part.status === status).map(({ amount_minor }) => amount_minor);
  const amount = (amount_minor: number): string => words.amount(amount_minor, currency);
  const sum = (of: number[]): number => of.reduce((total, each) => total + each, 0);
  const [done, coming, failed] = [amounts('succeeded'), amounts('pending'), amounts('failed')];
  const list = (of: number[]): string => words.listed(of.map(amount));
  const sentences = [];
  if (done.length + coming.length === 0) return null;
  if (coming.length === 0)
    sentences.push(
      done.length === 1
        ? words.say('terms.part_refunded', { amount: list(done) })
        : words.say('terms.parts_refunded', { amount: amount(sum(done)), parts: list(done) }),
    );
  else if (done.length === 0) sentences.push(words.say('terms.part_refunding', { parts: list(coming) }));
  else
    sentences.push(
      words.say('terms.parts_refunding', { amount: amount(sum([...done, ...coming])) }),
      words.say('terms.parts_done', { parts: list(done) }),
      words.say('terms.parts_coming', { parts: list(coming) }),
    );
  const byHand = parts.filter(({ by_hand }) => by_hand);
  if (byHand.length > 0)
    sentences.push(
      words.say('terms.returned_by_hand', {
        amount: list(byHand.map(({ amount_minor }) => amount_minor)),
        payee,
      }),
    );
  if (failed.length > 0) sentences.push(words.say('terms.refund_failed', { amount: list(failed), payee }));
  return sentences.join(' ');
}

/** The state of the evidence: none yet, prepared only, submitted, or submitted after the deadline. */
export const DISPUTE_EVIDENCE = ['none', 'staged', 'submitted', 'late'] as const;
export type DisputeEvidence = (typeof DISPUTE_EVIDENCE)[number];

interface Reason {
  /** What the payer or the bank says. */
  says: string;
  /** The evidence that helps against it. */
  helps: string;
}

/** By the processor's code. Codes that are new, or not about cards, are shown unchanged. */
const REASONS: Record<string, Reason> = {
  fraudulent: {
    says: 'The cardholder says that they did not make the payment.',
    helps:
      'The confirmation email, a record of who attended and when, earlier bookings and payments of ' +
      'the same person, and messages with them.',
  },
  unrecognized: {
    says: 'The cardholder does not recognise the payment.',
    helps:
      'The confirmation email, a record of who attended and when, and your name as shown on card ' +
      'statements.',
  },
  duplicate: {
    says: 'The cardholder says that they were charged twice.',
    helps: 'Both bookings with their references, or proof that one of them was refunded.',
  },
  product_not_received: {
    says: 'The cardholder says that they did not receive what they paid for.',
    helps: 'The booked time and room, a record of who attended and when, and proof that the room was open.',
  },
  product_unacceptable: {
    says: 'The cardholder says that the room was not as described.',
    helps: 'The description of the room where it is booked, photos, and messages about it.',
  },
  credit_not_processed: {
    says: 'The cardholder says that a refund is missing.',
    helps:
      'The refund terms in the confirmation email, the time of the cancellation, and the refunds ' +
      'that were made.',
  },
  subscription_canceled: {
    says: 'The cardholder says that the membership had been cancelled.',
    helps: 'The date on which the membership ended, the terms, and the invoice with its period.',
  },
  general: {
    says: 'The bank gives no specific reason.',
    helps: 'The confirmation email, the refund terms, and a record of who attended and when.',
  },
};

/** The reason of a dispute and the evidence that helps against it; null without a reason. */
export function disputeReason(code: string | null): Reason | null {
  if (!code) return null;
  const words = code.replaceAll('_', ' ');
  return (
    REASONS[code] ?? {
      says: `${words[0]!.toUpperCase()}${words.slice(1)}.`,
      helps: 'The confirmation email, the refund terms, and a record of who attended and when.',
    }
  );
}

/** The state of the evidence, in a sentence. */
export const EVIDENCE_WORDS: Record<DisputeEvidence, string> = {
  none: 'No evidence has been submitted.',
  staged: 'Evidence has been prepared but not submitted.',
  submitted: 'Evidence has been submitted.',
  late: 'Evidence was submitted after the deadline and may not be considered.',
};

/** The state of the evidence: none yet, only prepared, sent, or sent after its deadline. */
export const DISPUTE_EVIDENCE = ['none', 'staged', 'submitted', 'late'] as const;
export type DisputeEvidence = (typeof DISPUTE_EVIDENCE)[number];

interface Reason {
  /** What the payer or the bank claims. */
  says: string;
  /** Which evidence helps. */
  helps: string;
}

/** By the processor's code. Codes that are not about cards, and new ones, are shown unchanged. */
const REASONS: Record<string, Reason> = {
  fraudulent: {
    says: 'The cardholder says that they did not make the payment.',
    helps:
      'The confirmation email, who came and when, earlier bookings and payments of the same ' +
      'person, messages with them.',
  },
  unrecognized: {
    says: 'The cardholder does not recognise the payment.',
    helps: 'The confirmation email, who came and when, your name as it is on card statements.',
  },
  duplicate: {
    says: 'The cardholder says that they were charged twice.',
    helps: 'Both bookings with their references, or the refund of one of them.',
  },
  product_not_received: {
    says: 'The cardholder says that they did not get what they paid for.',
    helps: 'The booked time and room, who came and when, that the room was open.',
  },
  product_unacceptable: {
    says: 'The cardholder says that it was not as described.',
    helps: 'How the room is described where it is booked, photos, messages about it.',
  },
  credit_not_processed: {
    says: 'The cardholder says that a refund is missing.',
    helps:
      'The refund terms as the confirmation email states them, when it was cancelled, ' +
      'refunds that were made.',
  },
  subscription_canceled: {
    says: 'The cardholder says that the membership had been cancelled.',
    helps: 'When the membership ended, the terms, the invoice and its period.',
  },
  general: {
    says: 'The bank gives no specific reason.',
    helps: 'The confirmation email, the refund terms, who came and when.',
  },
};

/** Returns what a dispute is about and which evidence helps; null without a reason. */
export function disputeReason(code: string | null): Reason | null {
  if (!code) return null;
  const words = code.replaceAll('_', ' ');
  return (
    REASONS[code] ?? {
      says: `${words[0]!.toUpperCase()}${words.slice(1)}.`,
      helps: 'The confirmation email, the refund terms, who came and when.',
    }
  );
}

/** What is still to be done about the evidence. */
export const EVIDENCE_WORDS: Record<DisputeEvidence, string> = {
  none: 'No evidence has been submitted.',
  staged: 'Evidence is prepared, but has not been submitted.',
  submitted: 'Evidence has been submitted.',
  late: 'Evidence was submitted after the deadline and may not be considered.',
};

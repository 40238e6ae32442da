import type { CardBehaviour, Decline } from '../state/records.js';

/** A card as the payer entered it. */
export interface CardDetails {
  number: string;
  exp_month: number;
  exp_year: number;
}

/** The card for a payer who enters none. */
export const DEFAULT_CARD: CardDetails = {
  number: '4242424242424242',
  exp_month: 12,
  exp_year: new Date().getUTCFullYear() + 8,
};

/** The decline of the "decline" button. */
export const GENERIC_DECLINE = decline('card_declined', 'generic_decline', 'Your card was declined.');

const AUTHENTICATION_REQUIRED = decline(
  'authentication_required',
  'authentication_required',
  'Your card was declined. This transaction requires authentication.',
);
const TEST_MODE_DECLINE = decline(
  'card_declined',
  'test_mode_live_card',
  'Your card was declined. Your request was in test mode, but used a non test (live) card.',
);

const APPROVED: CardBehaviour = { on_session: 'approved', off_session: 'approved' };
const INSUFFICIENT_FUNDS = decline(
  'card_declined',
  'insufficient_funds',
  'Your card has insufficient funds.',
);

/** Stripe's test cards. */
const TEST_CARDS: Record<string, CardBehaviour> = {
  '4242424242424242': APPROVED,
  '4000056655665556': APPROVED,
  '4000008260000000': APPROVED,
  '5555555555554444': APPROVED,
  '378282246310005': APPROVED,
  '4000000000000002': always(GENERIC_DECLINE),
  '4000000000009995': always(INSUFFICIENT_FUNDS),
  '4000000000000069': always(decline('expired_card', null, 'Your card has expired.')),
  '4000000000000127': always(decline('incorrect_cvc', null, "Your card's security code is incorrect.")),
  // Requires authentication by the payer, so it fails off session.
  '4000002760003184': { on_session: 'approved', off_session: AUTHENTICATION_REQUIRED },
  // Its bank gives the payer 24 hours' notice of each off-session charge, as Indian e-mandates require.
  '4000003560000297': { on_session: 'approved', off_session: 'processing' },
  // Can be saved; later charges are declined.
  '4000000000000341': { on_session: 'approved', off_session: GENERIC_DECLINE },
  // Accepted, and disputed immediately: as fraudulent, as not received, as an inquiry.
  '4000000000000259': { ...APPROVED, dispute: { reason: 'fraudulent', status: 'needs_response' } },
  '4000000000002685': { ...APPROVED, dispute: { reason: 'product_not_received', status: 'needs_response' } },
  '4000000000001976': { ...APPROVED, dispute: { reason: 'fraudulent', status: 'warning_needs_response' } },
};

/** How a card behaves. Real cards are declined, as in Stripe's test mode. */
export function cardBehaviour(number: string): CardBehaviour {
  return TEST_CARDS[number] ?? always(TEST_MODE_DECLINE);
}

/** The brand, by the leading digits. */
export function cardBrand(number: string): string {
  if (number.startsWith('4')) return 'visa';
  if (/^(5[1-5]|2[2-7])/.test(number)) return 'mastercard';
  return /^3[47]/.test(number) ? 'amex' : 'unknown';
}

/** True if the Luhn check digit is correct. */
export function passesLuhn(number: string): boolean {
  const sum = [...number].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

function always(outcome: Decline): CardBehaviour {
  return { on_session: outcome, off_session: outcome };
}

function decline(code: string, decline_code: string | null, message: string): Decline {
  return { code, decline_code, message };
}

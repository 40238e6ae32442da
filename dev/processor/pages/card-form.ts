import { DEFAULT_CARD, passesLuhn, type CardDetails } from '../payments/cards.js';

/** The form as the payer filled it in. */
export interface CardForm {
  email: string;
  name: string;
  number: string;
  expiry: string;
  cvc: string;
}

/** A prefilled form, so that a developer pays with one click. */
export function prefilledForm(email: string | null): CardForm {
  return {
    email: email ?? 'payer@example.com',
    name: 'Test Payer',
    number: '4242 4242 4242 4242',
    expiry: `${DEFAULT_CARD.exp_month} / ${DEFAULT_CARD.exp_year % 100}`,
    cvc: '123',
  };
}

/** Validates the form. Returns errors by field. */
export function readCardForm(form: CardForm): {
  card?: CardDetails;
  errors: Partial<Record<keyof CardForm, string>>;
} {
  const errors: Partial<Record<keyof CardForm, string>> = {};
  const number = form.number.replace(/[\s-]/g, '');
  const expiry = /^\s*(\d{1,2})\s*\/?\s*(?:20)?(\d{2})\s*$/.exec(form.expiry);
  const exp_month = Number(expiry?.[1]);
  const exp_year = 2000 + Number(expiry?.[2]);
  if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(form.email.trim())) errors.email = 'Enter a valid email address.';
  if (form.name.trim() === '') errors.name = 'Enter the name on the card.';
  if (!/^\d{13,19}$/.test(number) || !passesLuhn(number)) errors.number = 'Your card number is invalid.';
  else if (!expiry || exp_month < 1 || exp_month > 12)
    errors.expiry = "Your card's expiry date is incomplete.";
  else if (Date.UTC(exp_year, exp_month) <= Date.now())
    errors.expiry = "Your card's expiry date is in the past.";
  else if (!/^\d{3,4}$/.test(form.cvc.trim())) errors.cvc = "Your card's security code is incomplete.";
  return Object.keys(errors).length > 0 ? { errors } : { card: { number, exp_month, exp_year }, errors };
}

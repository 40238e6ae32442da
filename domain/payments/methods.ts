/** How a payment was made, in requests and responses (docs/rules/billing.md#methods). */
export const PAYMENT_METHODS = ['card', 'cash', 'bank_transfer', 'cheque', 'card_terminal', 'other'] as const;
export type PaymentMethod = (typeof PAYMENT_METHODS)[number];

/** The methods that people can record. */
export const MANUAL_METHODS = ['cash', 'bank_transfer', 'cheque', 'card_terminal', 'other'] as const;
export type ManualMethod = (typeof MANUAL_METHODS)[number];

/** Other names of methods, accepted only in requests. */
const ALIASES = { terminal: 'card_terminal', transfer: 'bank_transfer' } as const;

/** The values that a request may contain. */
export const SENT_METHODS = [...MANUAL_METHODS, 'terminal', 'transfer'] as const;
export type SentMethod = (typeof SENT_METHODS)[number];

/** Returns the method for the value in a request. */
export const toManualMethod = (sent: SentMethod): ManualMethod =>
  sent in ALIASES ? ALIASES[sent as keyof typeof ALIASES] : (sent as ManualMethod);

/** The processor's payment types that move money from a bank account, by debit or by transfer. */
const FROM_BANK = new Set([
  'acss_debit',
  'au_becs_debit',
  'bacs_debit',
  'bancontact',
  'blik',
  'customer_balance',
  'eps',
  'fpx',
  'giropay',
  'ideal',
  'nz_bank_account',
  'p24',
  'pay_by_bank',
  'sepa_debit',
  'sofort',
  'us_bank_account',
]);

/** Returns the method of a stored payment, which is what a person recorded or the processor's type. */
export function toPaymentMethod(stored: string): PaymentMethod {
  if (FROM_BANK.has(stored)) return 'bank_transfer';
  return PAYMENT_METHODS.find((method) => method === stored) ?? 'other';
}

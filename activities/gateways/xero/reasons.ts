import type { ValidationError } from './sdk.js';

/** What to do about validation errors that need a person, by their text. */
const ADVICE: [RegExp, string][] = [
  [
    /lock date|locked period/i,
    'The period is locked in the accounting system. Move the lock date there to an earlier day until the ' +
      'hourly job has sent this.',
  ],
  [
    /not subscribed to currency/i,
    'Add the currency to those of the organisation; its plan must include several currencies.',
  ],
  [/archived/i, 'Restore the contact in the accounting system.'],
  [
    /account code|account could not be found|not enabled for payments/i,
    'Choose accounts that the organisation has, in the dashboard or as sales_account and ' +
      'payment_account of the workspace.',
  ],
  [
    /tax ?type/i,
    'Choose a tax type that the organisation has, in the dashboard or in the tax_codes of the workspace.',
  ],
];

/** Returns Xero's text, and what to do about it. */
export function withAdvice(words: string): string {
  const advice = ADVICE.find(([pattern]) => pattern.test(words))?.[1];
  if (!advice) return words;
  return `${words}${/[.!?]$/.test(words) ? '' : '.'} ${advice}`;
}

/** Joins the texts of validation errors. */
export const joinErrorTexts = (errors: (ValidationError | { Message?: string })[]): string =>
  errors
    .map((error) => ('message' in error ? error.message : (error as { Message?: string }).Message))
    .filter(Boolean)
    .join(' ');

/** Returns Xero's reason for refusing a call, from the body of its response. Empty if there is none. */
export function readReason(body: unknown): string {
  const {
    Elements = [],
    Message,
    Detail,
  } = (body ?? {}) as {
    Elements?: { ValidationErrors?: { Message: string }[] }[];
    Message?: string;
    Detail?: string;
  };
  const texts = Elements.flatMap(({ ValidationErrors = [] }) => ValidationErrors);
  return withAdvice(joinErrorTexts(texts) || Message || Detail || '');
}

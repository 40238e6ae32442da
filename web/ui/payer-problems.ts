import type { ApiError, FieldError } from '../../domain/errors.js';
import type { WordKey, Words } from '../../domain/words/words.js';
import type { Problem } from '../../api/http/context.js';
import { problemsIn } from '../dashboard/shared/rejection.js';

const LABELS = {
  name: 'page.your_name',
  email: 'page.email',
  attendees: 'page.people',
  company: 'page.company',
  vat_number: 'page.vat_number',
  order_reference: 'page.order_reference',
  discount_code: 'page.code',
} as const satisfies Record<string, WordKey>;

const isLabelled = (name: string): name is keyof typeof LABELS => Object.hasOwn(LABELS, name);

/** The problems of a form, in words for payers. `error`: 422 `validation_failed`. */
export function payerProblems(words: Words, error: ApiError): Problem[] {
  const { param, errors, rule } = error.context;
  const said = problemsIn(error);
  return (errors ?? [{ param, message: error.message, rule }]).map((each, n) => {
    const { field, message } = said[n]!;
    return { field, message: describePayerProblem(words, each, field) ?? inEnglish(words, message) };
  });
}

function describePayerProblem(words: Words, { rule }: FieldError, name: string | null): string | null {
  if (name?.startsWith('answer_')) return words.say('page.answer_this');
  if (name === 'terms_version') return words.say('page.accept_to_book');
  if (!name || !isLabelled(name)) return null;
  const field = words.say(LABELS[name]);
  if (rule?.type === 'any.required' || rule?.type === 'string.empty')
    return words.say('payer.field_missing', { field });
  if (rule?.type === 'string.max') return words.say('payer.field_too_long', { field });
  return name === 'email' ? words.say('payer.field_email') : words.say('payer.field_wrong', { field });
}

/** For other fields, such as the quantity of an extra, only English has a specific message. */
const inEnglish = (words: Words, message: string): string =>
  words.language === 'en' ? message : words.say('payer.form_wrong');

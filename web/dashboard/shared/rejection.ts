import type { ApiError } from '../../../domain/errors.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { Handler, Problem } from '../../../api/http/context.js';
import { asApiError } from '../../../api/http/errors.js';
import { publicMessage } from '../../ui/browser.js';
import { ReturnedToForm } from './confirmation.js';
import { sentenceOf } from '../../ui/sentences.js';

/** What people call fields whose names differ; for a list, what one of its values is called. */
const NOUNS: Record<string, string> = {
  days: 'number of days',
  redirect_uris: 'redirect URI',
  ip_allowlist: 'IP range',
  url: 'URL',
  event_types: 'event type',
  amount_minor: 'amount',
  unit_amount_minor: 'unit price',
  start_at: 'start',
  end_at: 'end',
  starts_at: 'start',
  ends_at: 'end',
  due_at: 'due date',
  paid_at: 'day',
  trial_ends_at: 'end of the trial',
  tax_code: 'tax',
  code: 'tax code',
  csv: 'list',
  rate_bps: 'rate',
  hours_before: 'number of hours',
  percent: 'percentage',
  slot_minutes: 'slot length',
  min_minutes: 'minimum booking',
  max_minutes: 'maximum booking',
  turnaround_minutes: 'buffer',
  edit_window_minutes: 'time for changes',
  checkout_hold_seconds: 'hold, in seconds,',
  q: 'search',
  payment_terms: 'number of days',
  credit_limit_minor: 'limit',
};
const ORDINALS = [
  'first',
  'second',
  'third',
  'fourth',
  'fifth',
  'sixth',
  'seventh',
  'eighth',
  'ninth',
  'tenth',
];

/** Messages for API clients and their equivalents for people. */
const PHRASES: [RegExp, string][] = [
  [/(is required|must not be empty)$/, 'is missing'],
  [/must not repeat an earlier item$/, 'is a duplicate'],
  [/must have at (most|least) (\d+ items?)$/, 'list must have at $1 $2'],
];

/** A message for API clients, as people read it. `redirect_uris[1] must be …` → “The second redirect URI must be ….” */
export function problemOf({ param = '', message }: { param?: string; message: string }): Problem {
  const names = param.split('.');
  const index = /^\d+$/.test(names.at(-1)!) ? Number(names.pop()) : null;
  const field = names.at(-1)!;
  const label = names.join('.') + (index === null ? '' : `[${index}]`);
  const noun = NOUNS[field] ?? field.replaceAll('_', ' ');
  const called =
    index === null ? noun : ORDINALS[index] ? `${ORDINALS[index]} ${noun}` : `${noun} ${index + 1}`;
  const about = message.startsWith(`${label} `) ? `The ${called}${message.slice(label.length)}` : message;
  const plain = about.replace(/\.$/, '');
  const readable = PHRASES.reduce((text, [phrase, replacement]) => text.replace(phrase, replacement), plain);
  const words = readable.replace(
    /\b[a-z]+(?:_[a-z]+)+\b/g,
    (name) => `the ${NOUNS[name] ?? name.replaceAll('_', ' ')}`,
  );
  return { field: field || null, message: `${words.replace(/^./, (first) => first.toUpperCase())}.` };
}

function problemsOf(error: ApiError): Problem[] {
  const { param, errors } = error.context;
  const sentence = sentenceOf(error, 'staff');
  if (sentence) return [{ field: param ?? null, message: sentence }];
  return (errors ?? [{ param, message: error.message }]).map(problemOf);
}

/**
 * If a later middleware rejects a form, or its user returns to it from a confirmation, shows its page again: `show`
 * finds the rejection in the state, the fields contain the submitted values and the problems are listed at the top.
 * Errors that clients must not read are rethrown.
 */
export function redisplayOnError({ log }: Pick<ApiDependencies, 'log'>, show: Handler): Handler {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      const { submitted } = ctx.state;
      if (error instanceof ReturnedToForm && submitted) {
        ctx.state.rejection = { action: ctx.path, submitted, problems: [] };
        return show(ctx, async () => {});
      }
      const known = asApiError(error);
      if (!known || !submitted) throw error;
      // This logs what is our own fault.
      const message = publicMessage(ctx, log, error);
      const problems =
        known.status < 500
          ? problemsOf(known)
          : [problemOf({ message: sentenceOf(known, 'staff') ?? message })];
      ctx.state.rejection = { action: ctx.path, submitted, problems };
      await show(ctx, async () => {});
      ctx.status = known.status;
    }
  };
}

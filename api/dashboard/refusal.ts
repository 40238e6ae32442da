import type { ApiError } from '../../domain/errors.js';
import type { ApiDependencies } from '../dependencies.js';
import type { Handler, Problem } from '../http/context.js';
import { asApiError } from '../http/errors.js';
import { identify } from '../sign-in/browser.js';

/** Fields whose names aren't what people call them; of a list, what one of its values is called. */
const NOUNS: Record<string, string> = {
  days: 'number of days',
  redirect_uris: 'redirect address',
  ip_allowlist: 'address range',
  url: 'address',
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

/** What the rules say to programs, as one says it to people. */
const PHRASES: [RegExp, string][] = [
  [/is (required|not allowed to be empty)$/, 'is missing'],
  [/^What this Idempotency-Key stands for has been deleted$/, 'This was made before, and removed since'],
  [/contains a duplicate value$/, 'is there twice'],
  [/length must be less than or equal to (\d+) characters long$/, 'may have $1 characters at most'],
  [/must contain less than or equal to (\d+) items$/, 'may be given $1 times at most'],
  [/must be less than or equal to (\d+)$/, 'may be $1 at most'],
  [/must be greater than or equal to (\d+)$/, 'must be $1 at least'],
];

/** `redirect_uris[1] must be …` as “The second redirect address must be ….” */
function problemOf({ param = '', message }: { param?: string; message: string }): Problem {
  const names = param.split('.');
  const index = /^\d+$/.test(names.at(-1)!) ? Number(names.pop()) : null;
  const field = names.at(-1)!;
  const label = names.join('.') + (index === null ? '' : `[${index}]`);
  const noun = NOUNS[field] ?? field.replaceAll('_', ' ');
  const called =
    index === null ? noun : ORDINALS[index] ? `${ORDINALS[index]} ${noun}` : `${noun} ${index + 1}`;
  const about = message.startsWith(`${label} `) ? `The ${called}${message.slice(label.length)}` : message;
  const plain = about.replace(/\.$/, '');
  const words = PHRASES.reduce((said, [phrase, instead]) => said.replace(phrase, instead), plain);
  return { field: field || null, words: `${words}.` };
}

const problemsOf = ({ message, context: { param, errors } }: ApiError): Problem[] =>
  (errors ?? [{ param, message }]).map(problemOf);

/**
 * Where what follows refuses a form, answers with the page it was sent from: `show` finds the refusal in the state, the
 * fields of the form hold what was typed, and what is wrong stands above. What no client is to read stays as it is.
 */
export function orAgain({ log }: Pick<ApiDependencies, 'log'>, show: Handler): Handler {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      const known = asApiError(error);
      const { typed } = ctx.state;
      if (!known || !typed) throw error;
      const told = identify(ctx, log, error);
      const problems = known.status < 500 ? problemsOf(known) : [{ field: null, words: told }];
      ctx.state.refusal = { action: ctx.path, typed, problems };
      await show(ctx, async () => {});
      ctx.status = known.status;
    }
  };
}

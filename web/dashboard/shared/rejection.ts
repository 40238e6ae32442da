import { namedIn, type ApiError, type FieldError } from '../../../domain/errors.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { Handler, Problem } from '../../../api/http/context.js';
import { asApiError } from '../../../api/http/errors.js';
import { publicMessage } from '../../ui/browser.js';
import { lacksAccount } from './card-payments.js';
import { ReturnedToForm } from './confirmation.js';
import { namingStripe, describeError } from '../../ui/sentences.js';

/** Names in error messages that differ from the API's. For a list, the name of one item. */
const NOUNS: Record<string, string> = {
  days: 'number of days',
  redirect_uris: 'redirect URI',
  ip_allowlist: 'IP range',
  origins: 'website',
  url: 'URL',
  event_types: 'event type',
  amount_minor: 'amount',
  unit_amount_minor: 'unit price',
  start_at: 'start',
  end_at: 'end',
  starts_at: 'start',
  ends_at: 'end',
  due_at: 'due date',
  from: 'first day',
  to: 'last day',
  paid_at: 'day',
  trial_ends_at: 'trial end',
  tax_code: 'tax',
  code: 'tax code',
  csv: 'list',
  rate_bps: 'rate',
  hours_before: 'number of hours',
  percent: 'percentage',
  slot_minutes: 'booking interval',
  cutoff_hours: 'cut-off',
  extra_id: 'extra',
  max_uses: 'number of uses',
  max_uses_per_payer: 'number of uses per person',
  valid_from: 'start',
  valid_until: 'end',
  min_minutes: 'minimum booking',
  max_minutes: 'maximum booking',
  turnaround_minutes: 'buffer',
  edit_window_minutes: 'change deadline',
  checkout_hold_seconds: 'hold, in seconds,',
  q: 'search',
  parts: 'list of parts',
  slug: 'address',
  room_ids: 'room',
  embed_origins: 'website',
  guest_hold_seconds: 'hold, in seconds,',
  accent: 'colour',
  accent_color: 'colour',
  logo_url: 'logo',
  label: 'question',
  choices: 'choice',
  payment_terms: 'payment terms',
  credit_limit_minor: 'limit',
  desk_refund_limit_minor: 'desk refund limit',
  sign_in_name: 'sign-in name',
  provider_name: 'button label',
  client_id: 'client ID',
  client_secret: 'client secret',
  tenant: 'directory (tenant) ID',
  entity_id: 'entity ID',
  metadata_url: 'metadata URL',
  sso_url: 'sign-on URL',
  certificates: 'certificate',
  domains: 'list of domains',
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

/** Replacements for the wording of the API, by joi rule type. */
const SAYS: Record<string, (says: string) => string> = {
  'any.required': () => 'is missing',
  'string.empty': () => 'is missing',
  'array.unique': () => 'is a duplicate',
  'array.max': (says) => `list ${says}`,
  'array.min': (says) => `list ${says}`,
  'array.orderedLength': (says) => `list ${says}`,
};

const fieldNoun = (field: string): string => NOUNS[field] ?? field.replaceAll('_', ' ');

/** The name of a field: `redirect_uris.1` is `second redirect URI`. */
function describeField(names: string[]): string {
  const last = names.at(-1)!;
  if (!/^\d+$/.test(last)) return fieldNoun(last);
  const noun = fieldNoun(names.at(-2)!);
  return ORDINALS[Number(last)] ? `${ORDINALS[Number(last)]} ${noun}` : `${noun} ${Number(last) + 1}`;
}

/** The inputs of a form, and names that differ from the API's. */
interface FormInputs {
  fields: Record<string, unknown>;
  called: Record<string, string>;
}
const NO_INPUTS: FormInputs = { fields: {}, called: {} };

/** The input for a field of a form's body: the one whose name is the longest prefix of the field's path. */
function inputIn(names: string[], inputs: FormInputs['fields']): string | null {
  for (let length = names.length; length > 0; length--)
    for (let first = names.length - length; first >= 0; first--) {
      const part = names.slice(first, first + length).join('.');
      if (part in inputs) return part;
    }
  return null;
}

/** Describes a field's problem by the violated rule, else with the API's message. */
function describeFieldProblem(
  { param, message, rule }: FieldError,
  { fields, called }: FormInputs = NO_INPUTS,
): Problem {
  const names = param?.split('.') ?? [];
  const field = inputIn(names, fields) ?? names.findLast((name) => !/^\d+$/.test(name)) ?? null;
  if (!rule || !param) return { field, message: `${namingStripe(message).replace(/\.$/, '')}.` };
  const says = SAYS[rule.type]?.(rule.says) ?? rule.says;
  const noun = called[field ?? ''] ?? describeField(names);
  const nounIn = (path: string): string => called[path] ?? fieldNoun(path.split('.').at(-1)!);
  return { field, message: `The ${noun} ${namedIn(says, (path) => `the ${nounIn(path)}`)}.` };
}

/** The problems of a request, in words for staff. */
export function problemsIn(error: ApiError, inputs?: FormInputs): Problem[] {
  const { param, errors, rule } = error.context;
  const sentence = describeError(error);
  if (sentence) return [{ field: param ?? null, message: sentence }];
  return (errors ?? [{ param, message: error.message, rule }]).map((one) =>
    describeFieldProblem(one, inputs),
  );
}

/**
 * Shows a form's page again if a later middleware rejects the form, or its user returns to it from a
 * confirmation: `show` finds the rejection in the state, the fields contain the submitted values, and the
 * problems are listed at the top. Rethrows errors whose message people must not see.
 */
export function redisplayOnError(
  { log }: Pick<ApiDependencies, 'log'>,
  show: Handler,
  inputs?: FormInputs,
): Handler {
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
      // Logs unexpected errors.
      const message = publicMessage(ctx, log, error);
      const problems =
        known.status < 500
          ? problemsIn(known, inputs)
          : [describeFieldProblem({ message: describeError(known) ?? message })];
      const isStale = known.code === 'version_conflict';
      const rejection = { action: ctx.path, submitted, problems, isStale };
      ctx.state.rejection = { ...rejection, lacksAccount: lacksAccount(known) };
      await show(ctx, async () => {});
      ctx.status = known.status;
    }
  };
}

import { ALL_EVENTS } from '../../../domain/events/types.js';
import type { ApiContext } from '../../../api/http/context.js';
import type { Metadata } from '../../../domain/metadata.js';
import { createFormats, spaced } from '../../ui/formats.js';
import { formatMetadata } from '../forms/metadata.js';

/** How many fields the summary of an entry lists. */
const NAMED = 3;

type Details = Record<string, unknown>;

const INSTANT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
const NAMES: Record<string, string> = {
  from: 'status before',
  ip_allowlist: 'allowed addresses',
  refund_policy: 'refund terms',
  accounting_tax_type: 'tax type',
};
/** Fields whose values are API enums, such as `requested_by_customer`. */
const WORDS = new Set([
  'reason',
  'method',
  'status',
  'role',
  'tier',
  'pending_tier',
  'kind',
  'from',
  'refund_policy',
]);

/** Formats a value: amounts, local times and words. `currency`: of the entry, if it has one. */
function shown(ctx: ApiContext, field: string, value: unknown, currency: string | undefined): string {
  const { amount, moment } = createFormats(ctx);
  if (value === null || value === undefined || value === '') return 'none';
  if (field === 'metadata') return formatMetadata(value as Metadata) || 'none';
  if (field === 'rate_bps') return `${Number(value) / 100}%`;
  if (Array.isArray(value) && String(value) === ALL_EVENTS) return 'all booking and member events';
  if (field === 'ip_allowlist' && Array.isArray(value) && value.length === 0) return 'any address';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return field.endsWith('_minor') ? amount(value, currency) : String(value);
  if (typeof value === 'string') {
    if (INSTANT.test(value)) return moment(new Date(value));
    return WORDS.has(field) ? spaced(value) : value;
  }
  if (Array.isArray(value))
    return value.map((each) => shown(ctx, field, each, currency)).join(', ') || 'none';
  const fields = Object.entries(value).map(
    ([name, each]) => `${formatFieldName(name)} ${shown(ctx, name, each, currency)}`,
  );
  return fields.join(', ') || 'none';
}

const formatFieldName = (field: string): string =>
  NAMES[field] ?? spaced(field.replace(/_(minor|at|bps)$/, '')).replace(/^url$/, 'URL');

/** The changed fields of an entry before and after, or its details as they are. */
export function Details({ ctx, details }: { ctx: ApiContext; details: Details }) {
  const { before, after, ...rest } = details as Record<string, Details | undefined>;
  const currency = typeof details.currency === 'string' ? details.currency : undefined;
  const show = (field: string, value: unknown) => shown(ctx, field, value, currency);
  const changes =
    before && after
      ? Object.keys({ ...before, ...after }).map((field): [string, string] => [
          field,
          `${show(field, before[field])} → ${show(field, after[field])}`,
        ])
      : [];
  const others = Object.entries({ ...(before ? null : after), ...(after ? null : before), ...rest }).filter(
    ([, value]) => value !== null,
  );
  const lines = [
    ...changes,
    ...others.map(([field, value]): [string, string] => [field, show(field, value)]),
  ];
  if (lines.length === 0) return null;
  return (
    <details>
      <summary>{summarizeNames(lines.map(([field]) => formatFieldName(field)))}</summary>
      {lines.map(([field, value]) => (
        <div key={field}>
          <span class="soft">{formatFieldName(field)}:</span> {value}
        </div>
      ))}
    </details>
  );
}

/** `name, capacity, tax code and 12 more` */
const summarizeNames = (names: string[]): string =>
  names.length <= NAMED + 1
    ? names.join(', ')
    : `${names.slice(0, NAMED).join(', ')} and ${names.length - NAMED} more`;

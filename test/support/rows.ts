import type { DataSource } from 'typeorm';
import { ENTITIES } from '../../db/entities.js';
import { newId, newProfileId } from '../../db/ids.js';
import { DAY_MS, MINUTE_MS } from '../../domain/durations.js';

type Table = keyof typeof ENTITIES;
export type Row<T extends Table> = Partial<(typeof ENTITIES)[T]['prototype']>;
type On = Pick<DataSource, 'query'>;

/** Bytes as Postgres reads them from JSON. */
const jsonValue = (value: unknown): unknown =>
  Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : value;

/**
 * A function that inserts rows of a table, for tests that need many or old ones. `defaults` has the values
 * that a row omits.
 */
export const storing =
  <T extends Table>(table: T, defaults: () => Row<T> = () => ({})) =>
  async (on: On, rows: Row<T>[]): Promise<void> => {
    const complete = rows.map((row) => ({ ...defaults(), ...row }));
    const columns = [...new Set(complete.flatMap((row) => Object.keys(row)))].join(', ');
    const values = complete.map((row) =>
      Object.fromEntries(Object.entries(row).map(([column, value]) => [column, jsonValue(value)])),
    );
    await on.query(
      `INSERT INTO ${table} (${columns}) SELECT ${columns}
        FROM jsonb_populate_recordset(null::${table}, $1::jsonb)`,
      [JSON.stringify(values)],
    );
  };

/** A range of times as Postgres reads it, excluding its end. */
export const timeRange = (start: Date | string, end: Date | string): string =>
  `[${new Date(start).toISOString()},${new Date(end).toISOString()})`;

export const storeProfiles = storing('profiles');
export const storeEvents = storing<'events'>('events', () => ({
  type: 'booking.created',
  sequence: 1,
  body: {} as never,
}));
export const storeDeliveries = storing('webhook_deliveries', () => ({
  attempt: 1,
  at: new Date(),
  status_code: 200,
  duration_ms: 1,
}));
export const storeEndpoints = storing('webhook_endpoints', () => ({
  id: newId('wh'),
  url: 'https://example.com',
  event_types: ['*'],
  secret: Buffer.alloc(1),
  sent_up_to: 0,
}));
export const storeRetries = storing('webhook_retries');
export const storeProcessorEvents = storing<'processor_events'>('processor_events', () => ({
  type: 'refund.created',
  via: 'connect',
}));
export const storeClaims = storing('slot_claims');
export const storeChanges = storing<'booking_changes'>('booking_changes', () => ({
  id: newId('chg'),
  kind: 'change',
  actor: {} as never,
}));
export const storeTierChanges = storing<'tier_changes'>('tier_changes', () => ({
  id: newId('tch'),
  from_tier: 'plus',
  to_tier: 'pro',
  description: 'Test',
  net_minor: 1,
}));
export const storeCheckouts = storing<'checkouts'>('checkouts', () => ({
  id: newId('chk'),
  ordinal: 1,
  currency: 'GBP',
  description: 'Test',
  session_expires_at: new Date(Date.now() + DAY_MS),
}));
export const storeSignInLinks = storing('sign_in_links', () => ({
  id: newId('link'),
  return_to: '/',
  expires_at: new Date(Date.now() + 15 * MINUTE_MS),
}));
export const storeSignInNames = storing('sign_in_names');
export const storeConnections = storing('sso_connections');
export const storeCandidates = storing('sso_candidates');
export const storeServiceKeys = storing('sso_service_keys');
export const storeLogins = storing('sso_logins');
export const storeSubjects = storing('sso_subjects');
export const storeSecondFactors = storing('second_factors', () => ({ confirmed_at: new Date() }));
export const storeMails = storing<'mails'>('mails', () => ({
  id: newId('mail'),
  kind: 'member_invite',
  status: 'skipped',
  notify_at: null,
}));
export const storeAuditEntries = storing('audit_log', () => ({
  action: 'test',
  actor: { system: 'test' } as never,
  object: 'test',
  details: {},
}));
export const storeInvoices = storing<'invoices'>('invoices', () => ({
  kind: 'ad_hoc',
  status: 'paid',
  currency: 'GBP',
  net_minor: 1,
  tax_minor: 0,
  total_minor: 1,
  due_at: new Date(),
  paid_at: new Date(),
}));
export const storePayments = storing<'payments'>('payments', () => ({
  kind: 'charge',
  status: 'succeeded',
  amount_minor: 1,
  currency: 'GBP',
  method: 'card',
}));

const storeMemberships = storing<'members'>('members', () => ({
  name: 'Ada Lovelace',
  role: 'member',
  tier: 'basic',
  status: 'active',
  joined_at: new Date(),
}));

/** Inserts active members and their profiles. */
export async function storeMembers(on: On, members: (Row<'members'> & { email: string })[]): Promise<void> {
  const people = members.map((member) => ({ id: newId('mem'), ...member, profile_id: newProfileId() }));
  await storeProfiles(
    on,
    people.map(({ profile_id, email }) => ({ id: profile_id, email })),
  );
  await storeMemberships(on, people);
}

/** Stores copies of a row, called `A 1`, `A 2` and so on, that are older than it. */
export const storeCopies = (
  on: On,
  table: 'companies' | 'rooms',
  id: string,
  count: number,
): Promise<unknown> =>
  on.query(
    `INSERT INTO ${table} SELECT (jsonb_populate_record(original, jsonb_build_object(
       'id', gen_random_uuid(), 'name', 'A ' || n, 'created_at', original.created_at - interval '1 day'))).*
     FROM ${table} AS original, generate_series(1, $2::int) AS n WHERE original.id = $1`,
    [id, count],
  );

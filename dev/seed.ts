import { randomBytes } from 'node:crypto';
import { bearerToken, mintToken } from '../api/http/tokens.js';
import { openDatabase } from '../db/data-source.js';
import { insertApiKey } from '../commands/api-keys/api-keys.js';
import { insertCompany } from '../commands/companies/companies.js';
import { markAccepted } from '../commands/members/accept-membership.js';
import { grantHours } from '../commands/subscriptions/member-cycle.js';
import { insertMember } from '../commands/members/members.js';
import { transaction } from '../db/transaction.js';
import { DAY_MS } from '../domain/durations.js';
import { SCOPE_ACTIONS, SCOPE_RESOURCES } from '../domain/policies.js';

export interface SeedOptions {
  databaseUrl: string;
  baseUrl: string;
  internalUrl: string;
  internalToken: string;
  /** Connects the workspace to the accounting simulator. */
  accounting: boolean;
  /** The API key from an earlier start. */
  existingApiKey?: string;
  /** Sent with requests to the public API. */
  proxyHeaders: Record<string, string>;
}

export interface Seeded {
  apiKey: string;
  workspaceId: string;
  roomId: string;
  /** The address of its booking page. */
  bookingPageUrl: string;
}

const TIME_ZONE = 'Europe/London';
const KEY_DAYS = 90;

const ROOMS = [
  { name: 'Garden room', capacity: 8, price_per_hour: { currency: 'GBP', amount_minor: 2_500 } },
  {
    name: 'Studio',
    capacity: 4,
    slot_minutes: 15,
    turnaround_minutes: 15,
    tier_discounts: { pro: 20 },
    price_per_hour: { currency: 'GBP', amount_minor: 4_000 },
  },
  { name: 'Hall', capacity: 60, min_minutes: 120, price_per_hour: { currency: 'GBP', amount_minor: 12_000 } },
];

const COMPANIES = ['Northwind Architects', 'Bright & Daughters'];

const MEMBERS = [
  { email: 'admin@example.com', name: 'Alex Admin', role: 'admin', tier: 'enterprise', company: null },
  { email: 'desk@example.com', name: 'Dora Desk', role: 'front_desk', tier: 'basic', company: null },
  { email: 'billing@example.com', name: 'Billie Billing', role: 'billing_contact', tier: 'plus', company: 0 },
  { email: 'pro@example.com', name: 'Priya Pro', role: 'member', tier: 'pro', company: 0 },
  { email: 'basic@example.com', name: 'Ben Basic', role: 'member', tier: 'basic', company: 1 },
] as const;

/** The API key from an earlier start, or a new key of the same member if it was revoked or has expired. */
async function validKey(
  { databaseUrl, baseUrl, proxyHeaders }: SeedOptions,
  existing: string,
): Promise<string> {
  const response = await fetch(`${baseUrl}/v1/auth/whoami`, {
    headers: { ...proxyHeaders, authorization: `Bearer ${existing}` },
  });
  if (response.status !== 401) return existing;
  const { token, record } = mintToken();
  const db = await openDatabase({ url: databaseUrl, poolSize: 1 });
  const [key] = await db.query(
    `SELECT k.workspace_id, k.member_id FROM api_tokens t JOIN api_keys k ON k.id = t.key_id
      WHERE t.hash = $1`,
    [bearerToken(`Bearer ${existing}`)!.hash],
  );
  await insertApiKey(db.manager, {
    ...key,
    name: 'Key of npm start',
    token: record,
    resources: [...SCOPE_RESOURCES],
    actions: [...SCOPE_ACTIONS],
    expires_at: new Date(Date.now() + KEY_DAYS * DAY_MS),
  });
  await db.destroy();
  return token;
}

interface Created {
  id: string;
}
interface CreatedWorkspace {
  workspace_id: string;
  token: string;
  accounting_error?: string;
}

/**
 * The last part of the booking page's address, with more letters if another workspace in the database uses
 * it.
 */
const SLUG = 'demo';

/**
 * Creates the workspace of a development home once: an owner, members, two companies, three rooms, a booking
 * page.
 */
export async function seed(options: SeedOptions): Promise<Seeded> {
  const { baseUrl, internalUrl, internalToken, existingApiKey, proxyHeaders } = options;
  const send = (path: string, token: string, body?: unknown, put?: 'PUT') =>
    fetch((path.startsWith('/v1/') ? baseUrl : internalUrl) + path, {
      method: put ?? (body ? 'POST' : 'GET'),
      headers: {
        ...(path.startsWith('/v1/') && proxyHeaders),
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  const request = async <Body>(...sent: Parameters<typeof send>): Promise<Body> => {
    const response = await send(...sent);
    const [path] = sent;
    if (!response.ok)
      throw new Error(`seeding failed: ${path} returned ${response.status} ${await response.text()}`);
    return (await response.json()) as Body;
  };

  /** The address of the booking page, which is created if it is missing. */
  async function bookingPage(token: string): Promise<string> {
    const path = '/v1/booking-page';
    const { url } = await request<{ url: string | null }>(path, token);
    if (url) return url;
    const isFree = (await send(path, token, { slug: SLUG }, 'PUT')).ok;
    if (!isFree) await request(path, token, { slug: `${SLUG}-${randomBytes(3).toString('hex')}` }, 'PUT');
    return bookingPage(token);
  }

  if (existingApiKey) {
    const apiKey = await validKey(options, existingApiKey);
    const workspace = await request<Created>('/v1/workspace', apiKey);
    const rooms = await request<{ data: Created[] }>('/v1/rooms', apiKey);
    const bookingPageUrl = await bookingPage(apiKey);
    return { apiKey, workspaceId: workspace.id, roomId: rooms.data[0]!.id, bookingPageUrl };
  }
  const { workspace_id, token, accounting_error } = await request<CreatedWorkspace>(
    '/internal/actions',
    internalToken,
    {
      action: 'create_workspace',
      name: 'Harbour House',
      owner_email: 'owner@example.com',
      time_zone: TIME_ZONE,
      currency: 'GBP',
      // A new account each time: a start that ended before the key was stored must not block the next one.
      accounting: options.accounting,
      processor_account_id: `acct_harbour${randomBytes(6).toString('hex')}`,
    },
  );
  if (accounting_error) throw new Error(`seeding failed: ${accounting_error}`);
  const rooms = [];
  for (const room of ROOMS)
    rooms.push(await request<Created>('/v1/rooms', token, { ...room, time_zone: TIME_ZONE }));
  const db = await openDatabase({ url: options.databaseUrl, poolSize: 1 });
  await transaction(db, async (tx) => {
    const companies = [];
    for (const name of COMPANIES)
      companies.push(await insertCompany(tx, { workspace_id, name, billing_email: null }));
    for (const { company, ...member } of MEMBERS) {
      const company_id = company === null ? null : companies[company]!.id;
      const { id } = await grantHours(tx, await insertMember(tx, { workspace_id, company_id, ...member }));
      await markAccepted(tx, id);
    }
  });
  await db.destroy();
  const bookingPageUrl = await bookingPage(token);
  return { apiKey: token, workspaceId: workspace_id, roomId: rooms[0]!.id, bookingPageUrl };
}

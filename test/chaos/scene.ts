import { randomUUID } from 'node:crypto';
import { EVENT_TYPES, OPT_IN_EVENT_TYPES } from '../../domain/events.js';
import { newAccountingWorkspace, type AccountingWorkspace } from '../support/accounting.js';
import type { ApiClient } from '../support/api-client.js';
import type { ApiResponse } from '../support/api-response.js';
import { db } from '../support/stack.js';
import { newRoom } from '../support/workspaces.js';
import { openReceiver, type Receiver } from '../support/receiver.js';

/** The domain of all addresses, and the start of all names, of the people of a run: found nowhere but in Postgres. */
export const MAIL_DOMAIN = 'chaos-people.example';
export const NAME = 'Ottoline';

/** The types of event that the receivers subscribe to. */
export const DELIVERED = [...EVENT_TYPES, ...OPT_IN_EVENT_TYPES];

const WORKSPACES = 2;
const ROOMS = 2;
const MEMBERS = 3;
/** Members whose plans are invoiced. */
const SUBSCRIBERS = 6;
const COMPANIES = 4;
/** So low that creates compete for it: a booked hour costs 3,000. */
const CREDIT_LIMIT_MINOR = 9_000;
/** Days to pay, by payer on account: what is due immediately is charged to a card on file immediately. */
const PAYMENT_TERMS = [0, 0, 14];
const HOLD_SECONDS = 10;
const TIER_PRICES = { basic: 1_000, plus: 2_000, pro: 4_000, enterprise: 0 };

/** Of one room, so that prices consist of several lines: hours, halves of days and a limit. */
const RATES = [
  { name: 'Morning', from: '08:00', to: '12:00', unit: 'flat', amount_minor: 7_000 },
  { name: 'Evening', from: '18:00', to: '22:00', amount_minor: 3_337, cap_minor: 9_000 },
  { name: 'Night', from: '22:00', to: '06:00', amount_minor: 1_001, minimum_minor: 1_500 },
];
const DISCOUNT_USES = 20;

/** A workspace of a run, with processor and accounting system. */
export interface House {
  workspace: AccountingWorkspace;
  rooms: string[];
  /** One of it is there for all rooms. */
  extra: string;
  /** A code that is used up while the run goes on. */
  discount: string;
  /** The key of its web site, with which strangers book. */
  site: string;
  members: string[];
  companies: string[];
  /** Members who book on account: one pays, for others their companies do. */
  onAccount: string[];
  /** Paths of all who can put a card on file. */
  payers: string[];
  /** The processor's sessions in which a payer has saved a card. */
  savedCards: string[];
  /** Faults of the processor's simulator that last for the whole run. */
  standingFaults: Record<string, unknown>;
  receiver: Receiver;
}

async function created<Body>(response: Promise<ApiResponse<Body>>) {
  const { status, body } = await response;
  if (status >= 300) throw new Error(JSON.stringify(body));
  return body;
}

async function newMember(api: ApiClient, fields: Record<string, unknown> = {}): Promise<string> {
  const email = `${randomUUID()}@${MAIL_DOMAIN}`;
  const member = { email, name: `${NAME} Member`, tier: 'basic', ...fields };
  return (await created(api.post('/v1/members', member))).id;
}

async function newCompany(api: ApiClient, fields: Record<string, unknown> = {}): Promise<string> {
  const billing_email = `${randomUUID()}@${MAIL_DOMAIN}`;
  return (await created(api.post('/v1/companies', { name: `${NAME} Company`, billing_email, ...fields }))).id;
}

const pathOf = (companyId: string): string => `/v1/companies/${companyId}`;

/** Creates the payers on account. Active immediately: an invited member cannot book. */
async function newAccounts(api: ApiClient): Promise<{ members: string[]; payers: string[] }> {
  const members: string[] = [];
  const payers: string[] = [];
  const active = { send_invite: false };
  for (const payment_terms of PAYMENT_TERMS) {
    const company = await newCompany(api, { payment_terms, credit_limit_minor: CREDIT_LIMIT_MINOR });
    payers.push(pathOf(company));
    for (let n = 0; n < 2; n++) members.push(await newMember(api, { ...active, company_id: company }));
  }
  const member = await newMember(api, active);
  const terms = { payment_terms: 0, credit_limit_minor: CREDIT_LIMIT_MINOR };
  await created(api.patch(`/v1/members/${member}`, terms));
  return { members: [...members, member], payers: [...payers, `/v1/members/${member}`] };
}

async function newHouse(standingFaults: Record<string, unknown>): Promise<House> {
  const workspace = await newAccountingWorkspace();
  const { api, id } = workspace;
  const settings = { checkout_hold_seconds: HOLD_SECONDS, tier_prices: TIER_PRICES };
  await created(api.patch('/v1/workspace', settings));
  const receiver = await openReceiver();
  await created(api.put('/v1/webhook-endpoint', { url: receiver.url, event_types: [...DELIVERED] }));
  const rooms: string[] = [];
  for (let n = 0; n < ROOMS; n++) rooms.push((await newRoom(api)).id);
  // A hall that consists of them, so that most bookings compete with those of other rooms too.
  rooms.push((await newRoom(api, { parts: [...rooms] })).id);
  await created(api.put(`/v1/rooms/${rooms[0]}/rates`, { rates: RATES }));
  const { code: discount } = await created(
    api.post('/v1/discounts', { code: 'CHAOS', percent: 15, max_uses: DISCOUNT_USES, max_uses_per_payer: 2 }),
  );
  const projector = { name: 'Projector', price: { currency: 'GBP', amount_minor: 500 }, stock: 1 };
  const { id: extra } = await created(api.post('/v1/extras', projector));
  const page = { slug: `chaos-${randomUUID()}`, guest_hold_seconds: HOLD_SECONDS };
  await created(api.put('/v1/booking-page', page));
  const siteKey = { name: 'Site', kind: 'publishable', origins: ['https://chaos.example'] };
  const { token: site } = await created(api.post('/v1/api-keys', siteKey));
  const accounts = await newAccounts(api);
  // The owner and those who book on account pay for no plan, so that it takes nothing of their credit.
  for (const table of ['members', 'companies'])
    await db.query(`UPDATE ${table} SET billing_anchor = NULL WHERE workspace_id = $1`, [id]);
  const members: string[] = [];
  for (let n = 0; n < MEMBERS; n++) members.push(await newMember(api));
  for (let n = 0; n < SUBSCRIBERS; n++) await newMember(api, { send_invite: false });
  const companies: string[] = [];
  for (let n = 0; n < COMPANIES; n++) companies.push(await newCompany(api));
  const payers = [...companies.map(pathOf), ...accounts.payers];
  return {
    workspace,
    rooms,
    extra,
    discount,
    site: site!,
    members,
    companies,
    onAccount: accounts.members,
    payers,
    savedCards: [],
    standingFaults,
    receiver,
  };
}

/** Creates what a run works on, before anything fails but what lasts for the whole run. */
export const newScene = (standingFaults: Record<string, unknown>): Promise<House[]> =>
  Promise.all(Array.from({ length: WORKSPACES }, () => newHouse(standingFaults)));

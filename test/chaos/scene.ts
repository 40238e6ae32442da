import { randomUUID } from 'node:crypto';
import { EVENT_TYPES, OPT_IN_EVENT_TYPES } from '../../domain/events.js';
import { newAccountingWorkspace, type AccountingWorkspace } from '../support/accounting.js';
import { db, newRoom, type ApiClient } from '../support/stack.js';
import { openReceiver, type Receiver } from '../support/receiver.js';

/** The domain of all addresses, and the start of all names, of the people of a run: found nowhere but in Postgres. */
export const MAIL_DOMAIN = 'chaos-people.example';
export const NAME = 'Ottoline';

/** The types of event that the receivers subscribe to. */
export const DELIVERED = [...EVENT_TYPES, ...OPT_IN_EVENT_TYPES];

const WORKSPACES = 2;
const ROOMS = 2;
const MEMBERS = 3;
const COMPANIES = 4;
const HOLD_SECONDS = 10;
const TIER_PRICES = { basic: 1_000, plus: 2_000, pro: 4_000, enterprise: 0 };

/** A workspace of a run, with processor and accounting system. */
export interface House {
  workspace: AccountingWorkspace;
  rooms: string[];
  members: string[];
  companies: string[];
  /** The processor's sessions in which a payer has saved a card. */
  savedCards: string[];
  receiver: Receiver;
}

async function created(response: Promise<{ status: number; body: any }>): Promise<any> {
  const { status, body } = await response;
  if (status >= 300) throw new Error(JSON.stringify(body));
  return body;
}

async function newMember(api: ApiClient): Promise<string> {
  const email = `${randomUUID()}@${MAIL_DOMAIN}`;
  return (await created(api.post('/v1/members', { email, name: `${NAME} Member`, tier: 'basic' }))).id;
}

async function newCompany(api: ApiClient): Promise<string> {
  const billing_email = `${randomUUID()}@${MAIL_DOMAIN}`;
  return (await created(api.post('/v1/companies', { name: `${NAME} Company`, billing_email }))).id;
}

async function newHouse(): Promise<House> {
  const workspace = await newAccountingWorkspace();
  const { api, id } = workspace;
  const settings = { checkout_hold_seconds: HOLD_SECONDS, tier_prices: TIER_PRICES };
  await created(api.patch('/v1/workspace', settings));
  // The owner pays nothing, so that only the members are invoiced.
  await db.query(`UPDATE members SET billing_anchor = NULL WHERE workspace_id = $1`, [id]);
  const receiver = await openReceiver();
  await created(api.put('/v1/webhook-endpoint', { url: receiver.url, event_types: [...DELIVERED] }));
  const rooms: string[] = [];
  for (let n = 0; n < ROOMS; n++) rooms.push((await newRoom(api)).id);
  const members: string[] = [];
  for (let n = 0; n < MEMBERS; n++) members.push(await newMember(api));
  const companies: string[] = [];
  for (let n = 0; n < COMPANIES; n++) companies.push(await newCompany(api));
  return { workspace, rooms, members, companies, savedCards: [], receiver };
}

/** Creates what a run works on, before anything fails. */
export const newScene = (): Promise<House[]> => Promise.all(Array.from({ length: WORKSPACES }, newHouse));

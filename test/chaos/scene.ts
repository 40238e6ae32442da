import { randomUUID } from 'node:crypto';
import { EVENT_TYPES, OPT_IN_EVENT_TYPES } from '../../domain/events/types.js';
import { smallestUnit } from '../../domain/processor/amounts.js';
import { newAccountingWorkspace, removeBooks, type AccountingWorkspace } from '../support/accounting.js';
import type { ApiClient } from '../support/api-client.js';
import { db } from '../support/stack.js';
import { openReceiver, type Receiver } from '../support/receiver.js';
import { created, newOffer, type Offer } from './offers.js';
import { Random } from './random.js';

/**
 * The domain of all addresses, and the prefix of all names, of the people in a run: found nowhere but in
 * Postgres.
 */
export const MAIL_DOMAIN = 'chaos-people.example';
export const NAME = 'Ottoline';

/** The event types to which the receivers subscribe. */
export const DELIVERED = [...EVENT_TYPES, ...OPT_IN_EVENT_TYPES];

/**
 * Currencies of the workspaces. One has units that are not hundredths, or units that cannot all be charged.
 */
const CURRENCIES = [['GBP'], ['EUR', 'JPY', 'KWD']];
const MEMBERS = 3;
/** Members who pay with hours, and how many hours they have. */
const HOLDERS = 3;
const HOUR_CREDITS = 200;
/** Members whose plans are invoiced. */
const SUBSCRIBERS = 6;
const COMPANIES = 4;
/** So low that creates compete for it: a booked hour costs 3,000 or more. */
const CREDIT_LIMIT_MINOR = 9_000;
/**
 * Days to pay, by payer on account. An invoice that is due immediately is charged to a card on file
 * immediately.
 */
const PAYMENT_TERMS = [0, 0, 14];
const HOLD_SECONDS = 10;
const TIER_PRICES = { basic: 1_000, plus: 2_000, pro: 4_000, enterprise: 0 };

/** A workspace of a run, with processor and accounting system. */
export interface ChaosWorkspace extends Offer {
  workspace: AccountingWorkspace;
  /** The key of its website, with which public guests book. */
  site: string;
  members: string[];
  /** Members who have hours to pay with. */
  holders: string[];
  companies: string[];
  /** Members who book on account: one pays, for the others their companies pay. */
  onAccount: string[];
  /** Paths of everyone who can save a card. */
  payers: string[];
  /** The processor sessions in which a payer has saved a card. */
  savedCards: string[];
  /** Faults of the processor simulator that last for the whole run. */
  standingFaults: Record<string, unknown>;
  receiver: Receiver;
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

const companyPath = (companyId: string): string => `/v1/companies/${companyId}`;

/** Creates the payers on account. They are active immediately, because an invited member cannot book. */
async function newAccounts(
  api: ApiClient,
  currency: string,
): Promise<{ members: string[]; payers: string[] }> {
  const members: string[] = [];
  const payers: string[] = [];
  const active = { send_invite: false };
  const credit_limit_minor = CREDIT_LIMIT_MINOR * smallestUnit(currency);
  for (const payment_terms of PAYMENT_TERMS) {
    const company = await newCompany(api, { payment_terms, credit_limit_minor });
    payers.push(companyPath(company));
    for (let n = 0; n < 2; n++) members.push(await newMember(api, { ...active, company_id: company }));
  }
  const member = await newMember(api, active);
  const terms = { payment_terms: 0, credit_limit_minor };
  await created(api.patch(`/v1/members/${member}`, terms));
  return { members: [...members, member], payers: [...payers, `/v1/members/${member}`] };
}

async function createWorkspace(
  standingFaults: Record<string, unknown>,
  currency: string,
  random: Random,
): Promise<ChaosWorkspace> {
  const workspace = await newAccountingWorkspace({ currency });
  const { api, id } = workspace;
  const settings = { checkout_hold_seconds: HOLD_SECONDS, tier_prices: TIER_PRICES };
  await created(api.patch('/v1/workspace', settings));
  const receiver = await openReceiver();
  await created(api.put('/v1/webhook-endpoint', { url: receiver.url, event_types: [...DELIVERED] }));
  const offer = await newOffer(api, currency, random);
  const page = { slug: `chaos-${randomUUID()}`, guest_hold_seconds: HOLD_SECONDS };
  await created(api.put('/v1/booking-page', page));
  const siteKey = { name: 'Site', kind: 'publishable', origins: ['https://chaos.example'] };
  const { token: site } = await created(api.post('/v1/api-keys', siteKey));
  const accounts = await newAccounts(api, currency);
  const holders: string[] = [];
  for (let n = 0; n < HOLDERS; n++) holders.push(await newMember(api, { send_invite: false }));
  await db.query(`UPDATE members SET hour_credit_balance = $2 WHERE id = ANY ($1)`, [holders, HOUR_CREDITS]);
  // The owner and those who book pay for no plan, so that it uses none of their credit.
  for (const table of ['members', 'companies'])
    await db.query(`UPDATE ${table} SET billing_anchor = NULL WHERE workspace_id = $1`, [id]);
  const members: string[] = [];
  for (let n = 0; n < MEMBERS; n++) members.push(await newMember(api));
  for (let n = 0; n < SUBSCRIBERS; n++) await newMember(api, { send_invite: false });
  const companies: string[] = [];
  for (let n = 0; n < COMPANIES; n++) companies.push(await newCompany(api));
  const payers = [...companies.map(companyPath), ...accounts.payers];
  return {
    workspace,
    ...offer,
    site: site!,
    members,
    holders,
    companies,
    onAccount: accounts.members,
    payers,
    savedCards: [],
    standingFaults,
    receiver,
  };
}

/** Creates everything that a run works on, before anything fails except what lasts for the whole run. */
export const newScene = (standingFaults: Record<string, unknown>, seed: number): Promise<ChaosWorkspace[]> =>
  Promise.all(
    CURRENCIES.map((currencies, n) => {
      const random = Random.stream(seed, `house ${n}`);
      return createWorkspace(standingFaults, random.pick(currencies), random);
    }),
  );

/** Disconnects all workspaces from the accounting system. */
export async function disconnectBooks(workspaces: ChaosWorkspace[]): Promise<void> {
  await removeBooks(
    db,
    workspaces.map(({ workspace }) => workspace.id),
  );
}

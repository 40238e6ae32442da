import { In, type DataSource } from 'typeorm';
import { sessionExpiry } from '../../domain/payments/checkout-session.js';
import { refuse } from '../../domain/errors.js';
import { whyNotTakePaymentsNow } from '../../domain/processor/refusals.js';
import type { Principal } from '../../domain/policies.js';
import { CARD_SETUP_TRANSITIONS } from '../../domain/states.js';
import { newId } from '../../db/ids.js';
import { maybeOne } from '../../db/query.js';
import { insertReturning } from '../../db/insert.js';
import { Card, CardSetup, RemovedCard } from '../../db/entities/collections.js';
import { Company, Member } from '../../db/entities/members.js';
import { transaction, type Tx } from '../../db/transaction.js';
import { findPaymentAccount } from '../../db/queries/workspaces/recovery.js';
import { boundBefore, findBound, type IdempotencyKey } from '../api-keys/idempotency.js';
import { lockCompany } from '../companies/companies.js';
import { recordMemberChange } from '../members/member-changes.js';
import { lockMember } from '../members/members.js';
import { audit } from '../audit-log/audit.js';
import { findCardSetup, findOpenCardSetup, type PayerId } from '../../db/queries/payments/card.js';
import { notifyCollections } from '../invoices/notify-collections.js';
import { takeOffFile } from './removed-cards.js';

/** Stores a request to put a card on file, before it is sent to the processor. Returns its id. */
export async function insertCardSetup(
  tx: Tx,
  setup: PayerId & Pick<CardSetup, 'workspace_id' | 'account_id' | 'session_expires_at'>,
): Promise<string> {
  const { id } = await insertReturning(tx, CardSetup, { ...setup, id: newId('cset') });
  return id;
}

/** Records the page of a request. */
export async function setCardSetupOpen(
  tx: Tx,
  id: string,
  session: { id: string; url: string },
): Promise<void> {
  const { from, to } = CARD_SETUP_TRANSITIONS.open;
  const opened = { state: to, session_id: session.id, url: session.url };
  await tx.update(CardSetup, { id, state: In(from) }, opened);
}

/**
 * Records that no card was saved. A card that was saved stays. With `only`, a request that is not in that
 * state also stays.
 */
export async function endCardSetup(tx: Tx, id: string, only?: 'opening'): Promise<void> {
  const { from, to } = CARD_SETUP_TRANSITIONS.close;
  await tx.update(CardSetup, { id, state: only ?? In(from) }, { state: to });
}

/**
 * Returns the id of the payer's request whose page is open or about to be, or of a new one, before it is sent
 * to the processor. For a repeat with the same key, it is the id of the first request. Errors: 404
 * `company_not_found`; 409 `idempotency_conflict`; 412 `processor_unconfigured`.
 */
export const requestCardSetup = (
  db: DataSource,
  workspace_id: string,
  payer: PayerId,
  idempotency: IdempotencyKey | null,
): Promise<string> =>
  transaction(db, async (tx) => {
    if (payer.company_id) await lockCompany(tx, workspace_id, payer.company_id);
    else await lockMember(tx, workspace_id, payer.member_id!);
    const before = await findBound(tx, workspace_id, idempotency, wasNotOpened);
    if (before) return before;
    const id = await openableCardSetup(tx, workspace_id, payer);
    await boundBefore(tx, workspace_id, idempotency, id, wasNotOpened);
    return id;
  });

/** Returns whether a request never had a page and will not get one. */
async function wasNotOpened(tx: Tx, id: string): Promise<boolean> {
  const setup = await findCardSetup(tx, id);
  return !setup || (setup.state === 'closed' && !setup.url);
}

/** Returns the request of a payer whose page is open or about to be, or a new one. */
async function openableCardSetup(tx: Tx, workspace_id: string, payer: PayerId): Promise<string> {
  const account = await findPaymentAccount(tx, workspace_id);
  refuse(whyNotTakePaymentsNow(account));
  const account_id = account.processor_account_id!;
  const known = await findOpenCardSetup(tx, payer, account_id);
  if (known) return known.id;
  const session_expires_at = sessionExpiry(Date.now());
  return insertCardSetup(tx, { ...payer, workspace_id, account_id, session_expires_at });
}

/**
 * Removes a payer's card, so that nothing more is charged to it, and switches autopay off. A charge in
 * progress continues. Does nothing without a card. Errors: 404 `company_not_found`.
 */
export const removeCard = (db: DataSource, by: Principal, payer: PayerId): Promise<void> =>
  transaction(db, async (tx) => {
    const { workspace_id } = by;
    const { company_id, member_id } = payer;
    const member = member_id && (await lockMember(tx, workspace_id, member_id));
    if (company_id) await lockCompany(tx, workspace_id, company_id);
    if (!(await takeOffFile(tx, payer))) return;
    if (company_id) await tx.update(Company, { id: company_id }, { autopay: false });
    else await tx.update(Member, { id: member_id! }, { autopay: false });
    await audit(tx, by, { action: 'card.removed', object: (company_id ?? member_id)!, details: {} });
    if (member) await recordMemberChange(tx, by, member);
    await notifyCollections(tx, payer);
  });

/**
 * Puts the card of a request on file, in place of an earlier one, and has the payer's unpaid invoices
 * collected again. Does nothing for a request that has ended. The card of a member who was erased in the
 * meantime is detached.
 */
export async function saveCard(
  tx: Tx,
  setupId: string,
  card: Pick<Card, 'customer_id' | 'payment_method_id' | 'brand' | 'last4' | 'exp_month' | 'exp_year'>,
): Promise<void> {
  const setup = await maybeOne<CardSetup>(
    tx,
    `UPDATE card_setups SET state = 'saved' WHERE id = $1 AND state IN ('opening', 'open') RETURNING *`,
    [setupId],
  );
  if (!setup) return;
  const { workspace_id, company_id, member_id, account_id } = setup;
  const member = member_id && (await lockMember(tx, workspace_id, member_id));
  if (member_id && !member) {
    const { payment_method_id } = card;
    await tx.insert(RemovedCard, { setup_id: setupId, workspace_id, account_id, payment_method_id });
    return;
  }
  if (company_id) await lockCompany(tx, workspace_id, company_id);
  await takeOffFile(tx, { company_id, member_id } as PayerId);
  await tx.insert(Card, {
    ...card,
    setup_id: setupId,
    workspace_id,
    company_id,
    member_id,
    account_id,
  });
  const by = { workspace_id, system: 'processor' } as const;
  const details = { setup_id: setupId };
  await audit(tx, by, { action: 'card.saved', object: (company_id ?? member_id)!, details });
  if (member) await recordMemberChange(tx, by, member);
  await notifyCollections(tx, { company_id, member_id } as PayerId);
}

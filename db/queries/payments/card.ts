import { many, maybeOne } from '../../query.js';
import { CardSetup } from '../../entities/collections.js';
import type { Tx } from '../../transaction.js';

/** The payer: a company or a member. */
export type PayerId = { company_id: string; member_id: null } | { company_id: null; member_id: string };

/** Returns a payer as a company or a member, from the id alone. */
export const parsePayerId = (payer: string): PayerId =>
  payer.startsWith('mem_') ? { company_id: null, member_id: payer } : { company_id: payer, member_id: null };

/** Returns the payer of what a member books: their company, if they have one. */
export const memberPayer = (company_id: string | null, member_id: string): PayerId =>
  company_id ? { company_id, member_id: null } : { company_id: null, member_id };

/** Returns a request to put a card on file, by its id. */
export function findCardSetup(tx: Tx, id: string): Promise<CardSetup | null> {
  return tx.findOneBy(CardSetup, { id });
}

/** Returns the request with the page to which a payer can be sent now, or null. */
export function findCardSetupToShow(tx: Tx, payer: PayerId): Promise<CardSetup | null> {
  return maybeOne<CardSetup>(
    tx,
    `SELECT s.* FROM card_setups s
     JOIN workspaces w ON w.id = s.workspace_id AND w.processor_account_id = s.account_id
     WHERE s.company_id IS NOT DISTINCT FROM $1 AND s.member_id IS NOT DISTINCT FROM $2
       AND s.state = 'open' AND s.session_expires_at > now()
     ORDER BY s.created_at DESC LIMIT 1`,
    [payer.company_id, payer.member_id],
  );
}

/** Returns the request of a payer that is open for at least another hour, or null. */
export function findOpenCardSetup(tx: Tx, payer: PayerId, accountId: string): Promise<CardSetup | null> {
  return maybeOne<CardSetup>(
    tx,
    `SELECT * FROM card_setups
     WHERE company_id IS NOT DISTINCT FROM $1 AND member_id IS NOT DISTINCT FROM $2 AND account_id = $3
       AND state IN ('opening', 'open') AND session_expires_at > now() + interval '1 hour'
     ORDER BY created_at DESC LIMIT 1`,
    [payer.company_id, payer.member_id, accountId],
  );
}

/** Returns a page of the requests of at least this age that have not ended, by id, after the given one. */
export function listUnfinishedCardSetups(
  tx: Tx,
  query: { workspaceId?: string; after: string; olderThanSeconds: number; limit: number },
): Promise<Pick<CardSetup, 'id' | 'workspace_id'>[]> {
  return many<Pick<CardSetup, 'id' | 'workspace_id'>>(
    tx,
    `SELECT id, workspace_id FROM card_setups
     WHERE state IN ('opening', 'open') AND created_at <= now() - make_interval(secs => $1)
       AND ($2::text IS NULL OR workspace_id = $2) AND id > $3
     ORDER BY id LIMIT $4`,
    [query.olderThanSeconds, query.workspaceId ?? null, query.after, query.limit],
  );
}

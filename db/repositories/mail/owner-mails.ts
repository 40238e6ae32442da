import type { DisabledReason } from '../../../domain/webhook-schedule.js';
import { newId } from '../../ids.js';
import { execute, many, maybeOne } from '../../query.js';
import { NOW, update } from '../../tables.js';
import type { Tx } from '../../transaction.js';

/** What a workspace's owner is told of, and what each mail is written from; nobody's data but the owner's. */
export interface OwnerMails {
  webhook_endpoint_disabled: { url: string; reason: DisabledReason };
  /** The processor will not give the money back. */
  refund_failed: { payment_id: string; booking_id: string | null; amount_minor: number; currency: string };
  /** What could not be written to the books; `reason` is the accounting system's. */
  accounting_failed: { invoice_id: string; accounting_reference: string; write: string; reason: string };
  /** The nightly comparison of processor, ledger and books; `first` is the first difference. */
  reconciliation_differs: { from: string; to: string; differences: number; first: string };
}
export type OwnerMailKind = keyof OwnerMails;

/** A mail that is owed to a workspace's owner. */
export interface PendingOwnerMail<Kind extends OwnerMailKind = OwnerMailKind> {
  id: string;
  kind: Kind;
  details: OwnerMails[Kind];
  to: string;
  name: string;
  workspace_name: string;
}

/**
 * Owes the workspace's owner a mail, in the transaction of what it tells; a run sends it soon after the commit
 * (decisions.md, "Mail and erasure"). `about` is the id of what it tells of: owing the same kind about it twice is
 * owing it once.
 */
export async function enqueueOwnerMail<Kind extends OwnerMailKind>(
  tx: Tx,
  mail: { workspace_id: string; kind: Kind; about: string; details: OwnerMails[Kind] },
): Promise<void> {
  await execute(
    tx,
    `INSERT INTO owner_mails (id, workspace_id, kind, about, details) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (workspace_id, kind, about) DO NOTHING`,
    [newId('mail'), mail.workspace_id, mail.kind, mail.about, mail.details],
  );
}

/** Mails that no run has yet, oldest first. */
export async function findOwnerMailsToHandOver(tx: Tx): Promise<{ id: string; workspace_id: string }[]> {
  return many<{ id: string; workspace_id: string }>(
    tx,
    `SELECT id, workspace_id FROM owner_mails WHERE notified_at IS NULL ORDER BY created_at LIMIT 100`,
  );
}

/** Notes that a run has a mail. */
export async function markOwnerMailHandedOver(tx: Tx, mailId: string): Promise<void> {
  await update(tx, 'owner_mails', { id: mailId }, { notified_at: NOW });
}

/** A mail that is still owed, and the owner of now; null once it has been sent. */
export function findPendingOwnerMail(tx: Tx, mailId: string): Promise<PendingOwnerMail | null> {
  return maybeOne<PendingOwnerMail>(
    tx,
    `SELECT mail.id, mail.kind, mail.details, p.email AS to, p.name, w.name AS workspace_name
     FROM owner_mails mail
     JOIN workspaces w ON w.id = mail.workspace_id
     JOIN members m ON m.workspace_id = w.id AND m.role = 'owner'
     JOIN profiles p ON p.id = m.profile_id
     WHERE mail.id = $1 AND mail.sent_at IS NULL`,
    [mailId],
  );
}

/** Notes that a mail has been accepted by the mail server. */
export async function markOwnerMailSent(tx: Tx, mailId: string): Promise<void> {
  await execute(tx, `UPDATE owner_mails SET sent_at = now() WHERE id = $1 AND sent_at IS NULL`, [mailId]);
}

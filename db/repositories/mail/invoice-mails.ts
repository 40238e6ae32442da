import { outstandingOf } from '../../../domain/presenters/invoice.js';
import { execute, many, maybeOne } from '../../query.js';
import { NOW, update } from '../../tables.js';
import type { Tx } from '../../transaction.js';
import { findInvoiceById, type InvoiceRow } from '../billing/invoice-queries.js';
import { findPayer, type Payer } from '../billing/payer-queries.js';

/** What the payer of an invoice that is no booking's is told of. */
export type InvoiceMailKind = 'invoice' | 'payment_refunded';

/** Everything a mail about an invoice is written from. */
export interface PendingInvoiceMail {
  id: string;
  kind: InvoiceMailKind;
  workspace_name: string;
  invoice: InvoiceRow;
  outstanding_minor: number;
  payer: Payer;
  /** The invoice as PDF. */
  attachment: Buffer | null;
  /** What the refund that the mail tells of gave back. */
  refund_minor: number | null;
}

/**
 * Owes the payer of an invoice a mail, in the transaction of what it tells; a run sends it soon after the commit.
 * `about` tells mails of one kind apart: a refund's id, or the mail's own.
 */
export async function enqueueInvoiceMail(
  tx: Tx,
  mail: {
    id: string;
    workspace_id: string;
    invoice_id: string;
    kind: InvoiceMailKind;
    about: string;
    attachment?: Buffer;
  },
): Promise<void> {
  await execute(
    tx,
    `INSERT INTO mails (id, workspace_id, invoice_id, kind, about, attachment) VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (invoice_id, kind, about) WHERE invoice_id IS NOT NULL DO NOTHING`,
    [mail.id, mail.workspace_id, mail.invoice_id, mail.kind, mail.about, mail.attachment ?? null],
  );
}

/** Mails that no run has yet, oldest first. */
export function findInvoiceMailsToHandOver(tx: Tx): Promise<{ id: string; workspace_id: string }[]> {
  return many<{ id: string; workspace_id: string }>(
    tx,
    `SELECT id, workspace_id FROM mails WHERE invoice_id IS NOT NULL AND notified_at IS NULL
     ORDER BY created_at LIMIT 100`,
  );
}

/** Notes that a run has a mail. */
export async function markInvoiceMailHandedOver(tx: Tx, mailId: string): Promise<void> {
  await update(tx, 'mails', { id: mailId }, { notified_at: NOW });
}

/** A mail that is still owed; null once it has been sent. */
export async function findPendingInvoiceMail(tx: Tx, mailId: string): Promise<PendingInvoiceMail | null> {
  const mail = await maybeOne<
    Pick<PendingInvoiceMail, 'id' | 'kind' | 'attachment' | 'workspace_name' | 'refund_minor'> & {
      invoice_id: string;
    }
  >(
    tx,
    `SELECT mail.id, mail.kind, mail.invoice_id, mail.attachment, w.name AS workspace_name,
            refund.amount_minor AS refund_minor
     FROM mails mail JOIN workspaces w ON w.id = mail.workspace_id
     LEFT JOIN payments refund ON refund.id = mail.about
     WHERE mail.id = $1 AND mail.sent_at IS NULL`,
    [mailId],
  );
  if (!mail) return null;
  const { invoice_id, ...rest } = mail;
  const invoice = (await findInvoiceById(tx, invoice_id))!;
  return {
    ...rest,
    invoice,
    outstanding_minor: outstandingOf(invoice),
    payer: await findPayer(tx, invoice_id),
  };
}

/** Notes that a mail has been accepted by the mail server; its attachment is not kept. */
export async function markInvoiceMailSent(tx: Tx, mailId: string): Promise<void> {
  await execute(tx, `UPDATE mails SET sent_at = now(), attachment = NULL WHERE id = $1 AND sent_at IS NULL`, [
    mailId,
  ]);
}

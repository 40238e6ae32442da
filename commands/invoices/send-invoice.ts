import type { DataSource } from 'typeorm';
import { newId } from '../../db/ids.js';
import { findLiveBooking, type InvoiceRow } from '../../db/queries/invoices/invoice.js';
import { findPayer } from '../../db/queries/invoices/payer.js';
import { findWorkspace } from '../../db/queries/workspaces/workspace.js';
import { execute } from '../../db/query.js';
import { transaction, type Tx } from '../../db/transaction.js';
import type { MailQuotas } from '../../domain/api-keys/limits.js';
import { refuse, type Refusal } from '../../domain/errors.js';
import { outstandingMinor } from '../../domain/invoices/invoice-presenter.js';
import { whyNotRemind, whyNotSend } from '../../domain/invoices/invoice.js';
import type { Principal } from '../../domain/policies.js';
import { bindKey, type IdempotencyKey } from '../api-keys/idempotency.js';
import { assertNotJustOpened, countRequestedMail } from '../mail/mail-limits.js';
import { enqueueMail } from '../mail/mails.js';
import { visibleInvoice } from './invoices.js';

/** An email to the payer of an invoice that staff request, and the rule that can refuse it. */
interface RequestedMail {
  kind: 'invoice' | 'invoice_reminder';
  whyNot(tx: Tx, invoice: InvoiceRow, email: string | null): Promise<Refusal | null>;
  /** What goes with it in the same transaction. */
  record(tx: Tx, invoiceId: string, quotas: MailQuotas): Promise<unknown>;
}

const requestMail =
  ({ kind, whyNot, record }: RequestedMail) =>
  (
    db: DataSource,
    quotas: MailQuotas,
    caller: Principal,
    invoice_id: string,
    idempotency: IdempotencyKey | null,
  ): Promise<string> =>
    transaction(db, async (tx) => {
      const { workspace_id } = caller;
      const invoice = await visibleInvoice(tx, caller, invoice_id);
      const { email } = await findPayer(tx, invoice_id);
      refuse(await whyNot(tx, invoice, email));
      const id = newId('mail');
      if ((await bindKey(tx, workspace_id, idempotency, id)) !== id) return email!;
      await record(tx, invoice_id, quotas);
      await enqueueMail(tx, { workspace_id, kind, invoice_id, about: id });
      await countRequestedMail(tx, caller, quotas, { workspace_id, kind, email: email!, about: invoice_id });
      return email!;
    });

/**
 * Emails an invoice to its payer as a PDF, once per key (docs/rules/mail.md#invoice-mail). Returns the
 * address. Errors: 404 `invoice_not_found`; 409 `invoice_not_open` for an invoice that was not issued or is
 * void, `invoice_managed_by_booking` while its booking is pending; 422 if the payer has no email address; 429
 * if it was sent there a short time ago, or mailed when it was opened.
 */
export const sendInvoice = requestMail({
  kind: 'invoice',
  whyNot: async (tx, invoice, email) => whyNotSend(invoice, await findLiveBooking(tx, invoice), email),
  record: (tx, invoiceId, quotas) => assertNotJustOpened(tx, quotas, invoiceId),
});

/**
 * Emails a reminder of an overdue invoice to its payer, once per key (docs/rules/mail.md#invoice-mail). The
 * next automatic reminder is at least a day later. Returns the address. Errors: 404 `invoice_not_found`; 409
 * `invoice_not_open` for an invoice that cannot be paid, `invoice_managed_by_booking` while its booking is
 * pending, `invoice_not_overdue`; 422 if the payer has no email address; 429 after a reminder a short time
 * ago.
 */
export const remindPayer = requestMail({
  kind: 'invoice_reminder',
  async whyNot(tx, invoice, email) {
    const { time_zone } = (await findWorkspace(tx, invoice.workspace_id))!;
    const booking = await findLiveBooking(tx, invoice);
    const facts = { booking, email, outstanding_minor: outstandingMinor(invoice), time_zone };
    return whyNotRemind(invoice, facts, new Date());
  },
  record: (tx, invoiceId) =>
    execute(
      tx,
      `UPDATE collections SET mailed_at = now(), notify_at = now()
       WHERE invoice_id = $1 AND status <> 'ended'`,
      [invoiceId],
    ),
});

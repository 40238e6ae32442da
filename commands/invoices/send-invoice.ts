import type { DataSource } from 'typeorm';
import { newId } from '../../db/ids.js';
import { findLiveBooking } from '../../db/queries/invoices/invoice.js';
import { findPayer } from '../../db/queries/invoices/payer.js';
import { findWorkspace } from '../../db/queries/workspaces/workspace.js';
import { execute } from '../../db/query.js';
import { transaction } from '../../db/transaction.js';
import type { MailQuotas } from '../../domain/api-keys/limits.js';
import { refuse } from '../../domain/errors.js';
import { outstandingMinor } from '../../domain/invoices/invoice-presenter.js';
import { whyNotRemind, whyNotSend } from '../../domain/invoices/invoice.js';
import type { Principal } from '../../domain/policies.js';
import { bindKey, type IdempotencyKey } from '../api-keys/idempotency.js';
import { assertNotJustOpened, countRequestedMail } from '../mail/mail-limits.js';
import { enqueueMail } from '../mail/mails.js';
import { visibleInvoice } from './invoices.js';

/**
 * Emails an invoice to its payer as a PDF, once per key (docs/rules/mail.md#invoice-mail). Returns the
 * address. Errors: 404 `invoice_not_found`; 409 `invoice_not_open` for an invoice that was not issued or is
 * void, `invoice_managed_by_booking` while its booking is pending; 422 if the payer has no email address; 429
 * if it was sent there a short time ago, or mailed when it was opened.
 */
export const sendInvoice = (
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
    refuse(whyNotSend(invoice, await findLiveBooking(tx, invoice), email));
    const id = newId('mail');
    if ((await bindKey(tx, workspace_id, idempotency, id)) !== id) return email!;
    await assertNotJustOpened(tx, quotas, invoice_id);
    await enqueueMail(tx, { workspace_id, kind: 'invoice', invoice_id, about: id });
    const mail = { workspace_id, kind: 'invoice', email: email!, about: invoice_id } as const;
    await countRequestedMail(tx, caller, quotas, mail);
    return email!;
  });

/**
 * Emails a reminder of an overdue invoice to its payer, once per key (docs/rules/mail.md#invoice-mail). The
 * next automatic reminder is at least a day later. Returns the address. Errors: 404 `invoice_not_found`; 409
 * `invoice_not_open` for an invoice that cannot be paid, `invoice_managed_by_booking` while its booking is
 * pending, `invoice_not_overdue`; 422 if the payer has no email address; 429 after a reminder a short time
 * ago.
 */
export const remindPayer = (
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
    const { time_zone } = (await findWorkspace(tx, workspace_id))!;
    const booking = await findLiveBooking(tx, invoice);
    const outstanding_minor = outstandingMinor(invoice);
    refuse(whyNotRemind(invoice, { booking, email, outstanding_minor, time_zone }, new Date()));
    const id = newId('mail');
    if ((await bindKey(tx, workspace_id, idempotency, id)) !== id) return email!;
    await enqueueMail(tx, { workspace_id, kind: 'invoice_reminder', invoice_id, about: id });
    await execute(
      tx,
      `UPDATE collections SET mailed_at = now(), notify_at = now()
       WHERE invoice_id = $1 AND status <> 'ended'`,
      [invoice_id],
    );
    const mail = { workspace_id, kind: 'invoice_reminder', email: email!, about: invoice_id } as const;
    await countRequestedMail(tx, caller, quotas, mail);
    return email!;
  });

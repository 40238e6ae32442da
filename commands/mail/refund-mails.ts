import type { Payment } from '../../db/entities/payments.js';
import {
  findChangeOfRefund,
  findRefundMailKind,
  listRefundParts,
  type RefundMailKind,
  type MailedRefund,
} from '../../db/queries/payments/refund-part.js';
import { findRefundsById } from '../../db/queries/payments/refund.js';
import type { Tx } from '../../db/transaction.js';
import { finishMail, lockMail } from './mail-queue.js';
import { enqueueMail, expediteMail, PARTS_WITHIN_MS } from './mails.js';

/**
 * Enqueues mail about a refund that has ended: to the owner if it failed, and to the payer unless another
 * mail reports it. All refunds of one cancellation, change or adjustment are reported to the payer in one
 * mail, whose `about` is the first of them. A refund that ends after that mail was sent gets its own, as does
 * one that a bank returns (docs/rules/mail.md#refund-mail).
 */
export async function enqueueRefundMail(tx: Tx, refund: Payment): Promise<void> {
  const { id, workspace_id, account_id, notify_payer, status } = refund;
  if (status === 'failed') await enqueueMail(tx, { workspace_id, kind: 'refund_failed', about: id });
  const parts = await listRefundParts(tx, id);
  const isComplete = parts.every((part) => part.status !== 'pending');
  const notice = await findRefundNotice(tx, refund);
  if (notice && isComplete) await expediteMail(tx, notice);
  const kind = await findRefundMailKind(tx, id);
  const ofNotice = notice && kind === 'payment_refunded' ? await lockMail(tx, notice) : null;
  if (ofNotice === 'pending') return;
  const about = { about: parts[0]!.id, delay_ms: isComplete ? 0 : PARTS_WITHIN_MS };
  const mail = notify_payer && account_id ? mailAbout(refund, kind, about) : null;
  const isAnnounced = ofNotice === 'sent' || (mail && (await lockMail(tx, mail)) === 'sent');
  if (isAnnounced) return enqueueEnd(tx, refund, kind);
  if (!mail) return;
  if (status === 'succeeded') await enqueueMail(tx, mail);
  if (isComplete) await expediteMail(tx, mail);
}

/**
 * Finishes a mail that reported refunds as on their way or made. Refunds that ended or were returned while it
 * was being sent get their own mail: when that was recorded, this mail was not sent yet.
 */
export async function finishRefundMail(tx: Tx, mailId: string, told: MailedRefund[]): Promise<void> {
  if (!(await finishMail(tx, mailId, 'sent'))) return;
  const toldStatus = new Map(told.map(({ id, status }) => [id, status]));
  for (const refund of await findRefundsById(tx, [...toldStatus.keys()]))
    if (refund.status !== toldStatus.get(refund.id))
      await enqueueEnd(tx, refund, await findRefundMailKind(tx, refund.id));
}

/**
 * Enqueues the mail about the outcome of a refund that an earlier mail announced, or about the return of one
 * that it reported as made. `kind`: the kind of the mail about the refund itself. A refund that is returned
 * by hand gets none, because the earlier mail said so.
 */
async function enqueueEnd(tx: Tx, refund: Payment, kind: RefundMailKind | null): Promise<void> {
  if (!refund.account_id || !kind) return;
  const ended = mailAboutEnd(refund, kind, 'ended');
  if (!refund.succeeded_at) return enqueueMail(tx, ended);
  // It failed after it had succeeded. If the mail that would report its success is still waiting, it will
  // report the failure instead.
  if ((await lockMail(tx, ended)) !== 'pending')
    await enqueueMail(tx, mailAboutEnd(refund, kind, 'returned'));
}

/** Returns the mail to the payer about the end of one refund. */
function mailAboutEnd(
  { id: about, workspace_id, booking_id, invoice_id }: Payment,
  kind: RefundMailKind,
  end: 'ended' | 'returned',
) {
  if (kind === 'invoice_refunded')
    return { workspace_id, kind: `invoice_refund_${end}`, invoice_id: invoice_id!, about } as const;
  return { workspace_id, kind: `payment_refund_${end}`, booking_id: booking_id!, about } as const;
}

/**
 * Returns the mail about the cancellation or change that made a refund, which waits for its refunds; null for
 * other refunds.
 */
async function findRefundNotice(tx: Tx, { id, workspace_id, booking_id, purpose }: Payment) {
  if (!booking_id) return null;
  const of = { workspace_id, booking_id };
  if (purpose === 'cancellation') return { ...of, kind: 'booking_cancelled', about: booking_id } as const;
  const about = purpose === 'change' ? await findChangeOfRefund(tx, { id, booking_id }) : null;
  return about ? ({ ...of, kind: 'booking_changed', about } as const) : null;
}

/** Returns the mail to the payer about a refund; null if nobody is known to have paid. */
function mailAbout(
  { workspace_id, booking_id, invoice_id }: Payment,
  kind: RefundMailKind | null,
  when: { about: string; delay_ms: number },
) {
  if (kind === 'invoice_refunded') return { workspace_id, kind, invoice_id: invoice_id!, ...when };
  return kind && { workspace_id, kind, booking_id: booking_id!, ...when };
}

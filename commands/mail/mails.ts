import type {
  AccountMailKind,
  BookingMailKind,
  InvoiceMailKind,
  MessageMailKind,
  OwnerMailKind,
  ProofMailKind,
  StaffMailKind,
  StatementMailKind,
} from '../../domain/mail/kinds.js';
import { newId } from '../../db/ids.js';
import { insertMissing } from '../../db/insert.js';
import { execute } from '../../db/query.js';
import { Mail } from '../../db/entities/mail.js';
import type { Tx } from '../../db/transaction.js';

/**
 * A mail to enqueue. It contains only ids: recipient and content are read when it is sent
 * (docs/rules/mail.md#personal-data). `about` is the id of the object that the mail is about.
 */
export type NewMail =
  /**
   * `about`: the change or refund; the booking and its start; a blackout and the booking; or by default the
   * booking itself. It is sent after `delay_ms`.
   */
  | { workspace_id: string; kind: BookingMailKind; booking_id: string; about?: string; delay_ms?: number }
  /** `about`: the message. `booking_id`: the first of the bookings that it is about. */
  | { workspace_id: string; kind: MessageMailKind; booking_id: string; about: string }
  /**
   * `about`: the booking. It is not a `booking_id`, because nothing is left of the booking if nobody opens
   * the link.
   */
  | { workspace_id: string; kind: ProofMailKind; about: string }
  /** `about`: the request to send it, the invoice, or the payment or refund. */
  | {
      workspace_id: string;
      kind: InvoiceMailKind;
      invoice_id: string;
      about: string;
      delay_ms?: number;
    }
  /**
   * `about`: the payer and the first day of the statement's month, as `<payer>:<YYYY-MM-DD>`; or the
   * requested statement.
   */
  | { workspace_id: string; kind: StatementMailKind; about: string }
  /** `about`: the document's source and the refused write, as `<source id>:<write>`. */
  | { workspace_id: string; kind: 'accounting_failed'; invoice_id: string; about: string }
  /**
   * `about`, depending on the kind:
   *
   * - the dispute and its status, as `<dispute id>:<status>`
   * - the refund
   * - the invoice and its number in the accounting system, as `<invoice id>:<number>`
   * - the reconciliation
   * - the endpoint and its revision
   * - the created workspace
   * - the workspace, the time since when facts were missing, and a separate id
   * - the workspace with the maintenance window, the time of its connection, the day on which its mail waits,
   *   or the time from which its mail is held
   * - the event that reports the new admin
   * - the API key
   * - a separate id for each change of the webhook URL, of the seller's texts or of single sign-on
   * - the workspace, the certificate's digest, the number of days before, and when it expires, as
   *   `<workspace>/<digest>/<days>/<time>`
   * - the discount code or the company and a separate id, as `<id>:<separate id>`
   */
  | { workspace_id: string; kind: Exclude<OwnerMailKind, 'accounting_failed'>; about: string }
  /**
   * To staff. `about`: the event; or the workspace and the positions of the events that it reports (after one
   * position, up to another).
   */
  | { workspace_id: string; kind: StaffMailKind; about: string }
  /** To the previous address. `about`: the event that reports the change. */
  | { workspace_id: string; kind: 'member_email_changed'; about: string }
  /** To the current address. `about`: the request for a new one. */
  | { workspace_id: string; kind: 'member_email_requested'; about: string }
  /** `about`: the invite, or the request for a new address. */
  | { workspace_id: string; kind: 'member_invite'; about: string }
  /**
   * Belongs to no workspace. `about`: a separate id, so that each mail is sent; for `new_device` followed by
   * `:` and the device.
   */
  | { kind: AccountMailKind; profile_id: string; about: string }
  /** Belongs to no workspace. `about`: the sign-in link. */
  | { kind: 'sign_in_link'; about: string };

/** How long a mail about refunds waits for all of them to end, in milliseconds. */
export const PARTS_WITHIN_MS = 30_000;

/**
 * Returns how long mail about a cancellation or change waits. It reports the outcome of its refunds, which
 * are made next.
 */
export const untilRefunded = (refundIds: string[]): number => (refundIds.length > 0 ? PARTS_WITHIN_MS : 0);

const NO_SUBJECT = {
  workspace_id: null,
  booking_id: null,
  invoice_id: null,
  sign_in_link_id: null,
  profile_id: null,
};

const ENQUEUE = {
  name: 'enqueue_mail',
  text: `INSERT INTO mails (
      id, workspace_id, kind, about, booking_id, invoice_id, sign_in_link_id, profile_id, next_attempt_at,
        notify_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, coalesce($9, now()), coalesce($9, now()))
    ON CONFLICT DO NOTHING`,
};

/**
 * Enqueues a mail in the transaction that it reports. A run sends it soon after the commit
 * (docs/rules/mail.md#delivery). The same kind about the same object is enqueued only once.
 */
export async function enqueueMail(tx: Tx, mail: NewMail): Promise<void> {
  const { about, delay_ms = 0, ...row } = { delay_ms: 0, ...withSubject(mail) };
  const due = delay_ms > 0 ? new Date(Date.now() + delay_ms) : null;
  const sign_in_link_id = mail.kind === 'sign_in_link' ? about : null;
  const { workspace_id, kind, booking_id, invoice_id, profile_id } = { ...NO_SUBJECT, ...row };
  await execute(tx, ENQUEUE, [
    newId('mail'),
    workspace_id,
    kind,
    about,
    booking_id,
    invoice_id,
    sign_in_link_id,
    profile_id,
    due,
  ]);
}

/** Enqueues mails about invoices like `enqueueMail`, in one statement. */
export const enqueueInvoiceMails = (
  tx: Tx,
  mails: Pick<Mail, 'workspace_id' | 'kind' | 'invoice_id' | 'about'>[],
): Promise<void> =>
  insertMissing(
    tx,
    Mail,
    mails.map((mail) => ({ ...mail, id: newId('mail') })),
  );

/** Has a mail that still waits for its time sent now. Does nothing if there is none. */
export async function expediteMail(tx: Tx, mail: NewMail): Promise<void> {
  await execute(
    tx,
    `UPDATE mails SET next_attempt_at = now(), notify_at = now()
     WHERE kind = $1 AND about = $2 AND status = 'pending' AND attempts = 0 AND next_attempt_at > now()`,
    [mail.kind, withSubject(mail).about],
  );
}

/** Skips the mail with the payment link if it is still waiting. */
export const skipHeldMail = (tx: Tx, bookingId: string): Promise<void> =>
  execute(
    tx,
    `UPDATE mails SET status = 'skipped', notify_at = NULL
     WHERE kind = 'booking_held' AND about = $1 AND status = 'pending'`,
    [bookingId],
  );

const END_OF_HOLD = {
  name: 'enqueue_end_of_hold_mail',
  text: `WITH held AS (
      UPDATE mails SET status = 'skipped', notify_at = NULL
      WHERE kind = 'booking_held' AND about = $3 AND status = 'pending'
    )
    INSERT INTO mails (id, workspace_id, kind, about, booking_id) VALUES ($1, $2, $4, $3, $3)
    ON CONFLICT DO NOTHING`,
};

/**
 * Enqueues the mail that ends a booking's hold, and skips the mail with the payment link if it is still
 * waiting: most payers pay before it is due, and a skipped mail costs no run.
 */
export async function enqueueEndOfHoldMail(
  tx: Tx,
  { workspace_id, kind, booking_id }: { workspace_id: string; kind: 'booking_expired'; booking_id: string },
): Promise<void> {
  await execute(tx, END_OF_HOLD, [newId('mail'), workspace_id, booking_id, kind]);
}

const withSubject = (mail: NewMail) =>
  'booking_id' in mail ? { ...mail, about: mail.about ?? mail.booking_id } : mail;

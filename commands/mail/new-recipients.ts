import { createHash } from 'node:crypto';
import type { MailQuotas, Quota } from '../../domain/api-keys/limits.js';
import type { MailWait } from '../../domain/mail/kinds.js';
import { addressKey } from '../../db/address.js';
import { CLOCK } from '../../db/database-time.js';
import { MailRecipient } from '../../db/entities/mail.js';
import type { DueMail } from '../../db/queries/mail/mail-queue.js';
import { execute, exists, maybeOne, one } from '../../db/query.js';
import type { Tx } from '../../db/transaction.js';
import { remainingWait } from './mail-limits.js';
import { enqueueMail } from './mails.js';

/** Returns the stored form of an address, which does not reveal whom a workspace has mailed. */
const recipientDigest = (workspaceId: string, address: string): Buffer =>
  createHash('sha256')
    .update(`${workspaceId}\n${addressKey(address)}`)
    .digest();

/**
 * Lets only one transaction at a time decide about a workspace's new recipients, so that concurrent mails do
 * not exceed the quota.
 */
export const lockRecipients = (tx: Tx, workspaceId: string): Promise<void> =>
  execute(tx, `SELECT pg_advisory_xact_lock(hashtext('mail_recipients'), hashtext($1))`, [workspaceId]);

/** Why a mail waits, and the milliseconds until it may be sent; 0 if that is not known. */
export interface RecipientWait {
  because: MailWait;
  ms: number;
}

/**
 * Why a mail is not sent now: it waits; or `told`: its address already got the one mail about unpaid bookings
 * of public guests.
 */
export type RecipientRefusal = RecipientWait | 'told';

/** The facts that decide whether an address may be mailed. */
interface RecipientFacts {
  is_known: boolean;
  hold: { held_until: string | null } | null;
}

const RECIPIENT_FACTS = {
  name: 'recipient_facts',
  text: `SELECT EXISTS (SELECT FROM mail_recipients WHERE workspace_id = $1 AND digest = $2) AS is_known,
          (SELECT json_build_object('held_until', h.held_until) FROM mail_holds h
           WHERE h.workspace_id = $1 AND holds_mail(h)) AS hold`,
};

/** A mail to be sent. `unproven_booking`: as in `DueMail`. */
type AdmittedMail = Pick<DueMail, 'about' | 'unproven_booking'> & { workspace_id: string };

/**
 * Returns the milliseconds until a public guest's address may be mailed. It waits if public guests have used
 * up their part of the quota, or if as many of their addresses refused mail as would hold the workspace's
 * mail. So public guests cannot use up what invited people and payers need.
 */
async function waitForPublicGuests(tx: Tx, quotas: MailQuotas, workspaceId: string): Promise<number> {
  const { public_guest_recipients: mailed, refused_recipients: refused } = quotas;
  const waitForMailed = await maybeOne<{ wait: number }>(
    tx,
    `SELECT 1000 * extract(epoch FROM first_mailed_at + $2 * interval '1 second' - now())::float8 AS wait
     FROM mail_recipients
     WHERE workspace_id = $3 AND by_public_guest AND first_mailed_at > now() - $2 * interval '1 second'
     ORDER BY first_mailed_at DESC OFFSET $1 - 1 LIMIT 1`,
    [mailed.count, mailed.seconds, workspaceId],
  );
  // Only addresses that refused within the quota's period after their first mail count, which an index
  // supports.
  const waitForRefused = await maybeOne<{ wait: number }>(
    tx,
    `SELECT 1000 * extract(epoch FROM refused_at + $2 * interval '1 second' - now())::float8 AS wait
     FROM mail_recipients
     WHERE workspace_id = $3 AND by_public_guest AND first_mailed_at > now() - 2 * $2 * interval '1 second'
       AND refused_at > now() - $2 * interval '1 second'
     ORDER BY refused_at DESC OFFSET $1 - 1 LIMIT 1`,
    [refused.count, refused.seconds, workspaceId],
  );
  return Math.max(remainingWait(waitForMailed), remainingWait(waitForRefused));
}

/**
 * Decides whether a workspace may mail an address (docs/rules/mail.md#new-recipients). An address that it has
 * mailed before is always allowed. Of new addresses, as many are allowed as the quota permits, and none while
 * its mail is held. Mail about unpaid bookings of public guests only goes to addresses that have not had such
 * a mail. Returns null, or why not.
 */
export async function admitRecipient(
  tx: Tx,
  quotas: MailQuotas,
  mail: AdmittedMail,
  address: string,
): Promise<RecipientRefusal | null> {
  const { workspace_id, unproven_booking } = mail;
  const recipient = { workspace_id, digest: recipientDigest(workspace_id, address) };
  await lockRecipients(tx, workspace_id);
  const wait = await admitNew(tx, quotas, recipient, unproven_booking !== null);
  if (wait) return wait;
  return unproven_booking === null || (await takePublicGuestTurn(tx, recipient, mail.about, unproven_booking))
    ? null
    : 'told';
}

type RecipientKey = Pick<MailRecipient, 'workspace_id' | 'digest'>;

/** Stores an address as mailed. Returns null, or why its first mail has to wait. */
async function admitNew(
  tx: Tx,
  quotas: MailQuotas,
  recipient: RecipientKey,
  by_public_guest: boolean,
): Promise<RecipientWait | null> {
  const { workspace_id, digest } = recipient;
  const { is_known, hold } = await one<RecipientFacts>(tx, RECIPIENT_FACTS, [workspace_id, digest]);
  if (is_known) return null;
  if (hold) {
    const until = hold.held_until ? Date.parse(hold.held_until) - Date.now() : 0;
    return { because: 'mail_held', ms: Math.max(0, until) };
  }
  const { count, seconds } = quotas.new_recipients;
  const mailed = await maybeOne<{ wait: number }>(
    tx,
    `SELECT 1000 * extract(epoch FROM first_mailed_at + $2 * interval '1 second' - now())::float8 AS wait
     FROM mail_recipients WHERE workspace_id = $3 AND first_mailed_at > now() - $2 * interval '1 second'
     ORDER BY first_mailed_at DESC OFFSET $1 - 1 LIMIT 1`,
    [count, seconds, workspace_id],
  );
  const wait = Math.max(
    remainingWait(mailed),
    by_public_guest ? await waitForPublicGuests(tx, quotas, workspace_id) : 0,
  );
  if (wait > 0) return { because: 'recipients_limited', ms: wait };
  await tx.insert(MailRecipient, { ...recipient, first_mailed_at: CLOCK, by_public_guest });
  return null;
}

/**
 * Takes the one mail that an address gets about unpaid bookings of public guests, whoever made them
 * (docs/rules/booking-page.md#mail-to-public-guests). Another one is possible a day later, or once the
 * booking of the last mail was paid or proven. A mail that is sent again, or that staff request (its `about`
 * is not a booking), takes it in any case. Returns false if it was already taken.
 */
const takePublicGuestTurn = (
  tx: Tx,
  { workspace_id, digest }: RecipientKey,
  about: string,
  bookingId: string,
): Promise<boolean> =>
  exists(
    tx,
    `UPDATE mail_recipients r SET held_mailed_at = now(), held_booking_id = $3
     WHERE r.workspace_id = $1 AND r.digest = $2
       AND (r.held_mailed_at IS NULL OR r.held_mailed_at < now() - interval '1 day' OR r.held_booking_id = $3
         OR $4 <> $3
         OR EXISTS (SELECT FROM bookings b WHERE b.id = r.held_booking_id AND NOT is_unproven(b)))`,
    [workspace_id, digest, bookingId, about],
  );

/**
 * A mail whose address the mail server refuses. `by_public_guest`: it is about an unpaid booking of a public
 * guest.
 */
export interface RefusedMail {
  to: string;
  by_public_guest: boolean;
}

/**
 * Stores once that the mail server has permanently refused an address, if its first mail was within the
 * quota's period. Returns whether that counts against the workspace. It does not count for an address that a
 * public guest entered, nor for mail about their unpaid booking to an address that the workspace has mailed
 * before (`by_public_guest`).
 */
export async function markRefused(
  tx: Tx,
  { seconds }: Quota,
  workspaceId: string,
  { to, by_public_guest }: RefusedMail,
): Promise<boolean> {
  const refused = await maybeOne<Pick<MailRecipient, 'by_public_guest'>>(
    tx,
    `UPDATE mail_recipients SET refused_at = clock_timestamp()
     WHERE workspace_id = $1 AND digest = $2 AND refused_at IS NULL
       AND first_mailed_at > now() - make_interval(secs => $3) AND (by_public_guest OR NOT $4)
         RETURNING by_public_guest`,
    [workspaceId, recipientDigest(workspaceId, to), seconds, by_public_guest],
  );
  return refused !== null && !refused.by_public_guest;
}

const HAS_MAILED = {
  name: 'has_mailed',
  text: `SELECT WHERE EXISTS (SELECT FROM mail_recipients WHERE workspace_id = $1 AND digest = $2)`,
};

/** Returns whether a workspace has mailed an address before, in which case the quota does not matter. */
export const hasMailed = (tx: Tx, workspaceId: string, address: string): Promise<boolean> =>
  exists(tx, HAS_MAILED, [workspaceId, recipientDigest(workspaceId, address)]);

/** Deletes the record that a workspace has mailed an address. */
export async function forgetRecipient(tx: Tx, workspaceId: string, address: string): Promise<void> {
  await tx.delete(MailRecipient, {
    workspace_id: workspaceId,
    digest: recipientDigest(workspaceId, address),
  });
}

/**
 * The earliest time after which waiting mail is checked again: much of it would compete for the same place in
 * the quota.
 */
const LOOK_AGAIN_SECONDS = 3_600;

/**
 * Lets a mail wait, without a failed attempt. If the workspace's mail run has not sent it a minute after it
 * is due, it is notified again. The workspace's owner is informed of the quota once a day. For a hold, they
 * were informed when it began.
 */
export async function postponeMail(
  tx: Tx,
  workspaceId: string,
  mailId: string,
  { because, ms }: RecipientWait,
): Promise<void> {
  await execute(
    tx,
    `UPDATE mails SET failure_code = $3, next_attempt_at = now() + make_interval(secs => $2),
            notify_at = now() + make_interval(secs => $2 + 60)
     WHERE id = $1 AND status = 'pending'`,
    [mailId, Math.max(ms / 1000, LOOK_AGAIN_SECONDS), because],
  );
  if (because === 'mail_held') return;
  const day = new Date().toISOString().slice(0, 10);
  await enqueueMail(tx, {
    workspace_id: workspaceId,
    kind: because,
    about: `${workspaceId}/${day}`,
  });
}

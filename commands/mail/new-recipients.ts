import { createHash } from 'node:crypto';
import type { MailQuotas, Quota } from '../../domain/limits.js';
import { HOLD_MAILS, type MailWait } from '../../domain/mails.js';
import { addressKey } from '../../db/address.js';
import { CLOCK } from '../../db/database-time.js';
import { MailRecipient } from '../../db/entities/mail.js';
import { HOLDS_MAIL } from '../../db/queries/mail/mail-hold.js';
import { execute, exists, literals, maybeOne, one } from '../../db/query.js';
import type { Tx } from '../../db/transaction.js';
import { waitForQuota } from './mail-limits.js';
import { enqueueMail } from './mails.js';

/** How an address is stored: nobody reads from it whom a workspace has mailed. */
const digestOf = (workspaceId: string, address: string): Buffer =>
  createHash('sha256')
    .update(`${workspaceId}\n${addressKey(address)}`)
    .digest();

/** One transaction at a time decides about a workspace's new recipients, so that concurrent mails do not exceed the quota. */
export const lockRecipients = (tx: Tx, workspaceId: string): Promise<void> =>
  execute(tx, `SELECT pg_advisory_xact_lock(hashtext('mail_recipients'), hashtext($1))`, [workspaceId]);

/** Why a mail waits, and the milliseconds until it may be sent; 0 if that is not known. */
export interface RecipientWait {
  because: MailWait;
  ms: number;
}

/** What decides whether an address may be mailed. */
interface RecipientFacts {
  is_known: boolean;
  hold: { held_until: string | null } | null;
  /** The mail is about a hold of the booking page: a stranger has entered its address, and not shown that it is theirs. */
  by_stranger: boolean;
}

const IS_KNOWN = `EXISTS (SELECT FROM mail_recipients WHERE workspace_id = $1 AND digest = $2)`;

const RECIPIENT_FACTS = {
  name: 'recipient_facts',
  text: `SELECT ${IS_KNOWN} AS is_known,
          (SELECT json_build_object('held_until', h.held_until) FROM mail_holds h
           WHERE h.workspace_id = $1 AND ${HOLDS_MAIL}) AS hold,
          EXISTS (SELECT FROM mails m JOIN bookings b ON b.id = m.about AND b.workspace_id = m.workspace_id
                  WHERE m.id = $3 AND m.kind IN (${literals(HOLD_MAILS)}) AND b.source = 'page') AS by_stranger`,
};

const findRecipientFacts = (
  tx: Tx,
  { workspace_id, digest }: Pick<MailRecipient, 'workspace_id' | 'digest'>,
  mailId: string,
): Promise<RecipientFacts> => one<RecipientFacts>(tx, RECIPIENT_FACTS, [workspace_id, digest, mailId]);

/**
 * The milliseconds until a stranger's address may be mailed: there are as many as their part of the quota, or as many that
 * refused mail as would hold that of the workspace. So strangers cannot use up what invited people and payers need.
 */
async function waitForStrangers(tx: Tx, quotas: MailQuotas, workspaceId: string): Promise<number> {
  const counted = (time: string): string => `SELECT ${time} FROM mail_recipients
    WHERE workspace_id = $3 AND by_stranger AND first_mailed_at > now() - 2 * $2 * interval '1 second'
      AND ${time} > now() - $2 * interval '1 second'`;
  const { stranger_recipients, refused_recipients } = quotas;
  return Math.max(
    await waitForQuota(tx, stranger_recipients, counted('first_mailed_at'), [workspaceId]),
    await waitForQuota(tx, refused_recipients, counted('refused_at'), [workspaceId]),
  );
}

/**
 * Lets a workspace mail an address (docs/rules/mail.md#new-recipients): always one that it has mailed before, otherwise as
 * many as the quota allows, and none while its mail is held. Returns null, or why to wait.
 */
export async function admitRecipient(
  tx: Tx,
  quotas: MailQuotas,
  { id, workspace_id: workspaceId }: { id: string; workspace_id: string },
  address: string,
): Promise<RecipientWait | null> {
  const recipient = { workspace_id: workspaceId, digest: digestOf(workspaceId, address) };
  await lockRecipients(tx, workspaceId);
  const { is_known, hold, by_stranger } = await findRecipientFacts(tx, recipient, id);
  if (is_known) return null;
  if (hold) {
    const until = hold.held_until ? Date.parse(hold.held_until) - Date.now() : 0;
    return { because: 'mail_held', ms: Math.max(0, until) };
  }
  const counted = `SELECT first_mailed_at FROM mail_recipients
    WHERE workspace_id = $3 AND first_mailed_at > now() - $2 * interval '1 second'`;
  const wait = Math.max(
    await waitForQuota(tx, quotas.new_recipients, counted, [workspaceId]),
    by_stranger ? await waitForStrangers(tx, quotas, workspaceId) : 0,
  );
  if (wait > 0) return { because: 'recipients_limited', ms: wait };
  await tx.insert(MailRecipient, { ...recipient, first_mailed_at: CLOCK, by_stranger });
  return null;
}

/**
 * Stores that the mail server has permanently refused an address, once, if it had its first mail within the quota's period.
 * Returns whether that counts against the workspace: not for an address that a stranger has entered.
 */
export async function markRefused(
  tx: Tx,
  { seconds }: Quota,
  workspaceId: string,
  address: string,
): Promise<boolean> {
  const refused = await maybeOne<Pick<MailRecipient, 'by_stranger'>>(
    tx,
    `UPDATE mail_recipients SET refused_at = clock_timestamp()
     WHERE workspace_id = $1 AND digest = $2 AND refused_at IS NULL
       AND first_mailed_at > now() - make_interval(secs => $3) RETURNING by_stranger`,
    [workspaceId, digestOf(workspaceId, address), seconds],
  );
  return refused !== null && !refused.by_stranger;
}

const HAS_MAILED = { name: 'has_mailed', text: `SELECT WHERE ${IS_KNOWN}` };

/** Whether a workspace has mailed an address before: then the quota need not be asked. */
export const hasMailed = (tx: Tx, workspaceId: string, address: string): Promise<boolean> =>
  exists(tx, HAS_MAILED, [workspaceId, digestOf(workspaceId, address)]);

/** Has the workspace forget that it mailed an address. */
export async function forgetRecipient(tx: Tx, workspaceId: string, address: string): Promise<void> {
  await tx.delete(MailRecipient, { workspace_id: workspaceId, digest: digestOf(workspaceId, address) });
}

/** Waiting mail looks again after this long at the earliest: much of it would look for the same place in the quota. */
const LOOK_AGAIN_SECONDS = 3_600;
/** The run of the workspace's mail is notified again if it has not sent a due mail for this long. */
const NOTIFY_AGAIN_SECONDS = 60;

/**
 * Lets a mail wait, without a failed attempt. The workspace's owner is told of the quota, once a day; of a hold they were
 * told when it began.
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
            notify_at = now() + make_interval(secs => $2 + ${NOTIFY_AGAIN_SECONDS})
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

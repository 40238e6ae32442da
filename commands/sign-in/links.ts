import type { DataSource } from 'typeorm';
import { addressKey } from '../../db/address.js';
import type { Encryption } from '../../db/encryption.js';
import { toBucket, type MailQuotas } from '../../domain/api-keys/limits.js';
import { newId } from '../../db/ids.js';
import { execute, maybeOne } from '../../db/query.js';
import { hashSecret, newSecret } from '../../db/secrets.js';
import { transaction, type Tx } from '../../db/transaction.js';
import { tooManyMails, remainingWait } from '../mail/mail-limits.js';
import { recipientBucket, takeFromBucket } from '../api-keys/buckets.js';
import { enqueueMail } from '../mail/mails.js';
import { verifyProfile } from '../members/profiles.js';

/**
 * Emails a link to an address if it has an account (docs/rules/credentials.md#sign-in). Errors: 429
 * `rate_limited`.
 */
export async function sendSignInLink(
  { db, encryption, mailQuotas }: { db: DataSource; encryption: Encryption; mailQuotas: MailQuotas },
  email: string,
  return_to: string,
): Promise<void> {
  const token = newSecret();
  await transaction(db, (tx) =>
    insertSignInLink(tx, mailQuotas, {
      email,
      token_hash: hashSecret(token),
      return_to,
      encrypt: (id) => encryption.encrypt(token, `sign-in-link:${id}`),
    }),
  );
}

/** How long a link is valid. */
export const LINK_MINUTES = 15;

/**
 * Stores a link for an address and enqueues its mail (docs/rules/credentials.md#sign-in). Earlier links stay
 * valid, so that nobody can end a person's link by requesting another one. `encrypt` encrypts the token for
 * the mail, bound to the link's id. An unknown address gets the same rows, so that the response time does not
 * reveal it.
 *
 * The hourly limit is a token bucket. A token is refilled before a link expires, so requesting all of a
 * person's links cannot prevent them from having a valid one in their mailbox. Errors: 429 `rate_limited`
 * after too many links for the address.
 */
export async function insertSignInLink(
  tx: Tx,
  quotas: MailQuotas,
  link: { email: string; token_hash: Buffer; return_to: string; encrypt: (linkId: string) => Buffer },
): Promise<void> {
  await execute(tx, `DELETE FROM sign_in_links WHERE created_at < now() - interval '1 day'`);
  const address = addressKey(link.email);
  // Serializes requests for one address, so that none bypasses the limit.
  const lock = `SELECT pg_advisory_xact_lock(hashtext('sign_in_links'), hashtext($1))`;
  await execute(tx, lock, [address]);
  const { count, seconds } = quotas.link_minute;
  const requested = await maybeOne<{ wait: number }>(
    tx,
    `SELECT 1000 * extract(epoch FROM created_at + $2 * interval '1 second' - now())::float8 AS wait
      FROM sign_in_links
     WHERE email = $3 ORDER BY created_at DESC OFFSET $1 - 1 LIMIT 1`,
    [count, seconds, address],
  );
  const wait =
    remainingWait(requested) ||
    (await takeFromBucket(tx, recipientBucket('sign_in_link', address), toBucket(quotas.link_hour)));
  if (wait > 0) {
    const what =
      'Too many links were requested for this address. If the address has an account, the links of ' +
      `the last ${LINK_MINUTES} minutes still work: check its mailbox.`;
    throw tooManyMails(what, wait);
  }
  const id = newId('link');
  await execute(
    tx,
    `INSERT INTO sign_in_links (id, email, profile_id, token_hash, encrypted_token, return_to, expires_at)
     VALUES ($1, $2,
             (SELECT p.id FROM profiles p WHERE lower(p.email) = $2
                AND EXISTS (SELECT FROM members m WHERE m.profile_id = p.id AND may_accept(m))),
             $3, $4, $5, now() + $6 * interval '1 minute')`,
    [id, address, link.token_hash, link.encrypt(id), link.return_to, LINK_MINUTES],
  );
  await enqueueMail(tx, { kind: 'sign_in_link', about: id });
}

export interface LinkToSend {
  to: string;
  encrypted_token: Buffer;
  /**
   * The workspaces whose membership the person has accepted and that they can only enter through a provider,
   * with the names of their sign-in pages.
   */
  providers: { workspace_name: string; sign_in_name: string }[];
}

/**
 * Returns the contents of a link's mail; null if none must be sent because the address is unknown, or the
 * link is used, expired or already sent.
 */
export function findLinkToSend(tx: Tx, id: string): Promise<LinkToSend | null> {
  return maybeOne<LinkToSend>(
    tx,
    `SELECT p.email AS to, l.encrypted_token, m.providers
     FROM sign_in_links l JOIN profiles p ON p.id = l.profile_id CROSS JOIN LATERAL (
       SELECT coalesce(json_agg(json_build_object('workspace_name', w.name, 'sign_in_name', r.name)
         ORDER BY w.name, w.id)
                FILTER (WHERE r.name IS NOT NULL), '[]') AS providers
       FROM members m JOIN workspaces w ON w.id = m.workspace_id
         CROSS JOIN LATERAL (SELECT required_sign_in(m) AS name) r
       WHERE m.profile_id = p.id AND may_sign_in(m)
     ) m
     WHERE l.id = $1 AND l.encrypted_token IS NOT NULL AND l.used_at IS NULL AND l.expires_at > now()`,
    [id],
  );
}

/** Returns the address that a link signs in; null if the link is not usable. */
export function findUsableLink(tx: Tx, tokenHash: Buffer): Promise<{ email: string } | null> {
  return maybeOne<{ email: string }>(
    tx,
    `SELECT email FROM sign_in_links WHERE token_hash = $1 AND used_at IS NULL AND expires_at > now()
    AND EXISTS (SELECT FROM profiles p WHERE p.id = profile_id AND lower(p.email) = sign_in_links.email)`,
    [tokenHash],
  );
}

/** Returns whether a link has signed in a person. */
export const hasSignedIn = async (tx: Tx, tokenHash: Buffer, profileId: string): Promise<boolean> =>
  (await maybeOne(
    tx,
    `SELECT FROM sign_in_links WHERE token_hash = $1 AND used_at IS NOT NULL AND profile_id = $2`,
    [tokenHash, profileId],
  )) !== null;

/** The person whom a link signs in, and where they go next. `is_first`: they had never used a link before. */
export interface UsedLink {
  profile_id: string;
  return_to: string;
  is_first: boolean;
}

/**
 * Uses a link, which proves the address of its profile and ends its other links. Of several concurrent calls,
 * one succeeds and the others return null.
 */
export async function useSignInLink(tx: Tx, tokenHash: Buffer): Promise<UsedLink | null> {
  const link = await maybeOne<Omit<UsedLink, 'is_first'>>(
    tx,
    `UPDATE sign_in_links SET used_at = now() WHERE token_hash = $1 AND used_at IS NULL AND expires_at > now()
      AND EXISTS (SELECT FROM profiles p WHERE p.id = profile_id AND lower(p.email) = sign_in_links.email)
     RETURNING profile_id, return_to`,
    [tokenHash],
  );
  if (!link) return null;
  await execute(
    tx,
    `UPDATE sign_in_links SET expires_at = now(), encrypted_token = NULL
     WHERE profile_id = $1 AND used_at IS NULL AND expires_at > now()`,
    [link.profile_id],
  );
  return { ...link, is_first: await verifyProfile(tx, link.profile_id) };
}

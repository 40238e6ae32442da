import { newId } from '../../ids.js';
import { execute, maybeOne, one } from '../../query.js';
import type { Tx } from '../../transaction.js';

/** How long a link works. */
export const LINK_MINUTES = 15;
/** How many links one address may ask for within that time. */
const LINKS_PER_ADDRESS = 5;

/** Members who may sign in: whoever has not finished signup, or has left, may not. */
export const MAY_SIGN_IN = `m.status NOT IN ('invited', 'archived', 'deleted')`;

/**
 * Stores a link for an address and ends the older ones: only the newest works. `seal` encrypts the token for the
 * mail, bound to the link's id. The row is written whether or not the address is anybody's. Null once the address has
 * asked too often.
 */
export async function insertSignInLink(
  tx: Tx,
  link: { email: string; token_hash: Buffer; return_to: string; seal: (linkId: string) => Buffer },
): Promise<string | null> {
  await execute(tx, `DELETE FROM sign_in_links WHERE created_at < now() - interval '1 day'`);
  // Requests for one address take turns, so that none slips past the limit.
  await execute(tx, `SELECT pg_advisory_xact_lock(hashtext('sign_in_links'), hashtext(lower($1)))`, [
    link.email,
  ]);
  const { asked } = await one<{ asked: number }>(
    tx,
    `SELECT count(*)::int AS asked FROM sign_in_links
     WHERE email = lower($1) AND created_at > now() - $2 * interval '1 minute'`,
    [link.email, LINK_MINUTES],
  );
  if (asked >= LINKS_PER_ADDRESS) return null;
  await execute(
    tx,
    `UPDATE sign_in_links SET expires_at = now(), encrypted_token = NULL
     WHERE email = lower($1) AND used_at IS NULL AND expires_at > now()`,
    [link.email],
  );
  const id = newId('link');
  await execute(
    tx,
    `INSERT INTO sign_in_links (id, email, profile_id, token_hash, encrypted_token, return_to, expires_at)
     VALUES ($1, lower($2),
             (SELECT p.id FROM profiles p WHERE lower(p.email) = lower($2)
                AND EXISTS (SELECT FROM members m WHERE m.profile_id = p.id AND ${MAY_SIGN_IN})),
             $3, $4, $5, now() + $6 * interval '1 minute')`,
    [id, link.email, link.token_hash, link.seal(id), link.return_to, LINK_MINUTES],
  );
  return id;
}

/** What the mail of a link is written from; null where there is none to send: nobody's address, ended, or sent. */
export function findLinkToSend(
  tx: Tx,
  id: string,
): Promise<{ to: string; name: string; encrypted_token: Buffer } | null> {
  return maybeOne<{ to: string; name: string; encrypted_token: Buffer }>(
    tx,
    `SELECT p.email AS to, p.name, l.encrypted_token FROM sign_in_links l JOIN profiles p ON p.id = l.profile_id
     WHERE l.id = $1 AND l.encrypted_token IS NOT NULL AND l.used_at IS NULL AND l.expires_at > now()`,
    [id],
  );
}

/** Forgets the token of a link whose mail the server has taken. */
export async function markLinkSent(tx: Tx, id: string): Promise<void> {
  await execute(tx, `UPDATE sign_in_links SET encrypted_token = NULL WHERE id = $1`, [id]);
}

/** It signs in whose address it was sent to, for as long as it is theirs. */
const USABLE = `token_hash = $1 AND used_at IS NULL AND expires_at > now()
  AND EXISTS (SELECT FROM profiles p WHERE p.id = profile_id AND lower(p.email) = sign_in_links.email)`;

/** The address a link signs in, while it works; null otherwise. */
export function findUsableLink(tx: Tx, tokenHash: Buffer): Promise<{ email: string } | null> {
  return maybeOne<{ email: string }>(tx, `SELECT email FROM sign_in_links WHERE ${USABLE}`, [tokenHash]);
}

/** Uses a link up: of several at once one gets it, the others null. */
export function useSignInLink(
  tx: Tx,
  tokenHash: Buffer,
): Promise<{ profile_id: string; return_to: string } | null> {
  return maybeOne<{ profile_id: string; return_to: string }>(
    tx,
    `UPDATE sign_in_links SET used_at = now() WHERE ${USABLE} RETURNING profile_id, return_to`,
    [tokenHash],
  );
}

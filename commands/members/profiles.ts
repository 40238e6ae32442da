import { addressKey, deliveryAddress } from '../../db/address.js';
import { newProfileId } from '../../db/ids.js';
import { NOW } from '../../db/database-time.js';
import { Profile } from '../../db/entities/members.js';
import { affected, execute, maybeOne, one } from '../../db/query.js';
import type { Tx } from '../../db/transaction.js';

/** Returns the id of the profile with an email address in any spelling, or null. */
export async function findProfile(tx: Tx, email: string): Promise<string | null> {
  const sql = `SELECT id FROM profiles WHERE lower(email) = $1`;
  return (await maybeOne<{ id: string }>(tx, sql, [addressKey(email)]))?.id ?? null;
}

/** Finds the profile with an email address in any spelling, or creates an unproven one. Returns its id. */
export async function findOrCreateProfile(tx: Tx, email: string): Promise<string> {
  const { id } = await one<{ id: string }>(
    tx,
    `INSERT INTO profiles (id, email) VALUES ($1, $2)
     ON CONFLICT (lower(email)) DO UPDATE SET email = profiles.email RETURNING id`,
    [newProfileId(), deliveryAddress(email)],
  );
  return id;
}

/**
 * Records that the person of a profile has used a link that was mailed to its address. Returns true the first
 * time.
 */
export async function verifyProfile(tx: Tx, id: string): Promise<boolean> {
  const sql = `UPDATE profiles SET verified_at = now() WHERE id = $1 AND verified_at IS NULL`;
  return (await affected(tx, sql, [id])) > 0;
}

/**
 * Returns the time since which browsers that a person signed in with count as known; null for all of them.
 */
export async function devicesSince(tx: Tx, id: string): Promise<Date | null> {
  const sql = `SELECT devices_since FROM profiles WHERE id = $1`;
  return (await one<{ devices_since: Date | null }>(tx, sql, [id])).devices_since;
}

/** Makes every browser that a person has signed in with count as new at its next sign-in. */
export async function forgetDevices(tx: Tx, id: string): Promise<void> {
  await tx.update(Profile, { id }, { devices_since: NOW });
}

/** Deletes a profile if it has no membership. */
export async function deleteUnusedProfile(tx: Tx, id: string): Promise<void> {
  await execute(
    tx,
    `DELETE FROM profiles p WHERE p.id = $1 AND NOT EXISTS (SELECT FROM members m WHERE m.profile_id = p.id)`,
    [id],
  );
}

/** Deletes the sign-in links that were requested for an email address, if no profile has it. */
export async function deleteUnusedAddress(tx: Tx, email: string): Promise<void> {
  await execute(
    tx,
    `DELETE FROM sign_in_links WHERE email = $1 AND NOT EXISTS (SELECT FROM profiles p
      WHERE lower(p.email) = $1)`,
    [addressKey(email)],
  );
}

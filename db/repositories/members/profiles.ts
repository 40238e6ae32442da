import { newId } from '../../ids.js';
import { execute, maybeOne, one } from '../../query.js';
import { update } from '../../tables.js';
import type { Tx } from '../../transaction.js';

/** The id of the profile with a mail address, ignoring case, or null. */
export async function findProfile(tx: Tx, email: string): Promise<string | null> {
  const sql = `SELECT id FROM profiles WHERE lower(email) = lower($1)`;
  return (await maybeOne<{ id: string }>(tx, sql, [email]))?.id ?? null;
}

/** Finds the profile with a mail address, ignoring case, or creates one with `name`. Returns its id. */
export async function findOrCreateProfile(tx: Tx, person: { email: string; name: string }): Promise<string> {
  const { id } = await one<{ id: string }>(
    tx,
    `INSERT INTO profiles (id, email, name) VALUES ($1, $2, $3)
     ON CONFLICT (lower(email)) DO UPDATE SET email = profiles.email RETURNING id`,
    [newId('prof'), person.email, person.name],
  );
  return id;
}

/** Changes a profile, in all workspaces that share it. */
export async function updateProfile(
  tx: Tx,
  id: string,
  { name, email }: { name?: string; email?: string },
): Promise<void> {
  await update(tx, 'profiles', { id }, { name, email });
}

/** Deletes a profile if it has no membership. */
export async function deleteUnusedProfile(tx: Tx, id: string): Promise<void> {
  await execute(
    tx,
    `DELETE FROM profiles p WHERE p.id = $1 AND NOT EXISTS (SELECT FROM members m WHERE m.profile_id = p.id)`,
    [id],
  );
}

/** Deletes the sign-in links that were requested for a mail address, if no profile has it. */
export async function deleteUnusedAddress(tx: Tx, email: string): Promise<void> {
  await execute(
    tx,
    `DELETE FROM sign_in_links WHERE lower(email) = lower($1)
       AND NOT EXISTS (SELECT FROM profiles p WHERE lower(p.email) = lower($1))`,
    [email],
  );
}

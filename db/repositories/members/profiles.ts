import { newId } from '../../ids.js';
import type { Tx } from '../../transaction.js';

/** The id of the person behind a mail address, in any case, or null. */
export async function findProfile(tx: Tx, email: string): Promise<string | null> {
  const rows = await tx.query(`SELECT id FROM profiles WHERE lower(email) = lower($1)`, [email]);
  return rows[0]?.id ?? null;
}

/** The person behind a mail address, in any case; made under `name` if nobody has it yet. Returns the profile's id. */
export async function findOrCreateProfile(tx: Tx, person: { email: string; name: string }): Promise<string> {
  const [profile] = await tx.query(
    `INSERT INTO profiles (id, email, name) VALUES ($1, $2, $3)
     ON CONFLICT (lower(email)) DO UPDATE SET email = profiles.email RETURNING id`,
    [newId('prof'), person.email, person.name],
  );
  return profile.id;
}

/** Changes a person, wherever they are a member. */
export async function updateProfile(
  tx: Tx,
  id: string,
  { name, email }: { name?: string; email?: string },
): Promise<void> {
  await tx.query(`UPDATE profiles SET name = coalesce($2, name), email = coalesce($3, email) WHERE id = $1`, [
    id,
    name ?? null,
    email ?? null,
  ]);
}

/** Deletes a person who is no one's member any more. */
export async function eraseProfile(tx: Tx, id: string): Promise<void> {
  await tx.query(
    `DELETE FROM profiles p WHERE p.id = $1 AND NOT EXISTS (SELECT FROM members m WHERE m.profile_id = p.id)`,
    [id],
  );
}

/** Forgets that anybody asked to sign in under a mail address, if nobody has it any more. */
export async function eraseAddress(tx: Tx, email: string): Promise<void> {
  await tx.query(
    `DELETE FROM sign_in_links WHERE lower(email) = lower($1)
       AND NOT EXISTS (SELECT FROM profiles p WHERE lower(p.email) = lower($1))`,
    [email],
  );
}

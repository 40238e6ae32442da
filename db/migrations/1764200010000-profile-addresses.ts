import type { MigrationInterface, QueryRunner } from 'typeorm';
import { newProfileId } from '../ids.js';
import { addressKey, deliveryAddress, isCanonical } from '../address.js';

const IS_NOT_ASCII = (column: string): string => `octet_length(${column}) <> char_length(${column})`;

/**
 * The address of a profile is the canonical one, which its unique index compares: a domain outside of ASCII becomes
 * A-labels. A membership that the folding of letters had given to the profile of another address goes to the profile of
 * its own, and has to be accepted again. Where two profiles turn out to be one address, the memberships go to the one
 * that has the canonical form; one in a workspace in which that is a member already stays where it is.
 */
export class ProfileAddresses1764200010000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const memberships: { id: string; email: string; workspace_id: string; profile_id: string }[] =
      await runner.query(`
        SELECT m.id, m.email, m.workspace_id, m.profile_id FROM members m JOIN profiles p ON p.id = m.profile_id
        WHERE ${IS_NOT_ASCII('m.email')} OR ${IS_NOT_ASCII('p.email')} ORDER BY m.created_at, m.id`);
    const profiles: { id: string; email: string }[] = await runner.query(
      `SELECT id, email FROM profiles WHERE ${IS_NOT_ASCII('email')} ORDER BY created_at, id`,
    );
    for (const { id, email } of profiles) {
      if (isCanonical(email)) await rename(runner, id, email);
    }
    for (const membership of memberships) {
      if (isCanonical(membership.email)) await moveToOwnProfile(runner, membership);
    }
  }

  /** The written addresses are those of the memberships, which have not changed. */
  async down(): Promise<void> {}
}

/** Gives a profile the canonical form of its address, unless another one has it. */
async function rename(runner: QueryRunner, id: string, email: string): Promise<void> {
  await runner.query(
    `UPDATE profiles SET email = $2 WHERE id = (SELECT id FROM profiles WHERE id = $1 LIMIT 1)
       AND NOT EXISTS (SELECT FROM profiles WHERE lower(email) = $3 AND id <> $1)`,
    [id, deliveryAddress(email), addressKey(email)],
  );
}

/** Moves a membership to the profile of its address, which is created if there is none. */
async function moveToOwnProfile(
  runner: QueryRunner,
  member: { id: string; email: string; workspace_id: string; profile_id: string },
): Promise<void> {
  const [profile]: { id: string }[] = await runner.query(
    `INSERT INTO profiles (id, email) VALUES ($1, $2)
     ON CONFLICT (lower(email)) DO UPDATE SET email = profiles.email RETURNING id`,
    [newProfileId(), deliveryAddress(member.email)],
  );
  if (profile!.id === member.profile_id) return;
  await runner.query(
    `UPDATE members SET profile_id = $2, accepted_at = NULL
     WHERE id = (SELECT id FROM members WHERE id = $1 LIMIT 1)
       AND NOT EXISTS (SELECT FROM members WHERE workspace_id = $3 AND profile_id = $2)`,
    [member.id, profile!.id, member.workspace_id],
  );
  await runner.query(
    `DELETE FROM profiles WHERE id = (SELECT id FROM profiles WHERE id = $1 LIMIT 1)
       AND NOT EXISTS (SELECT FROM members WHERE profile_id = $1)`,
    [member.profile_id],
  );
}

import type { DataSource } from 'typeorm';
import { listMemberships } from '../../db/queries/members/membership.js';
import { transaction } from '../../db/transaction.js';
import { revokeApiKeys } from '../api-keys/api-keys.js';
import { forgetDevices } from '../members/profiles.js';
import { withdrawRequestedAddresses } from '../members/requested-addresses.js';
import { deletePersonSessions } from './sessions.js';

/**
 * Ends every session of a person and withdraws a requested change of address. Every device counts as new
 * afterwards. With `keys`, also revokes the keys that act for the person, those that they issued to others,
 * and their grants to applications, in all their workspaces.
 */
export const signOutEverywhere = (
  db: DataSource,
  profile_id: string,
  { keys }: { keys: boolean },
): Promise<void> =>
  transaction(db, async (tx) => {
    if (keys)
      for (const { workspace_id, member_id } of await listMemberships(tx, profile_id)) {
        const by = { workspace_id, member_id, profile_id, key_id: null };
        await revokeApiKeys(tx, by, { member_id }, 'revoked_by_member');
      }
    await deletePersonSessions(tx, profile_id);
    await forgetDevices(tx, profile_id);
    await withdrawRequestedAddresses(tx, profile_id);
  });

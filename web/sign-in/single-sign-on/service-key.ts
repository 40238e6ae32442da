import { findServiceKey, storeServiceKey } from '../../../commands/single-sign-on/service-keys.js';
import { ssoKeyContext } from '../../../db/queries/single-sign-on/single-sign-on.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import { newServiceKey } from './saml.js';

/** This service's key for a workspace as PEM, created when it is first needed. */
export async function findOrCreateServiceKey(
  { db, encryption }: Pick<ApiDependencies, 'db' | 'encryption'>,
  workspaceId: string,
): Promise<{ key: string; certificate: string }> {
  const context = ssoKeyContext(workspaceId);
  const found = await findServiceKey(db.manager, workspaceId);
  if (found) return { certificate: found.certificate, key: encryption.decrypt(found.key, context) };
  const made = await newServiceKey(workspaceId);
  const row = { workspace_id: workspaceId, ...made, key: encryption.encrypt(made.key, context) };
  const stored = await storeServiceKey(db, row);
  return { certificate: stored.certificate, key: encryption.decrypt(stored.key, context) };
}

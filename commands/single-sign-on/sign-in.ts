import type { DataSource } from 'typeorm';
import type { SsoConnection } from '../../db/entities/single-sign-on.js';
import { lockSignInPage } from '../../db/queries/single-sign-on/single-sign-on.js';
import { transaction } from '../../db/transaction.js';
import { providerIdentity } from '../../domain/single-sign-on/providers.js';
import type { Quotas } from '../../domain/workspaces/quotas.js';
import { deleteSession, insertProviderSession } from '../sign-in/sessions.js';
import { admit, type Arriving, type NotAdmitted } from './arrival.js';

/** The browser of a sign-in at a provider. */
interface Login {
  return_to: string;
  /** The kind of browser, such as `Firefox on Linux`. */
  device: string;
  /** The hash of its current session, which the new one replaces. */
  session_hash: Buffer | null;
  /** When the provider wants the session to end. */
  ends_at: Date | null;
}

/**
 * Signs in the person whom a workspace's provider has signed in (docs/rules/single-sign-on.md#the-member).
 * `provider`: the provider that reported it, which the owner may have replaced or switched off in the
 * meantime. Returns the token of the session, or why there is none. Errors: 409 `limit_reached`.
 */
export const signInByProvider = (
  { db, quotas }: { db: DataSource; quotas: Quotas },
  { workspace_id, provider }: Pick<SsoConnection, 'workspace_id' | 'provider'>,
  arriving: Arriving,
  { return_to, device, session_hash, ends_at }: Login,
): Promise<{ token: string } | { refusal: NotAdmitted | 'login_expired' }> =>
  transaction(db, async (tx) => {
    const page = await lockSignInPage(tx, workspace_id);
    if (!page || providerIdentity(page.provider) !== providerIdentity(provider))
      return { refusal: 'login_expired' };
    const member = await admit(tx, quotas, page, arriving);
    if (typeof member === 'string') return { refusal: member };
    if (session_hash) await deleteSession(tx, session_hash);
    const { id: member_id, profile_id } = member;
    const { subject } = arriving;
    const session = { profile_id, member_id, workspace_id, subject, return_to, device, ends_at };
    return { token: await insertProviderSession(tx, session) };
  });

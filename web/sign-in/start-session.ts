import { deleteSession, insertSession } from '../../commands/sign-in/sessions.js';
import { enqueueMail } from '../../commands/mail/mails.js';
import { devicesSince } from '../../commands/members/profiles.js';
import { newId } from '../../db/ids.js';
import type { Tx } from '../../db/transaction.js';
import { parseDevice } from '../../domain/sign-in/device.js';
import type { ApiDependencies } from '../../api/dependencies.js';
import type { ApiContext } from '../../api/http/context.js';
import { setSessionCookie } from '../ui/session.js';
import { rememberDevice } from './known-device.js';

/** Who signs in, and where they go then. */
interface SignIn {
  profile_id: string;
  return_to: string;
  /** They have never signed in before. */
  is_first?: boolean;
  /** By a passkey, which is a second factor too. */
  by_passkey?: boolean;
}

/** Starts a session, which replaces the browser's current one. Sends mail about a new device. */
export async function startSession(
  ctx: ApiContext,
  deps: ApiDependencies,
  tx: Tx,
  { profile_id, return_to, is_first, by_passkey }: SignIn,
): Promise<void> {
  const device = parseDevice(ctx.get('user-agent'));
  if (ctx.state.session) await deleteSession(tx, ctx.state.session.id_hash);
  const { id_hash } = setSessionCookie(ctx, deps);
  const devices_since = await devicesSince(tx, profile_id);
  const isKnown = rememberDevice(ctx, deps, { profile_id, device, devices_since });
  await insertSession(tx, { id_hash, profile_id, return_to, device, by_passkey });
  if (!isKnown && !is_first)
    await enqueueMail(tx, { kind: 'new_device', profile_id, about: `${newId('mail')}:${device}` });
}

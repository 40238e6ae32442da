import type { DataSource } from 'typeorm';
import type { Encryption } from '../../db/encryption.js';
import { newId } from '../../db/ids.js';
import { hashSecret } from '../../db/secrets.js';
import { transaction, type Tx } from '../../db/transaction.js';
import { enqueueMail } from '../mail/mails.js';
import { devicesSince } from '../members/profiles.js';
import { rememberDevice } from './known-devices.js';
import { useSignInLink } from './links.js';
import { usePasskey, type PasskeyUse } from './passkeys.js';
import { deleteSession, insertSession } from './sessions.js';

interface Deps {
  db: DataSource;
  encryption: Pick<Encryption, 'deriveKeys'>;
}

/** The browser in which somebody signs in. */
export interface Browser {
  /** Its kind, such as `Firefox on Linux`. */
  device: string;
  /** The value of its cookie of known devices; empty without one. */
  devices: string;
  /** The hash of its current session, which the new one replaces. */
  session_hash: Buffer | null;
}

/** The values of the browser's cookies after a sign-in: the session and the known devices. */
export interface StartedSession {
  token: string;
  devices: string;
}

/** The person who signs in, and where they go next. */
interface SignIn {
  profile_id: string;
  return_to: string;
  /** They have never signed in before. */
  is_first?: boolean;
  /** Signed in with a passkey, which is also a second factor. */
  by_passkey?: boolean;
}

/** Starts a session, which replaces the browser's current one. Sends mail about a new device. */
async function startSession(
  tx: Tx,
  { encryption }: Deps,
  { device, devices: remembered, session_hash }: Browser,
  { profile_id, return_to, is_first, by_passkey }: SignIn,
): Promise<StartedSession> {
  if (session_hash) await deleteSession(tx, session_hash);
  const devices_since = await devicesSince(tx, profile_id);
  const { devices, isKnown } = rememberDevice(encryption, remembered, { profile_id, device, devices_since });
  const token = await insertSession(tx, { profile_id, return_to, device, by_passkey });
  if (!isKnown && !is_first)
    await enqueueMail(tx, { kind: 'new_device', profile_id, about: `${newId('mail')}:${device}` });
  return { token, devices };
}

/** Uses a link and starts a session (docs/rules/credentials.md#sign-in); null if the link is not usable. */
export const signInByLink = (deps: Deps, token: string, browser: Browser): Promise<StartedSession | null> =>
  transaction(deps.db, async (tx) => {
    const link = await useSignInLink(tx, hashSecret(token));
    return link && startSession(tx, deps, browser, link);
  });

/**
 * Records the use of a passkey and starts a session that needs no code; null if the passkey cannot be used.
 */
export const signInByPasskey = (
  deps: Deps,
  passkey: PasskeyUse,
  browser: Browser,
  return_to: string,
): Promise<StartedSession | null> =>
  transaction(deps.db, async (tx) => {
    if (!(await usePasskey(tx, passkey))) return null;
    const { profile_id } = passkey;
    return startSession(tx, deps, browser, { profile_id, return_to, by_passkey: true });
  });

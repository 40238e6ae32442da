import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  SettingsService,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import {
  insertChallenge,
  takeChallenge,
  CHALLENGE_MINUTES,
} from '../../../commands/sign-in/passkey-challenges.js';
import { findPasskey, listPasskeys, type PasskeyUse } from '../../../commands/sign-in/passkeys.js';
import type { Passkey, PasskeyChallenge } from '../../../db/entities/access.js';
import { MINUTE_MS } from '../../../domain/durations.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { BrowserSession } from '../../../api/http/context.js';
import { hashSecret } from '../../../db/secrets.js';
import { createRelyingParty } from './relying-party.js';

type Deps = Pick<ApiDependencies, 'db' | 'publicUrl'>;

// Attestation is not requested, and its root certificates are not trusted: verifying it would fetch
// revocation lists from addresses in certificates that callers send.
for (const identifier of ['android-key', 'android-safetynet', 'apple'] as const)
  SettingsService.setRootCertificates({ identifier, certificates: [] });

/** Known transports. Other values from browsers are not stored. */
const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const;

const timeout = CHALLENGE_MINUTES * MINUTE_MS;

/** The stored form of a challenge that the library created. */
const stored = (challenge: string, purpose: PasskeyChallenge['purpose'], session: BrowserSession | null) => ({
  digest: hashSecret(challenge),
  purpose,
  session_hash: session?.id_hash ?? null,
});

/** Options for a browser to create a passkey for the session's person. */
export async function registrationOptions(deps: Deps, session: BrowserSession) {
  const { id } = createRelyingParty(deps);
  const passkeys = await listPasskeys(deps.db.manager, session.profile_id);
  const options = await generateRegistrationOptions({
    rpName: 'Holdfast',
    rpID: id,
    userID: new Uint8Array(Buffer.from(session.profile_id)),
    userName: session.email,
    userDisplayName: session.email,
    timeout,
    excludeCredentials: passkeys.map(({ id, transports }) => ({ id, transports })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  await insertChallenge(deps.db.manager, stored(options.challenge, 'register', session));
  return options;
}

/** Options for a browser to use a passkey: any to sign in, or one of the session's person as a proof. */
export async function assertionOptions(deps: Deps, session: BrowserSession | null) {
  const passkeys = session ? await listPasskeys(deps.db.manager, session.profile_id) : [];
  const options = await generateAuthenticationOptions({
    rpID: createRelyingParty(deps).id,
    userVerification: 'required',
    timeout,
    allowCredentials: passkeys.map(({ id, transports }) => ({ id, transports })),
  });
  const purpose = session ? 'proof' : 'sign_in';
  await insertChallenge(deps.db.manager, stored(options.challenge, purpose, session));
  return options;
}

/** Parses a browser's JSON; null if it is invalid. */
function parsed<Response>(json: string): Response | null {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null ? (value as Response) : null;
  } catch {
    return null;
  }
}

/**
 * The new passkey of a registration; null unless it answers a challenge that this service created for the
 * session.
 */
export async function registered(
  deps: Deps,
  session: BrowserSession,
  json: string,
): Promise<Omit<Passkey, 'name' | 'created_at' | 'last_used_at'> | null> {
  const response = parsed<Parameters<typeof verifyRegistrationResponse>[0]['response']>(json);
  const { id: expectedRPID, origin: expectedOrigin } = createRelyingParty(deps);
  const result =
    response &&
    (await verifyRegistrationResponse({
      response,
      expectedChallenge: (challenge) =>
        takeChallenge(deps.db.manager, stored(challenge, 'register', session)),
      expectedOrigin,
      expectedRPID,
    }).catch(() => null));
  if (!result?.verified) return null;
  const { credential, credentialBackedUp } = result.registrationInfo;
  return {
    id: credential.id,
    profile_id: session.profile_id,
    public_key: Buffer.from(credential.publicKey),
    counter: credential.counter,
    transports: TRANSPORTS.filter((each) => [credential.transports].flat().includes(each)),
    backed_up: credentialBackedUp,
  };
}

/**
 * Checks a use of a passkey (docs/rules/credentials.md#passkeys): a signature over a challenge that was made
 * for it, once, by an authenticator that verified its user. With a session the passkey must be its person's.
 * Returns the use, which a command has to record; null if it is not accepted.
 */
export async function verifyPasskey(
  deps: Deps,
  session: BrowserSession | null,
  json: string,
): Promise<PasskeyUse | null> {
  const response = parsed<Parameters<typeof verifyAuthenticationResponse>[0]['response']>(json);
  const passkey =
    response && /^[\w-]{1,1400}$/.test(String(response.id))
      ? await findPasskey(deps.db.manager, response.id)
      : null;
  if (!response || !passkey || (session && passkey.profile_id !== session.profile_id)) return null;
  const { id: expectedRPID, origin: expectedOrigin } = createRelyingParty(deps);
  const result = await verifyAuthenticationResponse({
    response,
    expectedChallenge: (challenge) =>
      takeChallenge(deps.db.manager, stored(challenge, session ? 'proof' : 'sign_in', session)),
    expectedOrigin,
    expectedRPID,
    credential: {
      id: passkey.id,
      publicKey: new Uint8Array(passkey.public_key),
      counter: passkey.counter,
    },
  }).catch(() => null);
  if (!result?.verified) return null;
  const { newCounter: counter, credentialBackedUp: backed_up } = result.authenticationInfo;
  return { id: passkey.id, profile_id: passkey.profile_id, counter, backed_up };
}

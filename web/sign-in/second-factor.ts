import {
  acceptStep,
  countFailure,
  lockSecondFactor,
  replaceRecoveryCodes,
  setSecondFactor,
  useRecoveryCode,
} from '../../commands/sign-in/second-factors.js';
import { deleteOtherSessions, lockPendingSecret, setPendingSecret } from '../../commands/sign-in/sessions.js';
import { newId } from '../../db/ids.js';
import { enqueueMail } from '../../commands/mail/mails.js';
import { transaction, type Tx } from '../../db/transaction.js';
import type { ApiDependencies } from '../../api/dependencies.js';
import type { BrowserSession } from '../../api/http/context.js';
import { hashRecoveryCode, newRecoveryCodes, newTotpSecret, matchTimeStep } from './codes.js';

type Deps = Pick<ApiDependencies, 'db' | 'encryption'>;

const encryptionContext = (profileId: string): string => `second-factor:${profileId}`;

/** The result of a code. `locked`: after too many wrong codes this one was not checked. */
export type CodeOutcome = 'accepted' | 'wrong' | 'locked';

/** A session of a person who sets up an authenticator. */
type Enrolling = Pick<BrowserSession, 'profile_id' | 'id_hash'>;

/** The secret of the authenticator that is being set up in a session. It stays the same for 10 minutes. */
export async function secretToEnrol({ db, encryption }: Deps, session: Enrolling): Promise<string> {
  const { profile_id, id_hash } = session;
  return transaction(db, async (tx) => {
    const pending = await lockPendingSecret(tx, id_hash);
    if (pending) return encryption.decrypt(pending, encryptionContext(profile_id));
    const secret = newTotpSecret();
    await setPendingSecret(tx, id_hash, encryption.encrypt(secret, encryptionContext(profile_id)));
    return secret;
  });
}

/**
 * Makes the authenticator that is being set up in a session the person's current one, if the code is its own
 * (docs/rules/credentials.md#second-factor). Ends the person's other sessions and sends mail. `onConfirmed`
 * runs in the same transaction. Returns the new recovery codes; null for a wrong code or an expired secret.
 */
export async function confirmAuthenticator(
  { db, encryption }: Deps,
  { profile_id, id_hash }: Enrolling,
  code: string,
  onConfirmed: (tx: Tx) => Promise<void>,
): Promise<string[] | null> {
  return transaction(db, async (tx) => {
    const pending = await lockPendingSecret(tx, id_hash);
    const step = pending && stepIn(code, encryption.decrypt(pending, encryptionContext(profile_id)));
    if (step === null) return null;
    await setSecondFactor(tx, profile_id, pending!, step);
    await deleteOtherSessions(tx, profile_id, id_hash);
    await onConfirmed(tx);
    await enqueueMail(tx, { kind: 'second_factor_enrolled', profile_id, about: newId('mail') });
    return renewRecoveryCodes(tx, profile_id);
  });
}

/** The time step of a code of six digits; null if the secret has no such code now. */
function stepIn(code: string, secret: string): number | null {
  const digits = code.replaceAll(' ', '');
  return /^\d{6}$/.test(digits) ? matchTimeStep(secret, digits, Date.now()) : null;
}

/**
 * Checks a code of the person's authenticator, or a recovery code (docs/rules/credentials.md#second-factor).
 * A code can be used once (people with passkeys only have recovery codes): its time step must be later than
 * that of the last accepted one. `onAccepted` runs in the same transaction.
 */
export async function checkCode(
  { db, encryption }: Deps,
  profileId: string,
  code: string,
  onAccepted: (tx: Tx) => Promise<void>,
): Promise<CodeOutcome> {
  return transaction(db, async (tx) => {
    const factor = await lockSecondFactor(tx, profileId);
    if (!factor) return 'wrong';
    if (factor.locked) return 'locked';
    const { secret } = factor;
    const step = secret && stepIn(code, encryption.decrypt(secret, encryptionContext(profileId)));
    if (step !== null && step > factor.last_step) await acceptStep(tx, profileId, step);
    else if (!(await useRecoveryCode(tx, profileId, hashRecoveryCode(code)))) {
      await countFailure(tx, profileId);
      return 'wrong';
    }
    await onAccepted(tx);
    return 'accepted';
  });
}

/**
 * Replaces the recovery codes from a session. Ends the person's other sessions and sends
 * mail. Returns the new codes.
 */
export function replaceCodes({ db }: Pick<Deps, 'db'>, session: Enrolling): Promise<string[]> {
  const { profile_id, id_hash } = session;
  return transaction(db, async (tx) => {
    await deleteOtherSessions(tx, profile_id, id_hash);
    await enqueueMail(tx, { kind: 'recovery_codes_created', profile_id, about: newId('mail') });
    return renewRecoveryCodes(tx, profile_id);
  });
}

/** Replaces a person's recovery codes. Returns the new ones, which are shown only once. */
export async function renewRecoveryCodes(tx: Tx, profileId: string): Promise<string[]> {
  const codes = newRecoveryCodes();
  await replaceRecoveryCodes(tx, profileId, codes.map(hashRecoveryCode));
  return codes;
}

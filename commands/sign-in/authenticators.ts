import type { DataSource } from 'typeorm';
import type { Encryption } from '../../db/encryption.js';
import { newId } from '../../db/ids.js';
import { transaction, type Tx } from '../../db/transaction.js';
import { ApiError } from '../../domain/errors.js';
import { enqueueMail } from '../mail/mails.js';
import { hashRecoveryCode, matchTimeStep, newRecoveryCodes, newTotpSecret } from './codes.js';
import {
  acceptStep,
  countFailure,
  lockFactors,
  lockSecondFactor,
  replaceRecoveryCodes,
  setSecondFactor,
  useRecoveryCode,
} from './second-factors.js';
import {
  deleteOtherSessions,
  lockPendingSecret,
  lockSession,
  renewSession,
  setPendingSecret,
} from './sessions.js';

export interface CodeDeps {
  db: DataSource;
  encryption: Pick<Encryption, 'encrypt' | 'decrypt'>;
}

/** A session whose person proves who they are, or changes how they sign in. */
export interface OwnSession {
  profile_id: string;
  id_hash: Buffer;
}

/** Why a code is not accepted. `locked`: after too many wrong codes, this one was not checked. */
export const CODE_REJECTIONS = {
  wrong: 'This code is wrong or has been used before. Wait for the next code and try again.',
  locked: 'Too many wrong codes. Wait 15 minutes, then try again.',
};

const encryptionContext = (profileId: string): string => `second-factor:${profileId}`;

/**
 * Returns the secret of the authenticator that is being set up in a session. It stays the same for 10
 * minutes.
 */
export const secretToEnrol = ({ db, encryption }: CodeDeps, session: OwnSession): Promise<string> =>
  transaction(db, async (tx) => {
    const { profile_id, id_hash } = session;
    const pending = await lockPendingSecret(tx, id_hash);
    if (pending) return encryption.decrypt(pending, encryptionContext(profile_id));
    const secret = newTotpSecret();
    await setPendingSecret(tx, id_hash, encryption.encrypt(secret, encryptionContext(profile_id)));
    return secret;
  });

/**
 * Makes the authenticator that is being set up in a session the person's current one, if the code matches it
 * (docs/rules/credentials.md#second-factor). Ends the person's other sessions and sends mail. Returns the
 * token under which the session continues and the new recovery codes; null for a wrong code or an expired
 * secret.
 */
export const confirmAuthenticator = (
  { db, encryption }: CodeDeps,
  { profile_id, id_hash }: OwnSession,
  code: string,
): Promise<{ token: string; codes: string[] } | null> =>
  transaction(db, async (tx) => {
    await lockFactors(tx, profile_id);
    const pending = await lockPendingSecret(tx, id_hash);
    const step = pending && stepIn(code, encryption.decrypt(pending, encryptionContext(profile_id)));
    if (step === null) return null;
    await setSecondFactor(tx, profile_id, pending!, step);
    await deleteOtherSessions(tx, profile_id, id_hash);
    const token = await renewSession(tx, id_hash);
    await enqueueMail(tx, { kind: 'second_factor_enrolled', profile_id, about: newId('mail') });
    return { token, codes: await renewRecoveryCodes(tx, profile_id) };
  });

/** Returns the time step of a six-digit code; null if the secret does not have this code now. */
function stepIn(code: string, secret: string): number | null {
  const digits = code.replaceAll(' ', '');
  return /^\d{6}$/.test(digits) ? matchTimeStep(secret, digits, Date.now()) : null;
}

/**
 * Uses a code of the person's authenticator, or a recovery code (docs/rules/credentials.md#second-factor). A
 * code can be used only once: its time step must be later than that of the last accepted code. People with
 * only passkeys use recovery codes. Returns why it is not accepted; null if it is.
 */
async function takeCode(
  tx: Tx,
  { encryption }: CodeDeps,
  profileId: string,
  code: string,
): Promise<string | null> {
  const factor = await lockSecondFactor(tx, profileId);
  if (!factor) return CODE_REJECTIONS.wrong;
  if (factor.locked) return CODE_REJECTIONS.locked;
  const { secret } = factor;
  const step = secret && stepIn(code, encryption.decrypt(secret, encryptionContext(profileId)));
  if (step !== null && step > factor.last_step) await acceptStep(tx, profileId, step);
  else if (!(await useRecoveryCode(tx, profileId, hashRecoveryCode(code)))) {
    await countFailure(tx, profileId);
    return CODE_REJECTIONS.wrong;
  }
  return null;
}

/**
 * Confirms a session with a code. Returns the token under which it continues, or why the code is rejected.
 */
export const confirmByCode = (
  deps: CodeDeps,
  { profile_id, id_hash }: OwnSession,
  code: string,
): Promise<{ token: string } | { rejection: string }> =>
  transaction(deps.db, async (tx) => {
    const rejection = await takeCode(tx, deps, profile_id, code);
    return rejection === null ? { token: await renewSession(tx, id_hash) } : { rejection };
  });

/**
 * Runs the work of a command in the transaction that accepts a person's code; null for a person who does not
 * need one. Errors: 422 on `code`, which counts as a wrong code.
 */
export async function withCode<T>(
  deps: CodeDeps,
  profileId: string,
  code: string | null,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  type Outcome = { result: T } | { rejection: string };
  const outcome = await transaction(deps.db, async (tx): Promise<Outcome> => {
    const rejection = code === null ? null : await takeCode(tx, deps, profileId, code);
    return rejection === null ? { result: await work(tx) } : { rejection };
  });
  // Thrown outside the transaction, so that the failure stays counted.
  if ('rejection' in outcome) throw new ApiError('validation_failed', outcome.rejection, { param: 'code' });
  return outcome.result;
}

/**
 * Replaces the recovery codes from within a session. Ends the person's other sessions and sends mail. Returns
 * the new codes. Errors: 401 `auth_invalid` if the session has ended in the meantime.
 */
export const replaceCodes = (db: DataSource, { profile_id, id_hash }: OwnSession): Promise<string[]> =>
  transaction(db, async (tx) => {
    await lockFactors(tx, profile_id);
    await lockSession(tx, id_hash);
    await deleteOtherSessions(tx, profile_id, id_hash);
    await enqueueMail(tx, { kind: 'recovery_codes_created', profile_id, about: newId('mail') });
    return renewRecoveryCodes(tx, profile_id);
  });

/** Replaces a person's recovery codes. Returns the new ones, which are shown only once. */
export async function renewRecoveryCodes(tx: Tx, profileId: string): Promise<string[]> {
  const codes = newRecoveryCodes();
  await replaceRecoveryCodes(tx, profileId, codes.map(hashRecoveryCode));
  return codes;
}

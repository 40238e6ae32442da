import { randomInt } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { hashSecret } from '../../db/secrets.js';

/** The defaults of authenticator apps: six digits, a new code every 30 seconds, SHA-1. */
const PERIOD_SECONDS = 30;
const SECRET_BYTES = 20;
/** Also accepts the codes of one step before and after, since clocks differ and typing takes time. */
const WINDOW = 1;

const createTotp = (secret: string, label = ''): TOTP =>
  new TOTP({ issuer: 'Holdfast', label, secret: Secret.fromBase32(secret), period: PERIOD_SECONDS });

/** Returns the secret for a new authenticator, in base32. */
export const newTotpSecret = (): string => new Secret({ size: SECRET_BYTES }).base32;

/** Returns the `otpauth:` URI that authenticators read as a QR code. */
export const totpAddress = (secret: string, email: string): string => createTotp(secret, email).toString();

/** Returns the time step of a correct code; null for a wrong one. */
export function matchTimeStep(secret: string, code: string, now: number): number | null {
  const delta = createTotp(secret).validate({ token: code, timestamp: now, window: WINDOW });
  return delta === null ? null : Math.floor(now / 1000 / PERIOD_SECONDS) + delta;
}

const RECOVERY_CODES = 10;
/** Excludes letters and digits that look alike. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789';
const GROUPS = 4;
const GROUP_LENGTH = 4;

/** Returns new recovery codes of 80 bits each: `abcd-efgh-jkmn-pqrs`. */
export function newRecoveryCodes(): string[] {
  const letters = (n: number): string[] =>
    Array.from({ length: n }, () => ALPHABET[randomInt(ALPHABET.length)]!);
  const group = (): string => letters(GROUP_LENGTH).join('');
  return Array.from({ length: RECOVERY_CODES }, () => Array.from({ length: GROUPS }, group).join('-'));
}

/** Returns the stored hash of a recovery code. Case, spaces and hyphens are ignored. */
export const hashRecoveryCode = (code: string): Buffer =>
  hashSecret(code.toLowerCase().replace(/[^a-z0-9]/g, ''));

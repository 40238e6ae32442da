import type { Encryption } from '../../db/encryption.js';
import { createSigner } from '../../db/signed-links.js';

/** The maximum number of people that a browser's cookie remembers. */
const MAX_PEOPLE = 5;

/** A person who signs in with a kind of browser. Sign-ins before `devices_since` do not count. */
interface SignIn {
  profile_id: string;
  device: string;
  devices_since: Date | null;
}

/**
 * Adds a person who signs in to those whom a browser remembers (docs/rules/credentials.md#new-devices).
 * `remembered`: the value of its cookie, which may be forged. It contains a signature of each person and kind
 * of browser, and reveals neither. Returns its new value and whether the person was already in it.
 */
export function rememberDevice(
  encryption: Pick<Encryption, 'deriveKeys'>,
  remembered: string,
  { profile_id, device, devices_since }: SignIn,
): { devices: string; isKnown: boolean } {
  const { sign, verify } = createSigner(encryption, 'holdfast:devices');
  const text = `${profile_id}\n${device}\n${devices_since?.toISOString() ?? ''}`;
  const signatures = remembered.split('.').slice(0, MAX_PEOPLE);
  const isKnown = signatures.some((signature) => verify(text, signature));
  const others = signatures.filter((signature) => signature && !verify(text, signature));
  return { devices: [sign(text), ...others].slice(0, MAX_PEOPLE).join('.'), isKnown };
}

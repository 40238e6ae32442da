import { isPublicAddress, notPublic, readReceiverUrl } from '../../domain/receiver-address.js';
import type { ApiDependencies } from '../dependencies.js';

const RESOLVED_WITHIN_MS = 3_000;

/**
 * Checks a receiver's URL at its registration: its text, and the addresses its name has now. A name that can't be
 * resolved now is taken, since each delivery checks the address it connects to. Returns it in its canonical
 * spelling. Errors: 422 `validation_failed` on `url`.
 */
export async function checkReceiver(
  { allowPrivateWebhooks, resolveHost }: Pick<ApiDependencies, 'allowPrivateWebhooks' | 'resolveHost'>,
  text: string,
): Promise<string> {
  const url = readReceiverUrl(text, allowPrivateWebhooks);
  if (!allowPrivateWebhooks) {
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const inTime = new Promise<string[]>((resolve) => setTimeout(resolve, RESOLVED_WITHIN_MS, []).unref());
    const addresses = await Promise.race([resolveHost(host).catch(() => []), inTime]);
    if (!addresses.every(isPublicAddress)) throw notPublic();
  }
  return url.href;
}

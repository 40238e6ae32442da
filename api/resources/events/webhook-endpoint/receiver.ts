import { isPublicAddress, notPublic, readReceiverUrl } from '../../../../domain/events/receiver-address.js';
import type { ApiDependencies } from '../../../dependencies.js';

const RESOLVE_WITHIN_MS = 3_000;

/**
 * Checks the URL of a receiver and the addresses its host name currently resolves to
 * (docs/rules/events.md#receiver-addresses). A name that cannot be resolved now is accepted, since every
 * delivery checks the address it connects to. Returns the URL in canonical form. Errors: 422
 * `validation_failed` on `url`.
 */
export async function checkReceiver(
  { allowPrivateWebhooks, resolveHost }: Pick<ApiDependencies, 'allowPrivateWebhooks' | 'resolveHost'>,
  text: string,
): Promise<string> {
  const url = readReceiverUrl(text, allowPrivateWebhooks);
  if (!allowPrivateWebhooks) {
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const timeout = new Promise<string[]>((resolve) => setTimeout(resolve, RESOLVE_WITHIN_MS, []).unref());
    const addresses = await Promise.race([resolveHost(host).catch(() => []), timeout]);
    if (!addresses.every(isPublicAddress)) throw notPublic();
  }
  return url.href;
}

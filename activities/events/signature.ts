import { createHmac } from 'node:crypto';

const PREFIX = 'whsec_';

/** The secrets that sign an event: the current one and, until the overlap ends, the previous one. */
export interface SigningSecrets {
  current: string;
  previous: string | null;
}

/**
 * Returns the headers with which a receiver verifies an event (docs/rules/events.md#signatures).
 * `Service-Signature` is keyed with the secret as it was shown. The Standard Webhooks headers are keyed with
 * the bytes that it encodes, so that a standard verifier works. `at` is the time of this attempt.
 */
export function signatureHeaders(
  event: { id: string; body: string },
  secrets: SigningSecrets,
  at: Date,
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const standard = [secrets.current, secrets.previous].flatMap((secret) => {
    if (secret === null) return [];
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
    const signed = createHmac('sha256', key).update(`${event.id}.${timestamp}.${event.body}`);
    return `v1,${signed.digest('base64')}`;
  });
  return {
    'Service-Signature': createHmac('sha256', secrets.current).update(event.body).digest('hex'),
    'webhook-id': event.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': standard.join(' '),
  };
}

import type { AttemptRecord, SentTo } from '../../commands/events/webhook-attempts.js';
import { secretContext } from '../../db/queries/events/webhook-endpoint.js';
import type { WebhookEndpoint } from '../../db/entities/events.js';
import type { Encryption } from '../../db/encryption.js';
import type { WebhookSender } from '../gateways/webhook-sender.js';
import { signatureHeaders, type SigningSecrets } from './signature.js';

export interface AttemptDependencies {
  sender: WebhookSender;
  encryption: Encryption;
}

/** A workspace's endpoint with its secrets decrypted. */
export interface Receiver extends SentTo {
  url: string;
  secrets: SigningSecrets;
  sentUpTo: number;
}

/** Single attempts to deliver an event. */
export function createAttempts({ sender, encryption }: AttemptDependencies) {
  /** Returns an endpoint with its secrets decrypted. */
  function toReceiver(endpoint: WebhookEndpoint): Receiver {
    const { workspace_id, id, url, revision, previous_secret, previous_secret_until } = endpoint;
    const open = (secret: Buffer): string => encryption.decrypt(secret, secretContext(workspace_id));
    const overlapping = previous_secret !== null && previous_secret_until! > new Date();
    const secrets = {
      current: open(endpoint.secret),
      previous: overlapping ? open(previous_secret) : null,
    };
    return { workspace_id, id, url, secrets, revision, sentUpTo: endpoint.sent_up_to };
  }

  /** Sends one event. Never throws because of the receiver. */
  async function attempt(
    receiver: Receiver,
    event: { id: string; body: string },
    by_request = false,
  ): Promise<AttemptRecord> {
    const at = new Date();
    const headers = {
      'Content-Type': 'application/json',
      'User-Agent': 'Holdfast-Webhooks/1',
      ...signatureHeaders(event, receiver.secrets, at),
    };
    const response = await sender.post({ url: receiver.url, headers, body: event.body });
    const { status_code } = response;
    const succeeded = status_code !== null && status_code >= 200 && status_code < 300;
    return { ...response, event_id: event.id, at: at.toISOString(), succeeded, by_request };
  }

  return { toReceiver, attempt };
}

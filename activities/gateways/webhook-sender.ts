import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import { RequestFilteringHttpAgent, RequestFilteringHttpsAgent } from 'request-filtering-agent';
import { MINUTE_MS } from '../../domain/durations.js';
import { ApiError } from '../../domain/errors.js';
import { isPublicAddress, notPublic, readReceiverUrl } from '../../domain/receiver-address.js';
import { createLookup } from './resolver.js';

/** How much of a response is stored. */
const EXCERPT_BYTES = 2_048;
/** How much of a response is read, so that the connection can be reused. A longer response closes it. */
const READ_BYTES = 65_536;

/** Idle connections are closed after this long. */
const IDLE_MS = MINUTE_MS;

/** A receiver's response. `error` is a code that says why there is none. */
export interface WebhookResponse {
  status_code: number | null;
  duration_ms: number;
  error: string | null;
  response_excerpt: string | null;
}

export interface WebhookRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** Sends one signed body to a receiver. Never throws because of the receiver. */
export interface WebhookSender {
  post(request: WebhookRequest): Promise<WebhookResponse>;
}

export interface SenderOptions {
  allowPrivate: boolean;
  timeoutMs: number;
  /** A resolver other than `createLookup`'s. */
  lookup?: LookupFunction;
}

const NO_RESPONSE = { status_code: null, response_excerpt: null };

/** Refuses a name if any of its addresses is not public, since any of them could be used. */
function publicOnly(lookup: LookupFunction): LookupFunction {
  return (host, options, callback) =>
    lookup(host, options, (error, found, family) => {
      const addresses = typeof found === 'string' ? [found] : (found ?? []).map(({ address }) => address);
      if (!error && !addresses.every(isPublicAddress)) callback(notPublic(), [], 0);
      else callback(error, found, family);
    });
}

/**
 * A sender over HTTP(S) that keeps connections, follows no redirect, and connects to public addresses only
 * (docs/rules/events.md#receiver-addresses): our own rule checks the URL and the resolved addresses, and
 * request-filtering-agent checks the socket's address. `allowPrivate` turns off both.
 */
export function createWebhookSender(options: SenderOptions): WebhookSender {
  const { allowPrivate, timeoutMs, lookup = createLookup() } = options;
  const agentOptions = {
    keepAlive: true,
    maxFreeSockets: 16,
    timeout: IDLE_MS,
    lookup: allowPrivate ? lookup : publicOnly(lookup),
    allowPrivateIPAddress: allowPrivate,
    allowMetaIPAddress: allowPrivate,
  };
  const agents = {
    'http:': new RequestFilteringHttpAgent(agentOptions),
    'https:': new RequestFilteringHttpsAgent(agentOptions),
  };

  function exchange(url: URL, request: WebhookRequest): Promise<WebhookResponse | 'stale'> {
    const began = performance.now();
    return new Promise((resolve) => {
      const end = (response: Omit<WebhookResponse, 'duration_ms'>): void => {
        clearTimeout(timer);
        resolve({ ...response, duration_ms: Math.round(performance.now() - began) });
      };
      const timer = setTimeout(() => sent.destroy(new Error('timeout')), timeoutMs);
      const { request: open } = url.protocol === 'https:' ? https : http;
      const agent = agents[url.protocol as keyof typeof agents];
      const headers = { ...request.headers, 'content-length': Buffer.byteLength(request.body) };
      let responded = false;
      const sent = open(url, { method: 'POST', agent, headers }, (response) => {
        responded = true;
        readExcerpt(response, (response_excerpt) =>
          end({ status_code: response.statusCode!, error: null, response_excerpt }),
        );
      });
      sent.on('error', (error: NodeJS.ErrnoException) => {
        // The status has arrived; the excerpt is what has arrived of the body.
        if (responded) return;
        clearTimeout(timer);
        // The receiver closed an idle connection while it was being reused: not a failure of the receiver.
        if (sent.reusedSocket && error.code === 'ECONNRESET') resolve('stale');
        else end({ ...NO_RESPONSE, error: reasonOf(error) });
      });
      sent.end(request.body);
    });
  }

  return {
    async post(request) {
      let url: URL;
      try {
        url = readReceiverUrl(request.url, allowPrivate);
      } catch (error) {
        return { ...NO_RESPONSE, error: reasonOf(error), duration_ms: 0 };
      }
      const response = await exchange(url, request);
      if (response !== 'stale') return response;
      const again = await exchange(url, request);
      return again === 'stale' ? { ...NO_RESPONSE, error: 'ECONNRESET', duration_ms: 0 } : again;
    },
  };
}

/**
 * Reads the beginning of a response's body, as text that the database can store, and calls back once. The rest is read
 * up to a limit, so that the connection can be reused. What has not arrived before the timeout is dropped.
 */
function readExcerpt(response: IncomingMessage, done: (excerpt: string) => void): void {
  const chunks: Buffer[] = [];
  let read = 0;
  response.on('data', (chunk: Buffer) => {
    if (read < EXCERPT_BYTES) chunks.push(chunk);
    read += chunk.length;
    if (read > READ_BYTES) response.destroy();
  });
  response.on('error', () => undefined);
  response.once('close', () => {
    const bytes = Buffer.concat(chunks).subarray(0, EXCERPT_BYTES);
    done(bytes.toString('utf8').replaceAll('\0', '\uFFFD'));
  });
}

/** Why there was no response: a network error code, never an address. */
function reasonOf(error: unknown): string {
  if (error instanceof ApiError) return 'address_not_allowed';
  const { code, message } = error as NodeJS.ErrnoException;
  if (message === 'timeout') return 'timeout';
  return code ?? (/is not allowed/.test(message) ? 'address_not_allowed' : 'failed');
}

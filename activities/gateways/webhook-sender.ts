import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import { ApiError } from '../../domain/errors.js';
import { readReceiverUrl } from '../../domain/events/receiver-address.js';
import { createLookup } from './resolver.js';
import { createRoute } from './webhook-route.js';

/** How much of a response is stored. */
const EXCERPT_BYTES = 2_048;
/**
 * How much of a response is read, so that the connection can be reused. If the response is longer, the
 * connection is closed.
 */
const READ_BYTES = 65_536;

/** A receiver's response. `error` is a code for why there is none. */
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
  /**
   * A proxy (`CONNECT`) through which all requests go: `http://` or `https://`, with its user
   * and password if it has any.
   */
  proxyUrl?: string | null;
  /** A resolver to use instead of `createLookup`'s. */
  lookup?: LookupFunction;
}

const NO_RESPONSE = { status_code: null, response_excerpt: null };

/**
 * Creates a sender over HTTP(S) that keeps connections open, follows no redirects, and only connects to
 * public addresses, directly or through a proxy (docs/rules/events.md#receiver-addresses). `allowPrivate`
 * turns off the address checks.
 */
export function createWebhookSender(options: SenderOptions): WebhookSender {
  const { allowPrivate, timeoutMs, proxyUrl = null, lookup = createLookup() } = options;
  const route = createRoute(lookup, { allowPrivate, proxyUrl, timeoutMs });

  async function exchange(url: URL, request: WebhookRequest): Promise<WebhookResponse | 'stale'> {
    const began = performance.now();
    const way = await route(url);
    return new Promise((resolve) => {
      const end = (response: Omit<WebhookResponse, 'duration_ms'>): void => {
        clearTimeout(timer);
        resolve({ ...response, duration_ms: Math.round(performance.now() - began) });
      };
      const left = timeoutMs - (performance.now() - began);
      const timer = setTimeout(() => sent.destroy(new Error('timeout')), left);
      const { request: open } = url.protocol === 'https:' ? https : http;
      const length = { 'content-length': Buffer.byteLength(request.body) };
      const headers = { ...request.headers, ...way.headers, ...length };
      let responded = false;
      const sent = open(url, { method: 'POST', ...way, headers }, (response) => {
        responded = true;
        readExcerpt(response, (response_excerpt) =>
          end({ status_code: response.statusCode!, error: null, response_excerpt }),
        );
      });
      sent.on('error', (error: NodeJS.ErrnoException) => {
        // The status has arrived. The excerpt is the part of the body that has arrived.
        if (responded) return;
        clearTimeout(timer);
        // The receiver closed an idle connection while it was being reused, which is not a failure of the
        // receiver.
        if (sent.reusedSocket && error.code === 'ECONNRESET') resolve('stale');
        else end({ ...NO_RESPONSE, error: describeNetworkFailure(error) });
      });
      sent.end(request.body);
    });
  }

  return {
    async post(request) {
      const began = performance.now();
      try {
        const url = readReceiverUrl(request.url, allowPrivate);
        const response = await exchange(url, request);
        if (response !== 'stale') return response;
        const again = await exchange(url, request);
        return again === 'stale' ? { ...NO_RESPONSE, error: 'ECONNRESET', duration_ms: 0 } : again;
      } catch (error) {
        const duration_ms = Math.round(performance.now() - began);
        return { ...NO_RESPONSE, error: describeNetworkFailure(error), duration_ms };
      }
    },
  };
}

/**
 * Reads the beginning of a response's body, as text that the database can store, and calls back once. The
 * rest is read up to a limit, so that the connection can be reused. Anything that has not arrived before the
 * timeout is dropped.
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

/** Returns why there was no response: a network error code, never an address. */
function describeNetworkFailure(error: unknown): string {
  if (error instanceof ApiError) return 'address_not_allowed';
  const { code, message } = error as NodeJS.ErrnoException;
  if (message === 'timeout') return 'timeout';
  return code ?? (/is not allowed/.test(message) ? 'address_not_allowed' : 'failed');
}

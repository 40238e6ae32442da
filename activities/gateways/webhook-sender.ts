import dns from 'node:dns';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import { RequestFilteringHttpAgent, RequestFilteringHttpsAgent } from 'request-filtering-agent';
import { ApiError } from '../../domain/errors.js';
import { isPublicAddress, notPublic, readReceiverUrl } from '../../domain/receiver-address.js';

/** How much of a receiver's answer is kept. */
const EXCERPT_BYTES = 2_048;
/** How much of it is read at most, so that the connection can be used again; who says more is cut off. */
const READ_BYTES = 65_536;

/** After so long an idle connection is given up. */
const IDLE_MS = 60_000;

/** What a receiver answered. `error` says in a word why there is no answer. */
export interface Answer {
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

/** Sends one signed body to a receiver. Never throws for what the receiver does. */
export interface WebhookSender {
  post(request: WebhookRequest): Promise<Answer>;
}

export interface SenderOptions {
  allowPrivate: boolean;
  timeoutMs: number;
  /** Another resolver than the system's. */
  lookup?: LookupFunction;
}

const NO_ANSWER = { status_code: null, response_excerpt: null };

/** Refuses a name if any of its addresses is not public: which one would be taken is chance. */
function publicOnly(lookup: LookupFunction): LookupFunction {
  return (host, options, callback) =>
    lookup(host, options, (error, found, family) => {
      const addresses = typeof found === 'string' ? [found] : (found ?? []).map(({ address }) => address);
      if (!error && !addresses.every(isPublicAddress)) callback(notPublic(), [], 0);
      else callback(error, found, family);
    });
}

/**
 * A sender over HTTP(S) that keeps connections, follows no redirect, and connects to public addresses only, by the
 * address it really connects to: our own rule when the URL is read and when its name is resolved, and
 * request-filtering-agent's at the socket. With `allowPrivate` both let everything through.
 */
export function createWebhookSender(options: SenderOptions): WebhookSender {
  const { allowPrivate, timeoutMs, lookup = dns.lookup as LookupFunction } = options;
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

  function exchange(url: URL, request: WebhookRequest): Promise<Answer | 'stale'> {
    const began = performance.now();
    return new Promise((resolve) => {
      const end = (answer: Omit<Answer, 'duration_ms'>): void => {
        clearTimeout(timer);
        resolve({ ...answer, duration_ms: Math.round(performance.now() - began) });
      };
      const timer = setTimeout(() => sent.destroy(new Error('timeout')), timeoutMs);
      const { request: open } = url.protocol === 'https:' ? https : http;
      const agent = agents[url.protocol as keyof typeof agents];
      const headers = { ...request.headers, 'content-length': Buffer.byteLength(request.body) };
      let answered = false;
      const sent = open(url, { method: 'POST', agent, headers }, (answer) => {
        answered = true;
        readExcerpt(answer, (response_excerpt) =>
          end({ status_code: answer.statusCode!, error: null, response_excerpt }),
        );
      });
      sent.on('error', (error: NodeJS.ErrnoException) => {
        // The status was there in time; of the body, what has come is taken.
        if (answered) return;
        clearTimeout(timer);
        // The receiver closed a kept connection at the moment we took it up again: that is no failure of its own.
        if (sent.reusedSocket && error.code === 'ECONNRESET') resolve('stale');
        else end({ ...NO_ANSWER, error: reasonOf(error) });
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
        return { ...NO_ANSWER, error: reasonOf(error), duration_ms: 0 };
      }
      const answer = await exchange(url, request);
      if (answer !== 'stale') return answer;
      const again = await exchange(url, request);
      return again === 'stale' ? { ...NO_ANSWER, error: 'ECONNRESET', duration_ms: 0 } : again;
    },
  };
}

/**
 * Reads the beginning of an answer's body, as text that the database can store, and tells it once. The rest is read
 * up to a bound, so that the connection can be used again. What hasn't come when time is up is lost.
 */
function readExcerpt(answer: IncomingMessage, tell: (excerpt: string) => void): void {
  const chunks: Buffer[] = [];
  let read = 0;
  answer.on('data', (chunk: Buffer) => {
    if (read < EXCERPT_BYTES) chunks.push(chunk);
    read += chunk.length;
    if (read > READ_BYTES) answer.destroy();
  });
  answer.on('error', () => undefined);
  answer.once('close', () => {
    const bytes = Buffer.concat(chunks).subarray(0, EXCERPT_BYTES);
    tell(bytes.toString('utf8').replaceAll('\0', '\uFFFD'));
  });
}

/** Why there was no answer: a code of the network's, never an address. */
function reasonOf(error: unknown): string {
  if (error instanceof ApiError) return 'address_not_allowed';
  const { code, message } = error as NodeJS.ErrnoException;
  if (message === 'timeout') return 'timeout';
  return code ?? (/is not allowed/.test(message) ? 'address_not_allowed' : 'failed');
}

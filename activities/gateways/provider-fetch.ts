import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import { readReceiverUrl } from '../../domain/events/receiver-address.js';
import { createLookup } from './resolver.js';
import { createRoute, type Route } from './webhook-route.js';

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 256 * 1024;
const MAX_REDIRECTS = 3;

export interface ProviderRequest {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

type ProviderFetch = (url: string, request?: ProviderRequest) => Promise<Response>;

interface FetchOptions {
  allowPrivate: boolean;
  proxyUrl: string | null;
  timeoutMs?: number;
  /** A resolver to use instead of `createLookup`'s. */
  lookup?: LookupFunction;
}

/**
 * Fetches URLs that owners of workspaces enter, under the rules for webhook receivers
 * (docs/rules/events.md#receiver-addresses). Only redirects of a GET to the same host are followed.
 */
export function createProviderFetch(options: FetchOptions): ProviderFetch {
  const { allowPrivate, proxyUrl, timeoutMs = TIMEOUT_MS, lookup = createLookup() } = options;
  const route = createRoute(lookup, { allowPrivate, proxyUrl, timeoutMs });
  return async (address, request = {}) => {
    let url = readReceiverUrl(address, allowPrivate);
    for (let redirects = 0; ; redirects++) {
      const response = await exchange(route, url, request, timeoutMs);
      const location = response.headers.get('location');
      if (response.status < 300 || response.status > 399 || !location) return response;
      const next = readReceiverUrl(new URL(location, url).href, allowPrivate);
      if (request.method === 'POST' || next.origin !== url.origin || redirects === MAX_REDIRECTS)
        throw new Error(`It redirects to ${next.host}, which is not followed.`);
      url = next;
    }
  };
}

async function exchange(
  route: Route,
  url: URL,
  { method = 'GET', headers, body }: ProviderRequest,
  timeoutMs: number,
): Promise<Response> {
  const signal = AbortSignal.timeout(timeoutMs);
  const way = await route(url);
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const { request } = url.protocol === 'https:' ? https : http;
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
    request(url, { method, ...way, headers: { ...headers, ...way.headers, ...length }, signal }, resolve)
      .on('error', reject)
      .end(body);
  });
  const chunks: Buffer[] = [];
  let read = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    read += chunk.length;
    if (read > MAX_BYTES) throw new Error('The response has more than 256 kB.');
    chunks.push(chunk);
  }
  const status = response.statusCode!;
  const given = Object.entries(response.headersDistinct).flatMap(([name, values]) =>
    values!.map((value): [string, string] => [name, value]),
  );
  const empty = status === 204 || status === 205 || status === 304;
  return new Response(empty ? null : Buffer.concat(chunks), { status, headers: given });
}

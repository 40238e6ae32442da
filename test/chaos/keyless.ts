import { randomUUID } from 'node:crypto';
import http from 'node:http';
import { syncBuiltinESMExports } from 'node:module';

const HEADER = 'Idempotency-Key';
/** Lists in which what an earlier attempt has made is looked up. */
const LOOK_UP = /^\/v1\/(payment_intents|refunds|checkout\/sessions)\?/;

/**
 * Gives each request of this process that has an idempotency key another one, and has
 * its look-ups find nothing.
 */
export function withoutKeys(): void {
  const { request } = http;
  http.request = ((options: http.RequestOptions, ...rest: never[]) => {
    const headers = options.headers as Record<string, unknown> | undefined;
    if (headers?.[HEADER]) headers[HEADER] = randomUUID();
    if (options.method === 'GET' && LOOK_UP.test(options.path ?? ''))
      options.path = `${options.path!.replace(/created\[gte\]=\d+&?/, '')}&created[gte]=4000000000`;
    return request(options, ...rest);
  }) as typeof request;
  syncBuiltinESMExports();
}

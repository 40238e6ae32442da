import { randomUUID } from 'node:crypto';
import http from 'node:http';
import { syncBuiltinESMExports } from 'node:module';

const HEADER = 'Idempotency-Key';
/** Lists in which the result of an earlier attempt is looked up. */
const LOOK_UP = /^\/v1\/(payment_intents|refunds|checkout\/sessions)\?/;

/** Replaces the idempotency key of each request of this process, and makes its look-ups find nothing. */
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

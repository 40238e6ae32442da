import { randomUUID } from 'node:crypto';
import http from 'node:http';
import { syncBuiltinESMExports } from 'node:module';

const HEADER = 'Idempotency-Key';

/** Gives each request of this process that has an idempotency key another one. */
export function withoutKeys(): void {
  const { request } = http;
  http.request = ((options: http.RequestOptions, ...rest: never[]) => {
    const headers = options.headers as Record<string, unknown> | undefined;
    if (headers?.[HEADER]) headers[HEADER] = randomUUID();
    return request(options, ...rest);
  }) as typeof request;
  syncBuiltinESMExports();
}

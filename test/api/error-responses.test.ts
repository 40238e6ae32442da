import { ServiceError, WorkflowUpdateFailedError } from '@temporalio/client';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import test from 'ava';
import Koa from 'koa';
import type { Logger } from 'pino';
import { QueryFailedError } from 'typeorm';
import { ApiError } from '../../domain/errors.js';
import { asApiError, errorResponses } from '../../api/http/errors.js';
import { bulkReading } from '../../api/resources/members/operations.js';

test('an error that a retry can resolve is a 503, and anything unexpected is not', (t) => {
  const errorCode = (error: unknown): string | undefined => asApiError(error)?.code;
  t.is(errorCode(new ServiceError('Failed to start Workflow')), 'service_unavailable');
  const ended = new WorkflowUpdateFailedError('Workflow Update failed', new Error('completed'));
  t.is(errorCode(ended), 'service_unavailable', 'the run has ended before it handled the update');
  t.is(errorCode(new Error('a bug')), undefined);
});

test('an operation of a bulk request fails with the same error as a single request', (t) => {
  const logged: unknown[] = [];
  const log = { error: (entry: unknown) => logged.push(entry) } as unknown as Logger;
  const { toApiError } = bulkReading({ log });
  const locked = new QueryFailedError('', [], Object.assign(new Error('locked'), { code: '55P03' }));
  t.is(toApiError(locked).code, 'service_unavailable');
  t.is(toApiError(new ApiError('member_exists', 'A member has this address.')).code, 'member_exists');
  t.is(logged.length, 0);
  t.is(toApiError(new Error('a bug')).code, 'internal_error');
  t.is(logged.length, 1);
});

test('a 503 of the database says what happened: another request’s lock, a slow statement, or an outage', (t) => {
  const outageMessage = (code: string): string | undefined =>
    asApiError(new QueryFailedError('', [], Object.assign(new Error('refused'), { code })))?.message;
  for (const code of ['55P03', '40P01', '40001'])
    t.regex(outageMessage(code)!, /^Another request is changing/, code);
  t.regex(outageMessage('57014')!, /^The request could not be completed in time\./);
  t.regex(outageMessage('57P01')!, /^The database is unavailable\./);
  t.is(outageMessage('42P01'), undefined);
});

test('an unexpected error is a 500 internal_error that reveals nothing internal, and is logged with its id', async (t) => {
  const logged: { err: Error; requestId: string }[] = [];
  const log = { error: (entry: (typeof logged)[number]) => logged.push(entry) } as unknown as Logger;
  const koa = new Koa();
  koa.silent = true;
  koa.use(errorResponses(log)).use(() => {
    throw new Error('relation "payments" does not exist');
  });
  const server = koa.listen(0, '127.0.0.1');
  try {
    await once(server, 'listening');
    const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/rooms`);
    const text = await response.text();
    t.is(response.status, 500);
    const { error } = JSON.parse(text);
    t.is(error.code, 'internal_error');
    t.is(error.request_id, response.headers.get('x-request-id'));
    t.notRegex(text, /relation|payments|stack/);
    t.is(logged.length, 1);
    t.is(logged[0]!.requestId, error.request_id);
    t.regex(logged[0]!.err.message, /relation "payments"/);
  } finally {
    server.close();
  }
});

import pino from 'pino';
import test from 'ava';
import { openOrExit } from '../../db/open-at-start.js';
import { asApiError } from '../../api/http/errors.js';
import { isOutage } from '../../db/outage.js';
import { getPool } from '../../db/pool.js';
import { dev } from '../support/stack.js';

test('API and worker limit statements, waits for locks and idle transactions, and exceeding a limit is not an internal error', async (t) => {
  const service = await openOrExit({ url: dev.databaseUrl, poolSize: 3 }, pino({ level: 'silent' }));
  t.teardown(() => service.destroy());
  t.is(getPool(service).options.max, 3, 'DATABASE_POOL_SIZE');
  const [limits] = await service.query(
    `SELECT current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock,
            current_setting('idle_in_transaction_session_timeout') AS idle,
            current_setting('TimeZone') AS zone`,
  );
  t.deepEqual(limits, { statement: '1min', lock: '10s', idle: '1min', zone: 'UTC' });

  const slow = service.transaction(async (tx) => {
    await tx.query(`SET LOCAL statement_timeout = '50ms'`);
    await tx.query('SELECT pg_sleep(5)');
  });
  const tooSlow = await t.throwsAsync(slow);
  t.true(isOutage(tooSlow));
  t.regex(asApiError(tooSlow)!.message, /^The request could not be completed in time\./);
  const [again] = await service.query(`SELECT current_setting('statement_timeout') AS statement`);
  t.is(again.statement, '1min', 'of the next transaction');

  const waiting = service.transaction(async (first) => {
    await first.query(`SELECT pg_advisory_xact_lock(hashtext('timeouts'))`);
    await service.transaction(async (second) => {
      await second.query(`SET LOCAL lock_timeout = '50ms'`);
      await second.query(`SELECT pg_advisory_xact_lock(hashtext('timeouts'))`);
    });
  });
  const locked = await t.throwsAsync(waiting);
  t.true(isOutage(locked));
  t.is(
    asApiError(locked)?.message,
    'Another request is changing the same data. Try again, with the same idempotency key if you sent one.',
  );
});

import { Writable } from 'node:stream';
import { pino } from 'pino';
import { QueryFailedError } from 'typeorm';
import test from 'ava';
import { REDACTED_IN_LOGS } from '../../db/log-redaction.js';

test('a failed query is logged without the values of its rows and parameters', (t) => {
  let logged = '';
  const stream = new Writable({
    write(chunk, _encoding, done) {
      logged += chunk;
      done();
    },
  });
  const values = {
    detail: 'Failing row contains (mem_1, ines@example.com).',
    where: "portal 'ines@example.com'",
  };
  const refused = Object.assign(new Error('new row violates check constraint "members_name"'), values);
  const err = new QueryFailedError('UPDATE members SET email = $1', ['ines@example.com'], refused);
  const log = pino({ redact: REDACTED_IN_LOGS }, stream);
  log.error({ err }, 'request failed');
  // Temporal's SDK uses this name in the worker.
  log.error({ error: err }, 'Activity failed');
  t.regex(logged, /members_name/);
  t.false(logged.includes('ines@example.com'), logged);
});

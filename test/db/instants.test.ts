import test from 'ava';
import pg from 'pg';
import { parseInstant } from '../../db/type-parsers.js';

const byDriver = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ);

test('instants are parsed as the driver parses them, whatever their form', (t) => {
  const texts = [
    '2026-11-29 09:30:00+00',
    '2026-11-29 09:30:00.5+00',
    '2026-02-28 23:59:59.999999+00',
    '1969-12-31 23:59:59.0019+00',
    '9999-12-31 23:59:59+00',
    '10000-01-01 00:00:00+00',
    '0099-03-01 00:00:00+00',
    '0044-03-15 12:00:00+00 BC',
    '2026-11-29 09:30:00+05:30',
    '2026-11-29 09:30:00-03',
    'infinity',
    '-infinity',
  ];
  for (const text of texts) t.deepEqual(parseInstant(text), byDriver(text), text);
});

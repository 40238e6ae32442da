import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';

/** Compares the clocks of Postgres with those of the process. */
const COMPARES = 'db/queries/time-zones.ts';

test('no statement of the service computes local time: Postgres may not know a zone, or know other rules', (t) => {
  const folders = ['activities', 'api', 'commands', 'db', 'deploy', 'domain', 'ops', 'web', 'worker'];
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(ts|tsx|sql)$/.test(name))
      .map((name) => join(folder, name)),
  );
  t.true(files.length > 500);
  const found = files.filter((file) => /AT TIME ZONE|\btimezone\(/.test(readFileSync(file, 'utf8')));
  t.deepEqual(found, [COMPARES]);
});

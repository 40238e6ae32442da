import { readFileSync } from 'node:fs';
import test from 'ava';
import { Tree } from '../../dev/lint/rule.js';
import { templatesIn } from '../../dev/lint/templates.js';
import { withScratchDatabase } from '../support/scratch-database.js';

/** How a statement begins, after comments. */
const BEGINNING = /^\s*(--[^\n]*\n\s*)*(WITH|SELECT|INSERT INTO|UPDATE|DELETE FROM)\b/;

test('Postgres accepts every statement in the sources', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const runner = scratch.createQueryRunner();
    let count = 0;
    for (const path of new Tree().paths(/^(commands|db|ops|worker)\/.*\.ts$/))
      for (const { text, isWhole } of templatesIn(readFileSync(path, 'utf8'))) {
        if (!isWhole || !BEGINNING.test(text)) continue;
        const sql = text.replaceAll(/\\(.)/g, '$1');
        await t.notThrowsAsync(runner.query(`PREPARE statement AS ${sql}`), `${path}: ${sql}`);
        await runner.query('DEALLOCATE ALL');
        count++;
      }
    await runner.release();
    t.true(count > 600, `only ${count} statements were found`);
  });
});

import test from 'ava';
import { openDatabase } from '../../db/data-source.js';
import { many } from '../../db/query.js';
import { transaction } from '../../db/transaction.js';
import { withScratchDatabase } from '../support/scratch-database.js';

const ALL_MARKS = { name: 'all_marks', text: 'SELECT * FROM marks' };

test('a prepared statement that selects all columns still works after its table gets a new one', async (t) => {
  await withScratchDatabase(async (scratch, url) => {
    await scratch.query('CREATE TABLE marks AS SELECT 1 AS first');
    // One connection, so that the statement is prepared where it runs again.
    const db = await openDatabase({ url, poolSize: 1 });
    try {
      const read = () => many<object>(db.manager, ALL_MARKS);
      t.deepEqual(await read(), [{ first: 1 }]);
      await scratch.query('ALTER TABLE marks ADD second integer');
      t.deepEqual(await read(), [{ first: 1, second: null }]);

      await scratch.query('ALTER TABLE marks ADD third integer');
      const inTransaction = await transaction(db, (tx) => many<object>(tx, ALL_MARKS));
      t.deepEqual(inTransaction, [{ first: 1, second: null, third: null }]);
    } finally {
      await db.destroy();
    }
  });
});

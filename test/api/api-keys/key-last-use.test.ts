import test from 'ava';
import { db } from '../../support/stack.js';
import { newWorkspace } from '../../support/workspaces.js';
import { firstKeyId } from '../../support/limit-calls.js';

test("a key's last use is exact to the minute, and written once a minute", async (t) => {
  const workspace = await newWorkspace();
  const keyId = await firstKeyId(workspace.id);
  const look = async () =>
    (
      await db.query(`SELECT xmin::text AS version, last_used_at FROM api_tokens WHERE key_id = $1`, [keyId])
    )[0];
  const minute = (time: Date): string => time.toISOString().slice(0, 16);
  let before = new Date();
  t.is((await look()).last_used_at, null);
  await workspace.api.get('/v1/workspace');
  const first = await look();
  t.true([minute(before), minute(new Date())].includes(minute(first.last_used_at)));
  for (let n = 0; n < 3; n++) await workspace.api.get('/v1/workspace');
  if (minute(first.last_used_at) === minute(new Date())) t.deepEqual(await look(), first);
  await db.query(
    `UPDATE api_tokens SET last_used_at = last_used_at - interval '1 minute' WHERE key_id = $1`,
    [keyId],
  );
  before = new Date();
  await workspace.api.get('/v1/workspace');
  const { last_used_at } = await look();
  t.true([minute(before), minute(new Date())].includes(minute(last_used_at)));
});

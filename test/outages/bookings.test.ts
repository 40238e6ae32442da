import test from 'ava';
import { sweep } from '../support/invariants.js';
import { bookingBody } from '../support/bookings.js';
import { db, readDevJson } from '../support/stack.js';
import { until } from '../support/until.js';
import { newRoom, newWorkspace } from '../support/workspaces.js';

test('after an API process is killed during a create, a retry with the same key gives one booking', async (t) => {
  const workspace = await newWorkspace();
  const room = await newRoom(workspace.api);
  const body = bookingBody(room.id);
  const first = workspace.api.post('/v1/bookings', body).catch(() => null);
  for (const pid of readDevJson().pids.api) process.kill(pid, 'SIGKILL');
  await first;
  const response = await until(async () => {
    const again = await workspace.api.post('/v1/bookings', body).catch(() => null);
    return again && again.status < 300 && again;
  });
  const rows = await db.query(`SELECT id FROM bookings WHERE workspace_id = $1`, [workspace.id]);
  t.deepEqual(rows, [{ id: response.body.id }]);
  await sweep(t, workspace);
});

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { BUNDLE_PATH } from '../../worker/bundle.js';
import { bookingBody } from '../support/bookings.js';
import { newRoom, newWorkspace } from '../support/workspaces.js';
import { checkRuns } from './check-runs.js';

test('open runs are replayed with a bundle before it is deployed, and a bundle that would stop them is refused', async (t) => {
  const { api, id } = await newWorkspace();
  const room = await newRoom(api);
  const { body: booking } = await api.post('/v1/bookings', bookingBody(room.id));
  const same = await checkRuns(id, BUNDLE_PATH);
  t.is(same.code, 0, same.stdout);
  t.is(JSON.parse(same.stdout).replayed.booking, 1);
  t.deepEqual(JSON.parse(same.stdout).failed, []);

  const folder = mkdtempSync(join(tmpdir(), 'holdfast-bundle-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  const changed = join(folder, 'bundle.js');
  writeFileSync(changed, readFileSync(BUNDLE_PATH, 'utf8').replaceAll('openBooking', 'openAnother'));
  const other = await checkRuns(id, changed);
  t.is(other.code, 1);
  const [failure] = JSON.parse(other.stdout).failed;
  t.is(failure.workflowId, booking.id);
  t.regex(failure.reason, /Determinism/);
});

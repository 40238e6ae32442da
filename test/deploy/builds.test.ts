import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import { BUNDLE_PATH } from '../../worker/bundle.js';
import { withScratchDatabase } from '../support/scratch-database.js';
import { bookingBody, createBooking, pay, checkoutSessionId, untilStatus } from '../support/bookings.js';
import { until } from '../support/until.js';
import { newRoom } from '../support/workspaces.js';
import { sweep } from '../support/invariants.js';
import { openWorkspace } from '../support/own-workspace.js';
import { startOwnService } from '../support/own-service.js';
import { temporal } from '../support/temporal.js';
import { checkRuns } from './check-runs.js';
import type { Booking } from '../support/api-bodies.js';

const SERVICE = [
  'activities',
  'commands',
  'config',
  'contract',
  'db',
  'deploy',
  'domain',
  'ops',
  'worker',
  'workflows',
];

const run = promisify(execFile);

/**
 * Builds another release, whose bookings have one more command, under a patch. Returns its folder, which has
 * only the files of an image.
 */
async function buildNextRelease(): Promise<string> {
  const [root, sources] = ['image', 'sources'].map((name) =>
    mkdtempSync(join(tmpdir(), `holdfast-${name}-`)),
  );
  for (const name of SERVICE) cpSync(join('build', name), join(sources!, 'build', name), { recursive: true });
  cpSync('package.json', join(sources!, 'package.json'));
  symlinkSync(resolve('node_modules'), join(sources!, 'node_modules'));
  const path = join(sources!, 'build/workflows/booking.js');
  const source = readFileSync(path, 'utf8');
  const before = 'let wasPaid = false;';
  if (!source.includes(before)) throw new Error(`${path} has no "${before}".`);
  const command = `upsertSearchAttributes([{ key: searchAttributes.attentionNeeded, value: false }])`;
  const changed = source.replace(before, `${before}\nif (isNext('next-release')) ${command};`);
  writeFileSync(path, `import { patched as isNext } from '@temporalio/workflow';\n${changed}`);
  await Promise.all([
    run(process.execPath, ['build/worker/bundle.js'], { cwd: sources! }),
    run(process.execPath, ['ops/image-files.mjs', root!]),
  ]);
  cpSync(join(sources!, 'build/workflow-bundle.js'), join(root!, 'build/workflow-bundle.js'));
  rmSync(sources!, { recursive: true });
  return root!;
}

const readHistory = async (bookingId: string): Promise<string> =>
  JSON.stringify(await temporal.workflow.getHandle(bookingId).fetchHistory());
const hasPatch = async (bookingId: string): Promise<boolean> =>
  (await readHistory(bookingId)).includes('markerRecordedEventAttributes');

test('bookings continue while two builds run side by side, after the upgrade and after going back', async (t) => {
  const next = await buildNextRelease();
  t.teardown(() => rmSync(next, { recursive: true, force: true }));
  await withScratchDatabase(async (db, databaseUrl) => {
    const service = await startOwnService(databaseUrl, { LOG_LEVEL: 'error' });
    t.teardown(service.stop);
    const workspace = await openWorkspace(service);
    const { api } = workspace;
    const room = await newRoom(api);
    const book = () => createBooking(api, bookingBody(room.id));
    const visit = (booking: Booking): Promise<unknown> =>
      fetch(`${service.baseUrl}/checkout/success?session_id=${checkoutSessionId(booking)}`).catch(
        () => undefined,
      );
    // Like a payer who reloads the page: a task taken by the wrong build is dispatched again, after
    // increasing pauses.
    const untilConfirmed = (booking: Booking): Promise<unknown> =>
      until(async () => {
        await visit(booking);
        return (await api.get(`/v1/bookings/${booking.id}`)).body.status === 'confirmed';
      });
    const confirm = (booking: Booking): Promise<unknown> => pay(booking).then(() => untilConfirmed(booking));

    const old = await Promise.all([book(), book(), book()]);
    const upgraded = await service.startWorker(join(next, 'build'));
    const during = await Promise.all([book(), book(), book()]);
    await Promise.all([confirm(old[0]), confirm(during[0])]);

    await service.worker.stop();
    const fresh = await Promise.all([book(), book()]);
    t.true(await until(() => hasPatch(fresh[0].id)), 'the next release runs');
    await Promise.all([confirm(old[1]), confirm(during[1]), confirm(fresh[0])]);
    t.is((await api.patch(`/v1/bookings/${old[0].id}`, { notes: 'Window' })).status, 200);

    // Going back: the check lists the runs that only the next release can continue.
    const { code, stdout } = await checkRuns(workspace.id, BUNDLE_PATH, service.taskQueue);
    t.is(code, 1, stdout);
    const named = JSON.parse(stdout).failed.map(({ workflowId }: { workflowId: string }) => workflowId);
    t.true(named.includes(fresh[1].id));
    for (const { id } of old) t.false(named.includes(id), 'bookings of the release before can go back');

    await service.startWorker();
    await upgraded.stop();
    await Promise.all([confirm(old[2]), book().then(confirm)]);
    await pay(fresh[1]);
    void visit(fresh[1]);
    await until(async () => (await readHistory(fresh[1].id)).includes('workflowTaskFailedEventAttributes'));
    t.is((await api.get(`/v1/bookings/${fresh[1].id}`)).body.status, 'pending_payment', 'it stands still');

    await service.startWorker(join(next, 'build'));
    await Promise.all([untilConfirmed(fresh[1]), confirm(during[2])]);
    for (const { id } of [...old, ...during, ...fresh]) {
      await untilStatus(api, id, 'confirmed');
      t.is((await temporal.workflow.getHandle(id).describe()).status.name, 'RUNNING');
    }
    await sweep(t, workspace, db);
  });
});

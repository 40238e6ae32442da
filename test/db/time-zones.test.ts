import test from 'ava';
import { compareZones, firstDifference, isStoredZone } from '../../db/queries/time-zones.js';
import { column, execute } from '../../db/query.js';
import { insertWorkspace } from '../../commands/workspaces/workspaces.js';
import { isKnownZone } from '../../domain/time-zone.js';
import { db } from '../support/stack.js';
import { withScratchDatabase } from '../support/scratch-database.js';

/** Years whose clock changes are all known: both zone databases have been released since. */
const PAST = { start: Date.UTC(2022, 0), end: Date.UTC(2026, 0) };
/** Future years, in which a release of one database may have a change that the other lacks. */
const AHEAD = { start: PAST.end, end: Date.UTC(2029, 0) };
/** At most this many zones change their rules between two versions. */
const CHANGED = 5;

test('every accepted time zone has the same clock in the process and in Postgres, for years', async (t) => {
  const tx = db.manager;
  const names = await column<string>(tx, 'SELECT name FROM pg_timezone_names ORDER BY name');
  const taken: string[] = [];
  for (const name of names) if (await isStoredZone(tx, name)) taken.push(name);
  t.true(taken.length > 400, String(taken.length));
  const changed: string[] = [];
  for (const name of taken) {
    t.is(await firstDifference(tx, name, PAST), null, name);
    if (await firstDifference(tx, name, AHEAD)) changed.push(name);
  }
  t.log('zones whose rules differ by the versions:', changed);
  t.true(changed.length <= CHANGED, changed.join());
});

test('zone names that Postgres does not have or reads differently are refused', async (t) => {
  const abbreviations = [
    'BST',
    'CTT',
    'AET',
    'CAT',
    'SST',
    'CET',
    'EST',
    'EST5EDT',
    'GMT',
    'GB',
    'Japan',
    'PRC',
  ];
  const offsets = ['+05:30', '+13:00', '+0530', 'Etc/GMT+5', 'Etc/UTC', 'UTC+1', 'GMT0'];
  const unknown = [
    'US/Pacific-New',
    'SystemV/AST4',
    'posix/Europe/London',
    'Europe/Londinium',
    'Europe/',
    '',
    '/',
  ];
  for (const name of [...abbreviations, ...offsets, ...unknown])
    t.false(await isStoredZone(db.manager, name), name);
  t.false(await isStoredZone(db.manager, 'europe/london'), 'stored in the letter case of IANA');
  for (const name of [
    'Europe/London',
    'Asia/Kolkata',
    'Asia/Calcutta',
    'America/Argentina/Buenos_Aires',
    'UTC',
  ])
    t.true(await isStoredZone(db.manager, name), name);
});

test('zones in use that differ are listed, each with its workspaces and the reason', async (t) => {
  await withScratchDatabase(async ({ manager: tx }) => {
    const used: Record<string, string> = {};
    for (const time_zone of ['Europe/London', 'Mars/Olympus', 'US/Pacific-New', 'Asia/Tokyo']) {
      const workspace = { name: 'House', time_zone: 'UTC', currency: 'GBP', processor_account_id: null };
      used[time_zone] = await insertWorkspace(tx, workspace);
      await execute(tx, 'UPDATE workspaces SET time_zone = $2 WHERE id = $1', [used[time_zone], time_zone]);
    }
    const differing = (await compareZones(tx)).map(({ time_zone, ...rest }) => [time_zone, rest]);
    t.deepEqual(Object.fromEntries(differing), {
      'Mars/Olympus': { workspaces: [used['Mars/Olympus']], differs: 'process' },
      'US/Pacific-New': isKnownZone('US/Pacific-New')
        ? { workspaces: [used['US/Pacific-New']], differs: 'database' }
        : { workspaces: [used['US/Pacific-New']], differs: 'process' },
    });
  });
});

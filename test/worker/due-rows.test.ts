import test from 'ava';
import { readBacklog } from '../../db/queries/workspaces/backlog.js';
import { enqueueDue, REMINDERS } from '../../worker/due-rows.js';
import { newPlace, withScratchDatabase } from '../support/scratch-database.js';
import { storeBookings } from '../support/stored-bookings.js';

test('a reminder that cannot be queued stops no other, is recorded for its workspace and left for an hour', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const [first, second] = [await newPlace(scratch), await newPlace(scratch)];
    const due = { start_at: new Date(Date.now() - 60_000), remind_at: new Date(Date.now() - 60_000) };
    const [broken] = await storeBookings(pickIds(first), [due], scratch);
    const [sound] = await storeBookings(pickIds(second), [due], scratch);
    await scratch.query(`
      CREATE FUNCTION refuse() RETURNS trigger
        LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no such day'; END $$;
      CREATE TRIGGER refuse BEFORE UPDATE ON bookings FOR EACH ROW
        WHEN (NEW.id = '${broken}' AND NEW.remind_at IS NULL)
        EXECUTE FUNCTION refuse()`);
    const warned: object[] = [];
    const run = () =>
      enqueueDue(
        { db: scratch, log: { warn: (details: object) => void warned.push(details) } as never },
        REMINDERS,
      );
    t.false(await run());
    const [{ remind_at }] = await scratch.query(`SELECT remind_at FROM bookings WHERE id = $1`, [sound]);
    t.is(remind_at, null);
    const [left] = await scratch.query(
      `SELECT remind_at > now() + interval '50 minutes' AS later FROM bookings WHERE id = $1`,
      [broken],
    );
    t.true(left.later);
    t.like(warned, [{ workspace: first.workspace_id, job: 'booking_reminders', id: broken }]);
    const failures = (): Promise<object[]> =>
      scratch.query(`SELECT workspace_id, job, reason FROM job_failures`);
    t.deepEqual(await failures(), [
      { workspace_id: first.workspace_id, job: 'booking_reminders', reason: 'no such day' },
    ]);

    await scratch.query(
      `DROP TRIGGER refuse ON bookings; UPDATE bookings SET remind_at = now() - interval '1 minute'
        WHERE id = '${broken}'`,
    );
    await run();
    t.deepEqual(await failures(), [], 'it works again');
  });
});

test('reminders and daily mail that are due are backlog of the relay', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const room = await newPlace(scratch);
    const minutes = async () => {
      const { reminder_lag_seconds, digest_lag_seconds } = await readBacklog(scratch.manager);
      return [reminder_lag_seconds, digest_lag_seconds].map((seconds) => Math.floor(seconds / 60));
    };
    const at = (minutesAgo: number) => new Date(Date.now() - minutesAgo * 60_000);
    await storeBookings(pickIds(room), [{ start_at: at(-60), remind_at: at(-30) }], scratch);
    await scratch.query(`UPDATE workspaces SET digest_at = $1`, [at(-30)]);
    t.deepEqual(await minutes(), [0, 0], 'not due yet');
    await storeBookings(pickIds(room), [{ start_at: at(-120), remind_at: at(3) }], scratch);
    await scratch.query(`UPDATE workspaces SET digest_at = $1`, [at(5)]);
    t.deepEqual(await minutes(), [3, 5]);
  });
});

const pickIds = ({ workspace_id, id }: { workspace_id: string; id: string }) => ({
  workspace_id,
  room_id: id,
});

import test from 'ava';
import pg from 'pg';
import pino from 'pino';
import { announcePublication, createPublications } from '../../db/publications.js';
import { newId } from '../../db/ids.js';
import { db, dev } from '../support/stack.js';
import { pendingBooking } from '../support/bookings.js';
import { until } from '../support/until.js';

const never = () => new Promise<'done'>(() => undefined);
const log = pino({ level: 'silent' });

/** Announces a booking until the call that waits for it has returned. */
async function announced<T>(id: string, waiting: Promise<T>): Promise<T> {
  let returned = false;
  const result = waiting.finally(() => (returned = true));
  await until(async () => {
    await announcePublication(db.manager, id);
    return returned;
  });
  return result;
}

const listeners = async (): Promise<number[]> =>
  (
    await db.query(
      `SELECT pid FROM pg_stat_activity
        WHERE query = 'LISTEN booking_published' AND datname = current_database()`,
    )
  ).map(({ pid }: { pid: number }) => pid);

test.serial('a worker announces which booking it has published', async (t) => {
  const client = new pg.Client({ connectionString: dev.databaseUrl });
  await client.connect();
  t.teardown(() => client.end());
  const heard: (string | undefined)[] = [];
  client.on('notification', ({ payload }) => heard.push(payload));
  await client.query('LISTEN booking_published');
  const { booking } = await pendingBooking();
  await until(async () => heard.includes(booking.id));
  t.pass();
});

test.serial(
  'a client learns of its own booking before the run has answered, and of no other booking',
  async (t) => {
    const publications = createPublications(dev.databaseUrl, log);
    t.teardown(() => publications.close());
    const [first, second] = [newId('bk'), newId('bk')];
    const others = publications.unlessPublished(second, async () => {
      t.is(await announced(first, publications.unlessPublished(first, never)), null);
      return 'done';
    });
    t.is(await others, 'done', 'the other waits for its run');
    t.is(await announced(second, publications.unlessPublished(second, never)), null);
    await t.throwsAsync(
      publications.unlessPublished(first, () => Promise.reject(new Error('refused'))),
      { message: 'refused' },
    );
  },
);

test.serial(
  'a client waits for the run while the connection is lost, and the connection is opened again',
  async (t) => {
    const before = await listeners();
    const publications = createPublications(dev.databaseUrl, log, { pauseMs: 0 });
    t.teardown(() => publications.close());
    const id = newId('bk');
    t.is(await publications.unlessPublished(id, async () => 'done'), 'done');
    const [pid] = await until(async () => {
      const mine = (await listeners()).filter((each) => !before.includes(each));
      return mine.length > 0 && mine;
    });
    await db.query(`SELECT pg_terminate_backend($1)`, [pid]);
    await until(async () => {
      t.is(await publications.unlessPublished(id, async () => 'done'), 'done');
      return (await listeners()).some((each) => each !== pid && !before.includes(each));
    });
    t.is(await announced(id, publications.unlessPublished(id, never)), null);
  },
);

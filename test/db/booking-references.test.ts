import test from 'ava';
import type { DataSource } from 'typeorm';
import { BookingReferences1764340000000 as BookingReferences } from '../../db/migrations/1764340000000-booking-references.js';
import { referencesIn } from '../../domain/booking-reference.js';
import { hoursLater } from '../support/bookings.js';
import { storeBookings } from '../support/stored-bookings.js';
import { newPlace, reserve, withScratchDatabase } from './scratch.js';

const SLOT = { start_at: '2031-03-03T09:00:00.000Z', end_at: '2031-03-03T10:00:00.000Z' };

const DRAW = `SELECT translate(substr(md5(random()::text), 1, 7), '01aef', 'BCDFG')`;

/** Has the database draw these references first, one after another, and the last one from then on. */
async function draw(scratch: DataSource, references: string[]): Promise<void> {
  await scratch.query(`CREATE SEQUENCE drawn`);
  await scratch.query(`CREATE OR REPLACE FUNCTION new_booking_reference() RETURNS text LANGUAGE sql VOLATILE AS $$
    SELECT (ARRAY[${references.map((each) => `'${each}'`).join()}])[least(nextval('drawn'), ${references.length})] $$`);
}

test('references are seven letters and digits, as people type them too', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const rows: { reference: string }[] = await scratch.query(
      `SELECT new_booking_reference() AS reference FROM generate_series(1, 2000)`,
    );
    for (const { reference } of rows)
      t.deepEqual(referencesIn(reference), { first: reference, last: reference });
    t.is(new Set(rows.map(({ reference }) => reference)).size, rows.length);
    const letters = new Set(rows.flatMap(({ reference }) => reference.split('')));
    t.is([...letters].toSorted().join(''), '23456789BCDFGHJKLMNPQRSTVWXZ');
  });
  const whole = { first: 'K7QM2XD', last: 'K7QM2XD' };
  for (const text of ['k7q m2xd', ' K7Q-M2XD ']) t.deepEqual(referencesIn(text), whole, text);
  t.deepEqual(referencesIn('K7Q-m'), { first: 'K7QM222', last: 'K7QMZZZ' });
  for (const text of ['K7Q', 'K7QM2XDD', 'K7QM2XA', 'K7QM1', '']) t.is(referencesIn(text), null, text);
});

test('a create whose reference is taken draws another; another workspace may have the same', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const [place, other] = [await newPlace(scratch), await newPlace(scratch)];
    await draw(scratch, ['BBBBBBB', 'BBBBBBB', 'CCCCCCC', 'BBBBBBB']);
    const referenceOf = async (id: string | null) =>
      (await scratch.query(`SELECT reference FROM bookings WHERE id = $1`, [id]))[0].reference;
    t.is(await referenceOf(await reserve(scratch, place, SLOT)), 'BBBBBBB');
    const later = { start_at: hoursLater(SLOT.start_at, 1), end_at: hoursLater(SLOT.start_at, 2) };
    t.is(await referenceOf(await reserve(scratch, place, later)), 'CCCCCCC');
    t.is(await referenceOf(await reserve(scratch, other, SLOT)), 'BBBBBBB');
    await t.throwsAsync(() => reserve(scratch, other, later), { message: /bookings_reference/ });
  });
});

test('bookings that exist get references in steps; one that is locked gets its later', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const { id: room_id, workspace_id } = await newPlace(scratch);
    const start = Date.parse(SLOT.start_at);
    const ids = await storeBookings(
      { workspace_id, room_id },
      Array.from({ length: 2_500 }, (_, n) => ({ start_at: new Date(start + n * 60_000) })),
      scratch,
    );
    const left = async (): Promise<number> =>
      (await scratch.query(`SELECT count(*)::int AS n FROM bookings WHERE reference IS NULL`))[0].n;
    await scratch.query(`ALTER TABLE bookings DROP COLUMN reference`);
    // A run that ended early has left the column behind.
    await scratch.query(`ALTER TABLE bookings ADD reference text`);
    await scratch.query(
      `CREATE UNIQUE INDEX bookings_reference ON bookings (workspace_id, reference) WHERE reference IS NOT NULL`,
    );
    const [runner, holder] = [scratch.createQueryRunner(), scratch.createQueryRunner()];
    await holder.startTransaction();
    await holder.query(`SELECT FROM bookings WHERE id = $1 FOR NO KEY UPDATE`, [ids[7]]);
    t.true(await BookingReferences.fill(runner));
    t.is(await left(), 1);
    await holder.rollbackTransaction();
    await scratch.query(`UPDATE bookings SET reference = NULL WHERE id = ANY ($1)`, [ids.slice(0, 20)]);
    await draw(scratch, ['BBBBBBB', 'BBBBBBB']);
    const filling = BookingReferences.fill(runner);
    await scratch.query(
      `CREATE OR REPLACE FUNCTION new_booking_reference() RETURNS text LANGUAGE sql VOLATILE AS $$ ${DRAW} $$`,
    );
    t.false(await filling, 'a step whose references are taken draws again');
    await new BookingReferences().up(runner);
    t.is(await left(), 0);
    await t.throwsAsync(scratch.query(`UPDATE bookings SET reference = NULL WHERE id = $1`, [ids[0]]), {
      message: /not-null/,
    });
    await runner.release();
    await holder.release();
  });
});

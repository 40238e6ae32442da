import test from 'ava';
import type { DataSource } from 'typeorm';
import { referencesIn } from '../../../domain/bookings/reference.js';
import { hoursLater } from '../../support/bookings.js';
import { NEXT_MONDAY } from '../../support/days.js';
import { newPlace, reserve, withScratchDatabase } from '../../support/scratch-database.js';

const SLOT = { start_at: `${NEXT_MONDAY}T09:00:00.000Z`, end_at: `${NEXT_MONDAY}T10:00:00.000Z` };

/** Makes the database draw these references first, one after another, and the last one from then on. */
async function draw(scratch: DataSource, references: string[]): Promise<void> {
  await scratch.query(`CREATE SEQUENCE drawn`);
  await scratch.query(`CREATE OR REPLACE FUNCTION new_booking_reference() RETURNS text
    LANGUAGE sql VOLATILE AS $$
    SELECT (ARRAY[${references.map((each) => `'${each}'`).join()}])[least(nextval('drawn'),
      ${references.length})] $$`);
}

test('references are seven letters and digits, and are recognised as people type them', async (t) => {
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

test('a create whose reference is taken picks another, and another workspace may have the same', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const [place, other] = [await newPlace(scratch), await newPlace(scratch)];
    await draw(scratch, ['BBBBBBB', 'BBBBBBB', 'CCCCCCC', 'BBBBBBB']);
    const findReference = async (id: string | null) =>
      (await scratch.query(`SELECT reference FROM bookings WHERE id = $1`, [id]))[0].reference;
    t.is(await findReference(await reserve(scratch, place, SLOT)), 'BBBBBBB');
    const later = { start_at: hoursLater(SLOT.start_at, 1), end_at: hoursLater(SLOT.start_at, 2) };
    t.is(await findReference(await reserve(scratch, place, later)), 'CCCCCCC');
    t.is(await findReference(await reserve(scratch, other, SLOT)), 'BBBBBBB');
    await t.throwsAsync(() => reserve(scratch, other, later), { message: /bookings_reference/ });
  });
});

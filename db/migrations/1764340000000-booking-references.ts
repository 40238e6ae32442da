import { readFileSync } from 'node:fs';
import { QueryFailedError, type MigrationInterface, type QueryRunner } from 'typeorm';

/** One of the functions that are applied after all migrations; this default needs it before. */
const FUNCTION = readFileSync(new URL('../functions/new_booking_reference.sql', import.meta.url), 'utf8');

/** How many bookings one statement fills, so that none of them is locked for longer than some milliseconds. */
const STEP = 250;
const PAUSE_MS = 100;

/** SQLSTATE `unique_violation`: a drawn reference is taken. The step draws again. */
const TAKEN = '23505';

/** The ids that got a reference; null if one that was drawn is taken. */
async function fillStep(runner: QueryRunner, last: string): Promise<{ id: string }[] | null> {
  try {
    const [filled] = await runner.query(
      `UPDATE bookings SET reference = new_booking_reference() WHERE id = ANY (ARRAY(
         SELECT id FROM bookings WHERE id > $1 AND reference IS NULL ORDER BY id LIMIT ${STEP}
         FOR NO KEY UPDATE SKIP LOCKED)) RETURNING id`,
      [last],
    );
    return filled;
  } catch (error) {
    if (error instanceof QueryFailedError && error.driverError.code === TAKEN) return null;
    throw error;
  }
}

/**
 * A short reference of each booking, unique in its workspace. It is a column default: it costs a create no statement, and
 * bookings of the previous release get one too. Bookings that exist get theirs in steps.
 */
export class BookingReferences1764340000000 implements MigrationInterface {
  /** Creates an index concurrently, and fills a column in steps. Each statement may run again. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(FUNCTION);
    await runner.query(`ALTER TABLE bookings ADD COLUMN IF NOT EXISTS reference text`);
    await runner.query(`ALTER TABLE bookings ALTER reference SET DEFAULT new_booking_reference()`);
    await runner.query(
      `COMMENT ON COLUMN bookings.reference IS 'Short, read aloud and printed; unique in the workspace.'`,
    );
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS bookings_reference`);
    // Partial, since the columns of a complete unique index are a key: to fill them, bookings would be locked against
    // every row that is to refer to them.
    await runner.query(
      `CREATE UNIQUE INDEX CONCURRENTLY bookings_reference ON bookings (workspace_id, reference)
       WHERE reference IS NOT NULL`,
    );
    // A booking that another transaction has locked is left to a later round.
    while (await BookingReferences1764340000000.fill(runner))
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    await runner.query(`ALTER TABLE bookings DROP CONSTRAINT IF EXISTS bookings_reference_not_null`);
    await runner.query(
      `ALTER TABLE bookings ADD CONSTRAINT bookings_reference_not_null NOT NULL reference NOT VALID`,
    );
    await runner.query(`ALTER TABLE bookings VALIDATE CONSTRAINT bookings_reference_not_null`);
  }

  /** Gives every booking its reference, by id. Returns whether some were left out because they are locked. */
  static async fill(runner: QueryRunner): Promise<boolean> {
    for (let last = ''; ;) {
      const filled = await fillStep(runner, last);
      if (filled === null) continue;
      if (filled.length === 0) break;
      last = filled.reduce((latest, { id }) => (id > latest ? id : latest), last);
    }
    const left: unknown[] = await runner.query(`SELECT FROM bookings WHERE reference IS NULL LIMIT 1`);
    return left.length > 0;
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE bookings DROP COLUMN reference`);
  }
}

import test from 'ava';
import { verify } from '../../api/internal/verify-payment.js';
import { carryOut } from '../../api/resources/blackouts/carry-out.js';
import { redeliver } from '../../api/resources/events/redeliver.js';

/*
 * While a request waits for a run, the database is restored and lacks the row that the request needs next.
 */

/** A database that has rows in only one table. Records the parameters of its statements. */
function fakeDatabase(table: string, rows: object[] = []) {
  const statements: { text: string; values: unknown[] }[] = [];
  const query = async (statement: (typeof statements)[number]) => {
    statements.push(statement);
    const found = statement.text.startsWith(`SELECT * FROM ${table}`) ? rows : [];
    return { rows: found, rowCount: found.length };
  };
  return { db: { manager: { queryRunner: { connect: async () => ({ query }) } } }, statements };
}

/** A Temporal service whose runs all have this outcome. */
const temporalWith = (outcome: unknown) => ({
  withDeadline: (_: number, call: () => unknown) => call(),
  workflow: { execute: async () => outcome, start: async () => ({ result: async () => outcome }) },
});

test('planning a booking that is lost fails with that reason, and is no internal error', async (t) => {
  const planned = { workspace_id: 'ws_1', blackout_id: 'blk_1', booking_id: 'bk_1', state: 'planned' };
  const { db, statements } = fakeDatabase('blackout_bookings', [{ ...planned, plan: { do: 'keep' } }]);
  const log = { error: () => t.fail('logged as an error') };
  await carryOut({ db, log } as never, { workspace_id: 'ws_1' } as never, { id: 'blk_1' } as never);
  const problem = statements.at(-1)!.values[4] as string;
  t.like(JSON.parse(problem), { code: 'booking_not_found', message: 'No such booking.' });
});

test('an event that is lost while it is redelivered is not found', async (t) => {
  const deps = { ...fakeDatabase('events'), temporal: temporalWith(undefined), taskQueue: 'tests' };
  const error = await t.throwsAsync(redeliver(deps as never, 'ws_1', 'evt_1'));
  t.like(error, { code: 'event_not_found' });
});

test('a payment that is lost while it is verified can be verified again', async (t) => {
  const deps = {
    ...fakeDatabase('payments'),
    temporal: temporalWith({ kind: 'confirmed', already: false }),
    taskQueue: 'tests',
  };
  const request = { action: 'verify_payment', payment_intent_id: 'pi_1', source: undefined };
  const error = await t.throwsAsync(verify(deps as never, request as never, { system: 'operator' } as never));
  t.like(error, { code: 'service_unavailable' });
});

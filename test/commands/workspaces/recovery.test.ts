import test from 'ava';
import { storeProcessorEvents } from '../../support/rows.js';
import { addAccountRead, recordUnusableAccount } from '../../../commands/processor/account-reads.js';
import { recoverFrom, recoverSince } from '../../../commands/workspaces/recovery.js';
import { continueNumbersAbove } from '../../../commands/invoices/numbers.js';
import { insertInvoice } from '../../../commands/invoices/invoices.js';
import { publishBooking } from '../../../commands/bookings/publish-booking.js';
import { newId } from '../../../db/ids.js';
import { findAccountRead } from '../../../db/queries/processor/account-read.js';
import { findRecovery } from '../../../db/queries/workspaces/recovery.js';
import { transaction } from '../../../db/transaction.js';
import { HOUR_MS } from '../../../domain/durations.js';
import { newPlace, reserveIn, withScratchDatabase } from '../../support/scratch-database.js';
import { freeHour } from '../../support/bookings.js';

/** Events of that hour are handled again, as the runs notified of them may be lost. */
const anHourBefore = (time: Date): Date => new Date(time.getTime() - HOUR_MS);
const hoursAgo = (hours: number): Date => new Date(Date.now() - hours * HOUR_MS);

test('all accounts recover once for each given time, except for disconnected ones', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const tx = scratch.manager;
    const [{ workspace_id }, revoked] = [await newPlace(scratch), await newPlace(scratch)];
    await addAccountRead(tx, workspace_id, 'acct_1');
    await addAccountRead(tx, revoked.workspace_id, 'acct_revoked');
    await scratch.query(
      `UPDATE workspaces SET processor_account_id = 'acct_revoked', processor_status = 'revoked'
        WHERE id = $1`,
      [revoked.workspace_id],
    );
    const [early, late] = [hoursAgo(3), hoursAgo(1)];
    await storeProcessorEvents(scratch, [
      { id: 'evt_before', handled_at: hoursAgo(2.5) },
      { id: 'evt_just_before', handled_at: hoursAgo(1.5) },
    ]);
    t.is(await recoverSince(tx, late), 1);
    const again = await scratch.query(`SELECT id FROM processor_events WHERE handled_at IS NULL`);
    t.deepEqual(again, [{ id: 'evt_just_before' }]);
    t.is(await recoverSince(tx, late), null, 'a restart with the same setting');
    t.deepEqual(await findRecovery(tx, workspace_id), { since: late, accounts_left: 1 });
    t.is(await findRecovery(tx, revoked.workspace_id), null);
    t.is(await recoverSince(tx, early), 1);
    const read = (await findAccountRead(tx, 'acct_1'))!;
    const { recovering_since, read_until, lost_from, lost_until } = read;
    t.deepEqual([recovering_since, read_until, lost_from], [early, anHourBefore(early), early]);
    t.true(lost_until! > late, 'attempts of all that time are looked up');
    await recordUnusableAccount(tx, 'acct_1');
    t.is(await findRecovery(tx, workspace_id), null);
    const fact = { at: late, since: early, known_to: 'processor' } as const;
    t.true(await recoverFrom(tx, { account_id: 'acct_revoked' }, fact));
    t.false(await recoverFrom(tx, { account_id: 'acct_revoked' }, fact), 'what was looked at once');
    t.like(await findAccountRead(tx, 'acct_revoked'), {
      read_until: early,
      lost_from: early,
      recovering_since: null,
    });
  });
});

test('while a workspace recovers, its invoices get no number, as the number may be taken', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const tx = scratch.manager;
    const room = await newPlace(scratch);
    const { workspace_id } = room;
    await addAccountRead(tx, workspace_id, 'acct_1');
    const price = { net_minor: 1_000, tax_minor: 0, total_minor: 1_000 };
    const held = (await transaction(scratch, (own) => reserveIn(own, room, freeHour(), { price })))!;
    const publish = () =>
      transaction(scratch, (own) => publishBooking(own, held, { id: 'cs_1', url: 'https://pay.example/1' }));
    const invoice = (unit_amount_minor: number): Promise<void> =>
      transaction(scratch, (own) =>
        insertInvoice(own, {
          id: newId('inv'),
          workspace_id,
          kind: 'booking',
          currency: 'GBP',
          due_at: new Date(),
          company_id: null,
          member_id: null,
          created_at: new Date(),
          lines: [
            {
              description: 'Blue room',
              quantity: 1,
              unit_amount_minor,
              tax_code: 'ZERO',
              tax_rate_bps: 0,
              net_minor: unit_amount_minor,
              tax_minor: 0,
            },
          ],
        }),
      );
    await invoice(1_000);
    await recoverSince(tx, hoursAgo(1));
    await t.throwsAsync(() => invoice(1_000), { message: /^Payments are paused/ });
    await t.throwsAsync(publish, { message: /^Payments are paused/ });
    await t.notThrowsAsync(() => invoice(0), 'a booking that costs nothing');
    await recordUnusableAccount(tx, 'acct_1');
    for (const seen of [5, 4])
      await transaction(scratch, (own) =>
        continueNumbersAbove(own, workspace_id, [{ number: seen, document: `HH-${seen - 2}` }], 'accounting'),
      );
    await t.notThrowsAsync(() => invoice(1_000));
    t.truthy((await publish())?.published_at, 'nothing of the refused publication was stored');
    const numbers = await scratch.query(`SELECT number FROM invoices ORDER BY number`);
    t.deepEqual(
      numbers.map(({ number }: { number: number }) => number),
      [1, 2, 6, 7],
      'numbers that others have seen are not given again',
    );
    t.deepEqual(await scratch.query(`SELECT first_number, last_number, seen_by FROM invoice_number_gaps`), [
      { first_number: 3, last_number: 5, seen_by: 'accounting' },
    ]);
    t.deepEqual(await scratch.query(`SELECT first_number, last_number, seen_by FROM document_number_gaps`), [
      { first_number: 1, last_number: 3, seen_by: 'accounting' },
    ]);
  });
});

import test from 'ava';
import type { DataSource } from 'typeorm';
import { messageDay } from '../../../commands/bookings/messages.js';
import { correctGuest } from '../../../commands/bookings/payer.js';
import { changeAddress } from '../../../commands/members/change-address.js';
import { lockMember } from '../../../commands/members/members.js';
import { transaction } from '../../../db/transaction.js';
import { scaledMailQuotas } from '../../../domain/api-keys/limits.js';
import type { Principal } from '../../../domain/policies.js';
import { NEXT_MONDAY } from '../../support/days.js';
import { newPlace, withScratchDatabase } from '../../support/scratch-database.js';
import { storeBookings } from '../../support/stored-bookings.js';
import { createMail } from './mail-calls.js';

const SUBJECT = 'The lift is out of order';
const QUOTAS = scaledMailQuotas(1);
const ADA = 'ada@example.com';
const BOB = 'bob@example.com';

/**
 * A day with bookings of Ada, some as a guest and some as a member, about which one message waits to be sent.
 */
async function withWaitingMessage(scratch: DataSource, bookings: ('guest' | 'member')[]) {
  const room = await newPlace(scratch);
  const { workspace_id } = room;
  const mail = createMail(scratch, 1);
  const owner = await mail.add(workspace_id, 'owner@example.com', 'owner');
  const member = await mail.add(workspace_id, ADA);
  const ids = await storeBookings(
    { workspace_id, room_id: room.id },
    bookings.map((booker, index) => ({
      start_at: new Date(`${NEXT_MONDAY}T${10 + index}:00:00Z`),
      manage_link_version: 1,
      ...(booker === 'member' ? { member_id: member.id } : { guest_email: ADA }),
    })),
    scratch,
  );
  const references: { id: string; reference: string }[] = await scratch.query(
    `SELECT id, reference FROM bookings WHERE workspace_id = $1`,
    [workspace_id],
  );
  const by = { workspace_id, member_id: owner.id, key_id: null, role: 'owner' } as Principal;
  await messageDay(scratch, QUOTAS, by, { date: NEXT_MONDAY, subject: SUBJECT, text: 'Sorry' }, null);
  return {
    ids,
    /** Changes the address of the member. */
    move: (email: string) =>
      transaction(scratch, async (tx) =>
        changeAddress(tx, by, (await lockMember(tx, workspace_id, member.id))!, email),
      ),
    /** Corrects the address of a booking's guest. */
    correct: (index: number, email: string) =>
      correctGuest(scratch, QUOTAS, by, ids[index]!, { email }, { idempotency: null, isPart: false }),
    /** Sends what waits. Returns for each message its address and the bookings that it names. */
    async send() {
      await mail.send(workspace_id);
      return mail.messages
        .filter(({ subject }) => subject === SUBJECT)
        .map(({ to, text }) => ({
          to,
          bookings: ids.flatMap((id, index) =>
            text.includes(references.find((each) => each.id === id)!.reference) ? [index] : [],
          ),
        }))
        .toSorted((one, other) => one.to.localeCompare(other.to));
    },
  };
}

test('a waiting message names only the bookings whose booker still has its address; the others get their own', async (t) => {
  for (const corrected of [0, 1])
    await withScratchDatabase(async (scratch) => {
      const message = await withWaitingMessage(scratch, ['guest', 'guest', 'guest']);
      await message.correct(corrected, BOB);
      t.deepEqual(await message.send(), [
        { to: ADA, bookings: [0, 1, 2].filter((index) => index !== corrected) },
        { to: BOB, bookings: [corrected] },
      ]);
      await message.correct(2, BOB);
      t.is((await message.send()).length, 2, 'what was sent is not sent again');
    });
});

test('a waiting message leaves a member with their bookings when they change their address', async (t) => {
  for (const first of ['guest', 'member'] as const)
    await withScratchDatabase(async (scratch) => {
      const others = first === 'guest' ? 'member' : 'guest';
      const message = await withWaitingMessage(scratch, [first, others, others]);
      await message.move(BOB);
      const ofMember = first === 'member' ? [0] : [1, 2];
      t.deepEqual(await message.send(), [
        { to: ADA, bookings: [0, 1, 2].filter((index) => !ofMember.includes(index)) },
        { to: BOB, bookings: ofMember },
      ]);
    });
});

test('a message leaves out a booking that somebody else has, even if it was not split', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const message = await withWaitingMessage(scratch, ['guest', 'guest']);
    await scratch.query(`UPDATE bookings SET guest_email = $2 WHERE id = $1`, [message.ids[0], BOB]);
    t.deepEqual(await message.send(), [{ to: BOB, bookings: [0] }]);
  });
});

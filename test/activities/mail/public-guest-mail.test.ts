import test from 'ava';
import { countInvite, countRequestedMail, type MailRequester } from '../../../commands/mail/mail-limits.js';
import { publishBooking } from '../../../commands/bookings/publish-booking.js';
import { releaseReservation } from '../../../commands/bookings/release-reservation.js';
import { newInvite } from '../../../commands/members/invites.js';
import { insertMember } from '../../../commands/members/members.js';
import { findMailHold } from '../../../db/queries/mail/mail-hold.js';
import { transaction } from '../../../db/transaction.js';
import { scaledMailQuotas } from '../../../domain/api-keys/limits.js';
import { newPlace, withScratchDatabase } from '../../support/scratch-database.js';
import { createMail } from './mail-calls.js';

const REFUSALS = { dead: { code: 'smtp_550', permanent: true, recipient: true } } as const;

test('addresses that public guests enter and that refuse mail hold back only mail to public guests', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const room = await newPlace(scratch);
    const { workspace_id } = room;
    // Two refused addresses hold a workspace's mail.
    const mail = createMail(scratch, 0.08, REFUSALS);
    await mail.add(workspace_id, 'owner@example.com', 'owner');
    for (const name of ['dead1', 'dead2', 'dead3']) {
      await mail.hold(room, `${name}@example.com`);
      await mail.send(workspace_id);
    }
    t.is(await findMailHold(scratch.manager, workspace_id), null);
    const [waiting] = await scratch.query(
      `SELECT array_agg(failure_code ORDER BY id) AS codes FROM mails WHERE kind = 'booking_to_confirm'`,
    );
    t.deepEqual(waiting.codes, ['smtp_550', 'smtp_550', 'recipients_limited']);
    await mail.add(workspace_id, 'invited@example.com');
    t.deepEqual(
      (await mail.send(workspace_id)).filter((to) => !to.startsWith('owner')),
      ['invited@example.com'],
    );

    for (const name of ['dead4', 'dead5']) await mail.add(workspace_id, `${name}@example.com`);
    await mail.send(workspace_id);
    t.not(
      await findMailHold(scratch.manager, workspace_id),
      null,
      'those whom the workspace has invited count',
    );
  });
});

test('an address gets one mail about unpaid bookings of public guests, until it is verified or a day has passed', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const room = await newPlace(scratch);
    const { workspace_id } = room;
    const mail = createMail(scratch, 1);
    const grace = 'grace@example.com';
    const first = await mail.hold(room, grace);
    await mail.hold(room, 'Grace@Example.com');
    t.is((await mail.send(workspace_id)).length, 1, 'of several at once');
    await transaction(scratch, (tx) => releaseReservation(tx, first, 'abandoned'));
    await mail.hold(room, grace);
    t.deepEqual(await mail.send(workspace_id), [], 'nor after the first was given up');
    const other = await newPlace(scratch);
    await mail.hold(other, grace);
    t.deepEqual(await mail.send(other.workspace_id), [grace], 'each workspace has its own');

    await scratch.query(`UPDATE mail_recipients SET held_mailed_at = now() - interval '25 hours'`);
    const proven = await mail.hold(room, grace);
    t.deepEqual(await mail.send(workspace_id), [grace], 'a day later');
    await transaction(scratch, (tx) => publishBooking(tx, proven, null));
    await mail.hold(room, grace);
    const sent = await mail.send(workspace_id);
    t.deepEqual(sent, [grace, grace], 'the confirmation of what was proven, and another link');
    const statuses = await scratch.query(
      `SELECT status, failure_code, count(*)::int FROM mails WHERE workspace_id = $1
       GROUP BY status, failure_code ORDER BY status`,
      [workspace_id],
    );
    t.deepEqual(statuses, [
      { status: 'sent', failure_code: null, count: 4 },
      { status: 'skipped', failure_code: 'told', count: 2 },
    ]);
  });
});

test('public guests use at most half of the day’s new addresses', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const room = await newPlace(scratch);
    const { workspace_id } = room;
    // Four new addresses a day, two of them for public guests.
    const mail = createMail(scratch, 0.008);
    await mail.add(workspace_id, 'owner@example.com', 'owner');
    for (const name of ['a', 'b', 'c']) await mail.hold(room, `${name}@example.com`);
    const held = (await mail.send(workspace_id)).filter((to) => !to.startsWith('owner'));
    t.is(held.length, 2);
    for (const name of ['d', 'e', 'f']) await mail.add(workspace_id, `${name}@example.com`);
    const invited = (await mail.send(workspace_id)).filter((to) => !to.startsWith('owner'));
    t.is(invited.length, 2, 'the other half, and no more');
  });
});

test('mail about holds does not use up the mail that a workspace may request in a day', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const room = await newPlace(scratch);
    const { workspace_id } = room;
    // Four mails a day.
    const quotas = scaledMailQuotas(0.002);
    const mail = createMail(scratch, 1);
    for (let n = 0; n < 4; n++) await mail.hold(room, `stranger${n}@example.com`);
    const invite = async (n: number) => {
      const email = `invited${n}@example.com`;
      await mail.add(workspace_id, email);
      return transaction(scratch, (tx) =>
        countRequestedMail(tx, { member_id: `mem_${n}`, key_id: null }, quotas, {
          workspace_id,
          kind: 'member_invite',
          email,
        }),
      );
    };
    for (let n = 0; n < 4; n++) await invite(n);
    await t.throwsAsync(invite(4), { message: /maximum number of emails/ });
  });
});

test('one key or person can request at most half of a workspace’s daily mail', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const { workspace_id } = await newPlace(scratch);
    // Four mails a day, two of each.
    const quotas = scaledMailQuotas(0.002);
    let invited = 0;
    const invite = (by: MailRequester) =>
      transaction(scratch, async (tx) => {
        const email = `invited${invited++}@example.com`;
        const member = { workspace_id, email, name: 'Mel', role: 'member', tier: 'basic' } as const;
        const { id } = await insertMember(tx, { ...member, status: 'invited', invite: newInvite() });
        await countInvite(tx, by, quotas, id);
      });
    const leaked = { member_id: 'mem_1', key_id: 'key_1' };
    const person = { member_id: 'mem_1', key_id: null };
    for (let n = 0; n < 2; n++) await invite(leaked);
    await t.throwsAsync(invite(leaked), { message: /This API key has requested/ });
    for (let n = 0; n < 2; n++) await invite(person);
    await t.throwsAsync(invite({ member_id: 'mem_2', key_id: null }), { message: /The workspace has sent/ });
  });
});

import test from 'ava';
import { forgetRecipient } from '../../../commands/mail/new-recipients.js';
import { renewInvite } from '../../../commands/members/invites.js';
import { transaction } from '../../../db/transaction.js';
import { newPlace, withScratchDatabase } from '../../support/scratch-database.js';
import { createMail } from './mail-calls.js';

test('after the daily limit of new addresses, a workspace’s mail waits and its owner is told once', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const { workspace_id } = await newPlace(scratch);
    const other = await newPlace(scratch);
    // Two a day.
    const mail = createMail(scratch, 0.004);
    const send = () => mail.send(workspace_id);
    const invite = (email: string) => mail.add(workspace_id, email);
    await mail.add(workspace_id, 'owner@example.com', 'owner');

    const first = await invite('a@example.com');
    await invite('b@example.com');
    t.deepEqual(await send(), ['a@example.com', 'b@example.com']);
    await invite('c@example.com');
    await invite('d@example.com');
    const told = [...(await send()), ...(await send())];
    t.deepEqual(told, ['owner@example.com'], 'once for both, though the owner is a new address too');
    const waiting = await scratch.query(
      `SELECT attempts, status, failure_code, next_attempt_at > now() + interval '23 hours' AS waits
        FROM mails
       WHERE workspace_id = $1 AND status = 'pending'`,
      [workspace_id],
    );
    t.deepEqual(
      waiting,
      [1, 2].map(() => ({ attempts: 0, status: 'pending', failure_code: 'recipients_limited', waits: true })),
    );
    await transaction(scratch, (tx) => renewInvite(tx, first));
    t.deepEqual(await send(), ['a@example.com'], 'an address that has had mail gets more');
    await mail.add(other.workspace_id, 'e@example.com');
    t.deepEqual(await mail.send(other.workspace_id), ['e@example.com'], 'another workspace has its own day');

    await scratch.query(`UPDATE mail_recipients SET first_mailed_at = now() - interval '25 hours'`);
    await scratch.query(`UPDATE mails SET next_attempt_at = now() WHERE status = 'pending'`);
    t.deepEqual(await send(), ['c@example.com', 'd@example.com']);
    await forgetRecipient(scratch.manager, workspace_id, 'C@example.com');
    const [{ known }] = await scratch.query(
      `SELECT count(*)::int AS known FROM mail_recipients WHERE workspace_id = $1`,
      [workspace_id],
    );
    t.is(known, 3, 'an erased address is forgotten');
  });
});

import test from 'ava';
import type { DataSource } from 'typeorm';
import { holdWorkspaceMail, releaseWorkspaceMail } from '../../../commands/mail/mail-holds.js';
import { renewInvite } from '../../../commands/members/invites.js';
import { findMailHold } from '../../../db/queries/mail/mail-hold.js';
import { listAttentionItems } from '../../../db/queries/workspaces/attention.js';
import { readBacklog } from '../../../db/queries/workspaces/backlog.js';
import { transaction } from '../../../db/transaction.js';
import type { FailedSend } from '../../../activities/gateways/mail.js';
import { HOUR_MS } from '../../../domain/durations.js';
import { newPlace, withScratchDatabase } from '../../support/scratch-database.js';
import { createMail } from './mail-calls.js';

const REFUSALS = {
  dead: { code: 'smtp_550', permanent: true, recipient: true },
  spam: { code: 'smtp_554', permanent: true },
  busy: { code: 'smtp_451', permanent: false },
} as const;
/** Two refused addresses hold a workspace's mail. */
const SCALE = 0.08;

/** A workspace with an owner, and `send` and `invite` for its mail. */
async function newMail(scratch: DataSource, refusals: Record<string, FailedSend> = REFUSALS) {
  const { workspace_id } = await newPlace(scratch);
  const mail = createMail(scratch, SCALE, refusals);
  await mail.add(workspace_id, 'owner@example.com', 'owner');
  return {
    workspace_id,
    send: () => mail.send(workspace_id),
    invite: (name: string) => mail.add(workspace_id, `${name}@example.com`),
    /** Whatever needs attention, apart from single mails. */
    attention: async () =>
      (await listAttentionItems(scratch.manager, { workspace_id, limit: 50 }))
        .filter(({ kind }) => kind !== 'mail_refused')
        .map(({ kind, reason }) => [kind, reason]),
    audited: async () =>
      (
        await scratch.query(
          `SELECT action, actor, details FROM audit_log WHERE workspace_id = $1 AND action LIKE 'mail.%'
            ORDER BY id`,
          [workspace_id],
        )
      ).map(({ action, actor, details }: Record<string, unknown>) => [action, actor, details]),
  };
}

/** Lets hours pass. */
async function pass(scratch: DataSource, hours: number): Promise<void> {
  for (const [table, column] of [
    ['mail_holds', 'held_until'],
    ['mail_recipients', 'first_mailed_at'],
    ['mail_recipients', 'refused_at'],
    ['mails', 'created_at'],
    ['mails', 'next_attempt_at'],
  ])
    await scratch.query(`UPDATE ${table} SET ${column} = ${column} - make_interval(hours => $1)`, [hours]);
}

test('mail to new addresses is held when too many of them refuse it, and resumes after a day without refusals', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const { workspace_id, send, invite, attention, audited } = await newMail(scratch);
    const known = await invite('known');
    await invite('dead1');
    for (const name of ['spam1', 'spam2', 'busy1', 'busy2']) await invite(name);
    t.deepEqual(await send(), ['known@example.com']);
    t.is(
      await findMailHold(scratch.manager, workspace_id),
      null,
      'one refused; others refuse only the text, or for now',
    );

    await invite('dead2');
    const told = await send();
    await invite('new');
    t.deepEqual([...told, ...(await send())], ['owner@example.com'], 'the owner is told, once');
    await transaction(scratch, (tx) => renewInvite(tx, known));
    t.deepEqual(await send(), ['known@example.com'], 'an address that has had mail gets more');
    const [waiting] = await scratch.query(
      `SELECT attempts, next_attempt_at > now() + interval '23 hours' AS waits FROM mails
        WHERE failure_code = 'mail_held'`,
    );
    t.deepEqual(waiting, { attempts: 0, waits: true });
    t.deepEqual(await audited(), [['mail.held', { system: 'mail' }, { reason: null }]]);

    await pass(scratch, 23);
    t.true((await readBacklog(scratch.manager)).pending_mail_seconds > 0, 'what the server defers');
    await scratch.query(`UPDATE mails SET status = 'skipped' WHERE failure_code = 'smtp_451'`);
    t.is((await readBacklog(scratch.manager)).pending_mail_seconds, 0, 'what is held is no backlog');
    t.deepEqual(await attention(), [['mail_held', null]], 'one entry for all mail that waits');
    await scratch.query(`UPDATE mails SET next_attempt_at = now() WHERE failure_code = 'mail_held'`);
    t.deepEqual(await send(), [], 'held until the day is over');
    await pass(scratch, 2);
    t.deepEqual(await send(), ['new@example.com']);
    t.deepEqual(await attention(), []);
    await invite('dead3');
    await send();
    t.is(await findMailHold(scratch.manager, workspace_id), null, 'refusals of another day do not count');
  });
});

test('a refusal during a hold prolongs it, and each address counts once', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const refusals: Record<string, FailedSend> = { ...REFUSALS, late: REFUSALS.busy };
    const { workspace_id, send, invite } = await newMail(scratch, refusals);
    await invite('late');
    const dead = await invite('dead1');
    await send();
    await transaction(scratch, (tx) => renewInvite(tx, dead));
    await send();
    t.is(await findMailHold(scratch.manager, workspace_id), null);
    await invite('dead2');
    await send();
    const heldUntil = async () => (await findMailHold(scratch.manager, workspace_id))!.held_until!.getTime();
    await pass(scratch, 2);
    const before = await heldUntil();
    await transaction(scratch, (tx) => renewInvite(tx, dead));
    await send();
    t.is(await heldUntil(), before);
    refusals.late = REFUSALS.dead;
    await scratch.query(`UPDATE mails SET next_attempt_at = now() WHERE status = 'pending'`);
    await send();
    t.true((await heldUntil()) > before + HOUR_MS);
  });
});

test('the operator holds and releases mail, and refusals before the release no longer count', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const { workspace_id, send, invite, attention, audited } = await newMail(scratch);
    const by = { workspace_id, system: 'operator', operator: 'Olga' } as const;
    await invite('dead1');
    await send();
    await transaction(scratch, (tx) => holdWorkspaceMail(tx, by, 'Complaints'));
    await invite('new');
    t.deepEqual(await send(), ['owner@example.com']);
    await pass(scratch, 48);
    await scratch.query(`UPDATE mails SET next_attempt_at = now() WHERE status = 'pending'`);
    t.deepEqual(await send(), [], 'it does not lapse');
    t.deepEqual(await attention(), [['mail_held', 'Complaints']]);
    await transaction(scratch, (tx) => releaseWorkspaceMail(tx, by, 'Settled'));
    await transaction(scratch, (tx) => releaseWorkspaceMail(tx, by, 'Again'));
    t.deepEqual(await send(), ['new@example.com'], 'at once');
    t.deepEqual(await audited(), [
      ['mail.held', { system: 'operator', operator: 'Olga' }, { reason: 'Complaints' }],
      ['mail.released', { system: 'operator', operator: 'Olga' }, { reason: 'Settled' }],
    ]);

    for (const name of ['dead2', 'dead3']) await invite(name);
    await send();
    t.not(await findMailHold(scratch.manager, workspace_id), null);
    await transaction(scratch, (tx) => releaseWorkspaceMail(tx, by, 'An old list'));
    await invite('dead4');
    await send();
    t.is(await findMailHold(scratch.manager, workspace_id), null);
    await invite('dead5');
    await send();
    t.not(await findMailHold(scratch.manager, workspace_id), null, 'two since it was released');
  });
});

import { MockActivityEnvironment } from '@temporalio/testing';
import type { DataSource } from 'typeorm';
import {
  createMailActivities,
  sendNewMails,
  type MailDependencies,
  type MailReport,
} from '../../../activities/mail/delivery.js';
import type { FailedSend } from '../../../activities/gateways/mail.js';
import { claimNewMails } from '../../../commands/mail/mail-queue.js';
import { enqueueMail, expediteMail } from '../../../commands/mail/mails.js';
import { transaction } from '../../../db/transaction.js';
import { newPlace, withScratchDatabase } from '../../support/scratch-database.js';
import { storeMails, storeMembers } from '../../support/rows.js';
import { until } from '../../support/until.js';
import test from 'ava';
import { createMail } from './mail-calls.js';

const TASKS_AT_ONCE = 10;

/** A workspace with a mail to its owner that was held until now. Returns its id. */
async function withHeldMail(scratch: DataSource): Promise<string> {
  const { workspace_id } = await newPlace(scratch);
  const [start, end] = ['2027-01-01T09:00:00Z', '2027-01-01T10:00:00Z'];
  await storeMembers(scratch, [{ workspace_id, email: 'o@example.com', role: 'owner' }]);
  await scratch.query(
    `UPDATE workspaces SET maintenance_starts_at = $2, maintenance_ends_at = $3 WHERE id = $1`,
    [workspace_id, start, end],
  );
  const about = `${workspace_id}/${start}/${end}`;
  await transaction(scratch, (tx) => enqueueMail(tx, { workspace_id, kind: 'maintenance_announced', about }));
  await scratch.query(`UPDATE mails SET failure_code = 'mail_held'`);
  return workspace_id;
}

test('a mail server that does not respond occupies few workflow tasks', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const workspaceId = await withHeldMail(scratch);
    const waiting: (() => void)[] = [];
    const mailer = { send: () => new Promise<void>((accept) => waiting.push(accept)) };
    const deps = { db: scratch, mailer, publicUrl: 'https://book.example' } as unknown as MailDependencies;
    const { sendMails } = createMailActivities(deps);
    const send = (isLocal: boolean): Promise<MailReport> =>
      new MockActivityEnvironment({ isLocal }).run(sendMails, workspaceId) as Promise<MailReport>;

    const reports: MailReport[] = [];
    const inTasks = Array.from({ length: TASKS_AT_ONCE + 1 }, () =>
      send(true).then((report) => reports.push(report)),
    );
    await until(async () => waiting.length + reports.length === TASKS_AT_ONCE + 1);
    t.is(waiting.length, TASKS_AT_ONCE);
    t.like(reports[0], { sent: 0, isLeft: true, waitMs: 0 }, 'it is left to an ordinary activity');
    const ordinary = send(false);
    await until(async () => waiting.length === TASKS_AT_ONCE + 1);
    for (const accept of waiting) accept();
    await Promise.all([...inTasks, ordinary]);
    t.like(await send(true), { sent: 0, isLeft: false, waitMs: null });
  });
});

test('mail of a kind that only a newer build supports waits for such a worker, and delays no other mail', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const workspaceId = await withHeldMail(scratch);
    await storeMails(scratch, [
      {
        workspace_id: workspaceId,
        kind: 'of_the_next_build' as never,
        about: 'something',
        status: 'pending',
        notify_at: new Date(),
        next_attempt_at: new Date(0),
      },
    ]);
    const sent: string[] = [];
    const mailer = { send: async ({ to }: { to: string }) => void sent.push(to) };
    const deps = { db: scratch, mailer, publicUrl: 'https://book.example' } as unknown as MailDependencies;
    const { sendMails } = createMailActivities(deps);
    const send = async () => {
      for (const urgent of [true, false])
        await sendNewMails(
          deps,
          { workspaceId, urgent },
          { signal: new AbortController().signal, warn: () => undefined },
        );
      return new MockActivityEnvironment().run(sendMails, workspaceId) as Promise<MailReport>;
    };
    const stored = async () =>
      (await scratch.query(`SELECT status, attempts, failure_code FROM mails WHERE about = 'something'`))[0];

    const report = await send();
    t.deepEqual(sent, ['o@example.com']);
    t.like(report, { sent: 1, waiting: 1, refused: 0, delayed: 0, isLeft: false });
    t.true(report.waitMs! > 30_000 && report.waitMs! <= 60_000, String(report.waitMs));
    t.deepEqual(await stored(), { status: 'pending', attempts: 0, failure_code: 'unknown_kind' });

    await scratch.query(
      `UPDATE mails SET next_attempt_at = now(), created_at = now() - interval '6 days'
        WHERE about = 'something'`,
    );
    t.like(await send(), { sent: 0, waiting: 0, refused: 1 });
    t.like(await stored(), { status: 'failed', attempts: 1 });
  });
});

const MEMBERS = Array.from({ length: 20 }, (_, n) => `m${String(n).padStart(2, '0')}@example.com`);

test('workers that send the same queue at the same time send each new mail once', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const { workspace_id } = await newPlace(scratch);
    const mail = createMail(scratch, 1_000);
    for (const email of MEMBERS) await mail.add(workspace_id, email);
    // On a busy machine the worker's few seconds end before its queue does.
    for (let left = 1; left > 0;) {
      await Promise.all([1, 2, 3].map(() => mail.sendNew(workspace_id)));
      [{ left }] = await scratch.query(`SELECT count(*)::int AS left FROM mails WHERE status <> 'sent'`);
    }
    t.deepEqual(mail.sent.toSorted(), MEMBERS);
  });
});

test('new mail claimed by a lost worker is sent later by another one', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const { workspace_id } = await newPlace(scratch);
    const mail = createMail(scratch, 1_000);
    await mail.add(workspace_id, 'm@example.com');
    t.is((await claimNewMails(scratch.manager, { workspaceId: workspace_id, urgent: true }, 4)).length, 1);
    t.deepEqual(await mail.send(workspace_id), [], 'the worker may still be sending it');
    await scratch.query(`UPDATE mails SET next_attempt_at = next_attempt_at - interval '30 seconds',
                                          notify_at = notify_at - interval '30 seconds'`);
    t.deepEqual(await mail.send(workspace_id), ['m@example.com']);
  });
});

test('mail that a worker is sending is not sent again when the reason it was held ends', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const { workspace_id } = await newPlace(scratch);
    const mail = createMail(scratch, 1_000);
    await mail.add(workspace_id, 'm@example.com');
    const [claimed] = await claimNewMails(scratch.manager, { workspaceId: workspace_id, urgent: true }, 4);
    await expediteMail(scratch.manager, { workspace_id, kind: 'member_invite', about: claimed!.about });
    t.deepEqual(await mail.send(workspace_id), []);
  });
});

test('a mail whose first attempt fails is left to the run of its queue, immediately and with all of its attempts', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const { workspace_id } = await newPlace(scratch);
    const refusals: Record<string, FailedSend> = { later: { code: 'smtp_450', permanent: false } };
    const mail = createMail(scratch, 1_000, refusals);
    for (const email of ['later@example.com', 'now@example.com']) await mail.add(workspace_id, email);
    await mail.sendNew(workspace_id);
    t.deepEqual(mail.sent, ['now@example.com']);
    const left = await scratch.query(
      `SELECT status, attempts, failure_code, next_attempt_at <= now() AND notify_at <= now() AS is_due
        FROM mails
       WHERE status <> 'sent'`,
    );
    t.deepEqual(left, [{ status: 'pending', attempts: 0, failure_code: 'smtp_450', is_due: true }]);
    await mail.sendNew(workspace_id);
    delete refusals.later;
    t.deepEqual(await mail.send(workspace_id), ['later@example.com']);
  });
});

import test from 'ava';
import type { DataSource } from 'typeorm';
import type { MailMessage } from '../../../activities/gateways/mail.js';
import { enqueueMail } from '../../../commands/mail/mails.js';
import { newInvite } from '../../../commands/members/invites.js';
import { insertMember } from '../../../commands/members/members.js';
import { findQueuesWithNewMail } from '../../../db/queries/mail/mail-queue.js';
import { transaction } from '../../../db/transaction.js';
import { scaledMailQuotas } from '../../../domain/api-keys/limits.js';
import { Backoff } from '../../../worker/backoff.js';
import { FirstAttempts } from '../../../worker/first-attempts.js';
import { startOutboxRelay, type RelayDependencies } from '../../../worker/outbox-relay.js';
import { newPlace, withScratchDatabase } from '../../support/scratch-database.js';
import { storeMembers } from '../../support/rows.js';
import { until } from '../../support/until.js';

const OTHERS = 20;

/** A workspace with mail to its owner for which nobody waits, queued some minutes ago. Returns its id. */
async function withOldMail(scratch: DataSource, minutes: number): Promise<string> {
  const { workspace_id } = await newPlace(scratch);
  const [start, end] = ['2027-01-01T09:00:00Z', '2027-01-01T10:00:00Z'];
  await storeMembers(scratch, [{ workspace_id, email: `owner-${workspace_id}@example.com`, role: 'owner' }]);
  await scratch.query(
    `UPDATE workspaces SET maintenance_starts_at = $2, maintenance_ends_at = $3 WHERE id = $1`,
    [workspace_id, start, end],
  );
  const about = `${workspace_id}/${start}/${end}`;
  await transaction(scratch, (tx) => enqueueMail(tx, { workspace_id, kind: 'maintenance_announced', about }));
  await scratch.query(
    `UPDATE mails SET notify_at = now() - make_interval(mins => $2),
      next_attempt_at = now() - make_interval(mins => $2)
     WHERE workspace_id = $1`,
    [workspace_id, minutes],
  );
  return workspace_id;
}

/** Invites somebody to a workspace, who waits for the link. */
const invite = (scratch: DataSource, workspace_id: string): Promise<unknown> =>
  transaction(scratch, (tx) =>
    insertMember(tx, {
      workspace_id,
      email: 'waits@example.com',
      name: 'Mel',
      role: 'member',
      tier: 'basic',
      status: 'invited',
      invite: newInvite(),
    }),
  );

test('mail that somebody is waiting for is sent while a slow server takes the older mail of many workspaces', async (t) => {
  await withScratchDatabase(async (scratch) => {
    for (let n = 0; n < OTHERS; n++) await withOldMail(scratch, 60 - n);
    const { workspace_id } = await newPlace(scratch);
    const sent: string[] = [];
    let release = (): void => undefined;
    const accepted = new Promise<void>((resolve) => (release = resolve));
    const mailer = {
      async send({ to, urgent }: MailMessage): Promise<void> {
        if (!urgent) await accepted;
        sent.push(to);
      },
    };
    const log = { warn: () => undefined, info: () => undefined };
    const mail = {
      db: scratch,
      mailer,
      mailQuotas: scaledMailQuotas(1_000),
      publicUrl: 'https://book.example',
      inviteLinks: { linkTo: () => 'https://book.example/invite/1' },
    };
    const client = { withDeadline: async () => undefined };
    const deps = { db: scratch, client, log, mail, countMails: () => undefined, taskQueue: 'test' };
    const stop = startOutboxRelay(deps as unknown as RelayDependencies);
    try {
      await until(async () => {
        const [{ claimed }] = await scratch.query(
          `SELECT count(*)::int AS claimed FROM mails WHERE notify_at > now()`,
        );
        return claimed >= 8;
      });
      await invite(scratch, workspace_id);
      await until(async () => sent.length > 0);
      t.deepEqual(sent, ['waits@example.com']);
    } finally {
      release();
      await stop();
    }
  });
});

test('workspaces take turns: one with newer mail than many others is served right after their turn', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const busy: string[] = [];
    for (let n = 0; n < OTHERS; n++) busy.push(await withOldMail(scratch, 60 - n));
    const young = await withOldMail(scratch, 0);
    const next = (turns: string[]): Promise<(string | null)[]> =>
      findQueuesWithNewMail(scratch.manager, { urgent: false, except: [], turns, limit: 8 });
    t.deepEqual(await next([]), busy.slice(0, 8), 'without turns, the longest overdue');
    t.deepEqual(await next(busy), [young, ...busy.slice(0, 7)], 'then whoever has had none');
    t.deepEqual(await next([young, ...busy.toReversed()]), [young, ...busy.toReversed().slice(0, 7)]);
    t.deepEqual(
      await findQueuesWithNewMail(scratch.manager, { urgent: true, except: [], turns: [], limit: 8 }),
      [],
    );
  });
});

test('a queue that always has rows gets no second turn before every other queue has had its first', async (t) => {
  const processed: string[] = [];
  const queues = Array.from({ length: 24 }, (_, n) => `queue ${n}`);
  const attempts = new FirstAttempts(
    {
      // As the database would: those without a turn first, starting with the longest overdue.
      async findQueues({ except, turns, limit }) {
        const rank = (queue: string): number => turns.indexOf(queue);
        return queues
          .filter((queue) => !except.includes(queue))
          .toSorted((a, b) => rank(a) - rank(b))
          .slice(0, limit);
      },
      process: async (queue) => void processed.push(queue),
    },
    new Backoff(),
    new AbortController().signal,
  );
  for (let look = 0; look < 6; look++) {
    await attempts.beginDue();
    await attempts.settled();
  }
  t.deepEqual(new Set(processed.slice(0, queues.length)), new Set(queues));
  t.deepEqual(new Set(processed.slice(queues.length)), new Set(queues));
});

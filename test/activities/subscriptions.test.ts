import { MockActivityEnvironment } from '@temporalio/testing';
import { createSubscriptionActivities, type SubscriptionPage } from '../../activities/subscriptions.js';
import { newPlace, withScratchDatabase } from '../db/scratch.js';
import test from '../support/suite.js';

const DAY = '2026-10-01';
const PAGE = 200;

test('a job asks for no page after the last payer', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const { workspace_id: workspaceId } = await newPlace(scratch);
    await scratch.query(
      `UPDATE workspaces SET tier_prices = '{"basic": 0, "plus": 0, "pro": 9000, "enterprise": 0}'`,
    );
    await scratch.query(
      `WITH people AS (
         INSERT INTO profiles (id, email)
         SELECT 'prof_' || lpad(n::text, 26, '0'), n || '@example.com' FROM generate_series(1, $3::int) n RETURNING id, email
       )
       INSERT INTO members (id, workspace_id, profile_id, name, email, role, tier, status, joined_at, billing_anchor,
                            next_statement_on)
       SELECT 'mem_' || substr(id, 6), $1, id, 'Pay Er', email, 'member', 'pro', 'active', $2::date, $2::date, $2::date FROM people`,
      [workspaceId, DAY, PAGE + 1],
    );
    const { draftInvoices, openDrafts, enqueueStatements } = createSubscriptionActivities({ db: scratch });
    const pagesOf = async (work: (after: string) => Promise<SubscriptionPage>): Promise<number[]> => {
      const pages: number[] = [];
      for (let after: string | null = ''; after !== null;) {
        const page = await (new MockActivityEnvironment().run(work, after) as Promise<SubscriptionPage>);
        pages.push(page.done);
        after = page.last;
      }
      return pages;
    };
    t.deepEqual(await pagesOf((after) => draftInvoices({ workspaceId, day: DAY, after })), [PAGE, 1]);
    t.deepEqual(await pagesOf((after) => openDrafts({ workspaceId, after, job: 'job' })), [PAGE, 1]);
    t.deepEqual(await pagesOf((after) => enqueueStatements({ workspaceId, asOf: DAY, after })), [PAGE, 1]);
  });
});

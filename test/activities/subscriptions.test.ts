import { MockActivityEnvironment } from '@temporalio/testing';
import { createSubscriptionActivities, type SubscriptionPage } from '../../activities/subscriptions.js';
import { newPlace, withScratchDatabase } from '../db/scratch.js';
import test from 'ava';

const DAY = '2026-10-01';
const PAGE = 200;

test('a full page of payers is followed by another, the last one by none', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const { workspace_id: workspaceId } = await newPlace(scratch);
    // With nothing to pay, which is drafted fastest.
    await scratch.query(
      `WITH people AS (
         INSERT INTO profiles (id, email)
         SELECT 'prof_' || lpad(n::text, 26, '0'), n || '@example.com' FROM generate_series(1, $3::int) n RETURNING id, email
       )
       INSERT INTO members (id, workspace_id, profile_id, name, email, role, tier, status, joined_at, billing_anchor)
       SELECT 'mem_' || substr(id, 6), $1, id, 'Pay Er', email, 'member', 'basic', 'active', $2::date, $2::date FROM people`,
      [workspaceId, DAY, PAGE + 1],
    );
    const { draftInvoices } = createSubscriptionActivities({ db: scratch });
    const activity = new MockActivityEnvironment();
    const pages: (string | null)[] = [];
    for (let after: string | null = ''; after !== null;) {
      const input = { workspaceId, day: DAY, after };
      const page = await (activity.run(draftInvoices, input) as Promise<SubscriptionPage>);
      pages.push((after = page.last));
    }
    t.deepEqual(pages, [`mem_${String(PAGE).padStart(26, '0')}`, null]);
    const due = `SELECT FROM members WHERE next_period_on IS NULL`;
    t.is((await scratch.query(due)).length, 0);
  });
});

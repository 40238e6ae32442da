import { MockActivityEnvironment } from '@temporalio/testing';
import { createSubscriptionActivities, type SubscriptionPage } from '../../activities/subscriptions.js';
import { newPlace, withScratchDatabase } from '../db/scratch.js';
import { storeMembers } from '../support/rows.js';
import test from 'ava';

const DAY = '2026-10-01';
const PAGE = 200;

test('a full page of payers is followed by another, the last one by none', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const { workspace_id } = await newPlace(scratch);
    // With nothing to pay, which is drafted fastest.
    const days = { joined_at: new Date(DAY), billing_anchor: DAY };
    const payers = Array.from({ length: PAGE + 1 }, (_, n) => ({
      id: `mem_${String(n + 1).padStart(26, '0')}`,
      workspace_id,
      email: `${n}@example.com`,
      ...days,
    }));
    await storeMembers(scratch, payers);
    const { draftInvoices } = createSubscriptionActivities({ db: scratch });
    const activity = new MockActivityEnvironment();
    const pages: (string | null)[] = [];
    for (let after: string | null = ''; after !== null;) {
      const input = { workspaceId: workspace_id, day: DAY, after };
      const page = await (activity.run(draftInvoices, input) as Promise<SubscriptionPage>);
      pages.push((after = page.last));
    }
    t.deepEqual(pages, [`mem_${String(PAGE).padStart(26, '0')}`, null]);
    const due = `SELECT FROM members WHERE next_period_on IS NULL`;
    t.is((await scratch.query(due)).length, 0);
  });
});

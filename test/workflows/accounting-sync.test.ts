import { ApplicationFailure } from '@temporalio/common';
import test from 'ava';
import { temporal } from '../support/temporal.js';
import { WORKFLOWS } from '../../contract/names.js';
import { withWorker } from './stub-worker.js';

// The failures are part of the test.
const TASK_QUEUE = 'test-accounting-sync';
const PAGE = 20;
const nthWorkspaceId = (index: number): string => `ws_${String(index).padStart(6, '0')}`;
const WORKSPACES = Array.from({ length: 50 }, (_, index) => nthWorkspaceId(index));
const BROKEN = [nthWorkspaceId(3), nthWorkspaceId(27)];

test('the sync pages over all workspaces, and one that keeps failing stops no other, and is named', async (t) => {
  const pages: string[] = [];
  const synced: string[] = [];
  const activities = {
    async listWorkspacesToSync({ after }: { after: string }): Promise<string[]> {
      pages.push(after);
      return WORKSPACES.filter((id) => id > after).slice(0, PAGE);
    },
    refreshChart: async (): Promise<void> => undefined,
    async postponeIfLimited(workspaceId: string): Promise<number | null> {
      if (BROKEN.includes(workspaceId)) throw ApplicationFailure.nonRetryable('a bug');
      return null;
    },
    listOverdueInvoices: async (): Promise<string[]> => [],
    async listInvoicesInFlight({ workspaceId, after }: { workspaceId: string; after: string }) {
      if (after !== '') return { missing: [], known: [], last: null };
      synced.push(workspaceId);
      return { missing: [], known: [`inv_${workspaceId}`], last: 'inv' };
    },
    readAccountingInvoices: async () => ({ authorised: 1 }),
  };
  const summary = await withWorker(TASK_QUEUE, activities, () =>
    temporal.workflow.execute(WORKFLOWS.accountingSync, {
      taskQueue: TASK_QUEUE,
      workflowId: `test-accounting-sync-${Date.now()}`,
      args: [{}],
    }),
  );
  t.deepEqual(pages, ['', nthWorkspaceId(19), nthWorkspaceId(39), nthWorkspaceId(49)]);
  // An activity may run twice.
  t.deepEqual(
    [...new Set(synced)].toSorted(),
    WORKSPACES.filter((id) => !BROKEN.includes(id)),
  );
  t.like(summary, { examined: 48, authorised: 48, failed: 0, failed_workspaces: 2, under_way: 0 });
});

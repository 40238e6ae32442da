import type { DataSource } from 'typeorm';
import type { Day } from '../domain/cycle.js';
import { findDueMembers } from '../db/queries/members/member-cycle.js';
import { runMemberCycle } from '../commands/members/member-cycle.js';
import { transaction } from '../db/transaction.js';
import { sweep } from './sweep.js';

const PAGE = 50;

/** The counts of one page of members. `last` is the id of its last member, null at the end. */
export interface CyclePage {
  last: string | null;
  trials_ended: number;
  downgraded: number;
  granted: number;
  failed: number;
}

/** The member cycle job (docs/rules/members.md#monthly-cycle). */
export function createMemberCycleActivities({ db }: { db: DataSource }) {
  return {
    /** Processes a page of due members, each in its own transaction. A failure does not stop the others, except when the database is unavailable. */
    async runMemberCycles(input: { workspaceId?: string; asOf?: Day; after: string }): Promise<CyclePage> {
      const due = await findDueMembers(db.manager, { ...input, limit: PAGE });
      const byId = new Map(due.map((member) => [member.id, member]));
      const page = { last: due.at(-1)?.id ?? null, trials_ended: 0, downgraded: 0, granted: 0 };
      const failed = await sweep([...byId.keys()], 'the cycle of a member', async (id) => {
        const done = await transaction(db, (tx) => runMemberCycle(tx, byId.get(id)!, input.asOf));
        if (done.trial_ended) page.trials_ended++;
        if (done.downgraded) page.downgraded++;
        if (done.granted) page.granted++;
      });
      return { ...page, failed: failed.length };
    },
  };
}

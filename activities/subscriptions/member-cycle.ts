import type { DataSource } from 'typeorm';
import type { Day } from '../../domain/cycle.js';
import { cycleMoment, isCycleDue, latestMoment } from '../../domain/subscriptions/member-cycle.js';
import { findDueMembers } from '../../db/queries/subscriptions/member-cycle.js';
import { runMemberCycle } from '../../commands/subscriptions/member-cycle.js';
import { beginRun, endRun } from '../../commands/workspaces/job-failures.js';
import { transaction } from '../../db/transaction.js';
import { isKnownZone } from '../../domain/time-zone.js';
import { takeDue, recordFailure, sweep } from '../sweep.js';

const PAGE = 50;
/** How many members are checked. Those in time zones where it is too early cost nothing more. */
const LOOKED_AT = 1_000;
const job = 'member_cycle';

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
    /**
     * Processes a page of due members, each in its own transaction. A failure does not stop the others,
     * unless the database is unavailable, and is recorded for its workspace.
     */
    async runMemberCycles(input: { workspaceId?: string; asOf?: Day; after: string }): Promise<CyclePage> {
      const { workspaceId, asOf, after } = input;
      const now = new Date();
      if (after === '') await beginRun(db.manager, { job, workspaceId });
      const query = { ...input, by: latestMoment(asOf, now), limit: LOOKED_AT };
      const { due, last } = takeDue(
        await findDueMembers(db.manager, query),
        PAGE,
        ({ time_zone, ...member }) =>
          isKnownZone(time_zone) ? isCycleDue(member, cycleMoment(time_zone, asOf, now)) : true,
      );
      const byId = new Map(due.map((member) => [member.id, member]));
      const page = { last: last?.id ?? null, trials_ended: 0, downgraded: 0, granted: 0 };
      const failed = await sweep(
        [...byId.keys()],
        'the cycle of a member',
        async (id) => {
          const done = await transaction(db, (tx) => runMemberCycle(tx, byId.get(id)!, asOf));
          if (done.trial_ended) page.trials_ended++;
          if (done.downgraded) page.downgraded++;
          if (done.granted) page.granted++;
        },
        (id, error) => recordFailure(db, { workspace_id: byId.get(id)!.workspace_id, job, error }),
      );
      if (page.last === null) await endRun(db.manager, { job, workspaceId });
      return { ...page, failed: failed.length };
    },
  };
}

import type { DataSource } from 'typeorm';
import { announceExpiring } from '../../commands/single-sign-on/certificates.js';
import { beginRun, endRun } from '../../commands/workspaces/job-failures.js';
import { listCertificates } from '../../db/queries/single-sign-on/single-sign-on.js';
import { transaction } from '../../db/transaction.js';
import type { Day } from '../../domain/cycle.js';
import { recordFailure, sweep } from '../sweep.js';

const PAGE = 200;
const job = 'sso_certificates';

/** The counts of one page of workspaces. `last` is the id of its last one, null at the end. */
export interface CertificatesPage {
  last: string | null;
  expiring: number;
  failed: number;
}

/**
 * The job that announces expiring certificates of identity providers
 * (docs/rules/single-sign-on.md#certificates).
 */
export function createSsoCertificateActivities({ db }: { db: DataSource }) {
  return {
    /**
     * Checks a page of workspaces, each in its own transaction. A failure does not stop the others, unless
     * the database is unavailable, and is recorded for its workspace.
     */
    async announceCertificates(input: {
      workspaceId?: string;
      asOf?: Day;
      after: string;
    }): Promise<CertificatesPage> {
      const { workspaceId, asOf, after } = input;
      const now = new Date();
      if (after === '') await beginRun(db.manager, { job, workspaceId });
      const rows = await listCertificates(db.manager, { workspaceId, after, limit: PAGE });
      const byId = new Map(rows.map((row) => [row.workspace_id, row]));
      const last = rows.length < PAGE ? null : rows.at(-1)!.workspace_id;
      const page = { last, expiring: 0 };
      const failed = await sweep(
        [...byId.keys()],
        'the certificates of an identity provider',
        async (id) => {
          page.expiring += await transaction(db, (tx) => announceExpiring(tx, byId.get(id)!, { asOf, now }));
        },
        (workspace_id, error) => recordFailure(db, { workspace_id, job, error }),
      );
      if (last === null) await endRun(db.manager, { job, workspaceId });
      return { ...page, failed: failed.length };
    },
  };
}

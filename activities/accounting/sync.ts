import type { DataSource } from 'typeorm';
import { listConnectedWorkspaces } from '../../db/repositories/accounting/connection-queries.js';
import {
  listPayableInvoices,
  listSyncedInvoices,
} from '../../db/repositories/accounting/document-queries.js';
import { listOverdueUpdates } from '../../db/repositories/accounting/pending-update-queries.js';

const PAGE = 100;
/** A write that has been pending for longer than this needs another run. */
const OVERDUE_SECONDS = 600;

/** The lists that the accounting sync processes, in pages by invoice id (docs/rules/accounting.md#sync). */
export function createSyncActivities({ db }: { db: DataSource }) {
  return {
    /** The ids of the connected workspaces, or of the one given if it is connected. */
    async listConnectedWorkspaces({ workspaceId }: { workspaceId?: string }): Promise<string[]> {
      return listConnectedWorkspaces(db.manager, workspaceId);
    },

    /** A page of invoices in flight, split by whether the accounting system has them. `last` is null at the end. */
    async listInvoicesInFlight(input: {
      workspaceId: string;
      after: string;
    }): Promise<{ missing: string[]; known: string[]; last: string | null }> {
      const rows = await listPayableInvoices(db.manager, input.workspaceId, input.after, PAGE);
      const ids = (known: boolean) => rows.filter((row) => row.known === known).map((row) => row.id);
      return { missing: ids(false), known: ids(true), last: rows.at(-1)?.id ?? null };
    },

    /** A page of the invoices that the accounting system has, including those in a final state. */
    async listSyncedInvoices(input: { workspaceId: string; after: string }): Promise<string[]> {
      return listSyncedInvoices(db.manager, input.workspaceId, input.after, PAGE);
    },

    /** A page of the invoices with a write that has been pending for too long. */
    async listOverdueInvoices(input: { workspaceId: string; after: string }): Promise<string[]> {
      const { workspaceId, after } = input;
      return listOverdueUpdates(db.manager, workspaceId, OVERDUE_SECONDS, after, PAGE);
    },
  };
}

import type { DataSource } from 'typeorm';
import { listConnectedWorkspaces } from '../db/repositories/accounting/connection-queries.js';
import { listPayableInvoices, listSyncedInvoices } from '../db/repositories/accounting/document-queries.js';
import { listOverdueUpdates } from '../db/repositories/accounting/pending-update-queries.js';

const PAGE = 100;
/** A write this old has had its run, and needs another. */
const OVERDUE_SECONDS = 600;

/** What the hourly job goes by. */
export function createSyncActivities({ db }: { db: DataSource }) {
  return {
    /** The workspaces whose books are kept; one or all. */
    async listBooksToKeep({ workspaceId }: { workspaceId?: string }): Promise<string[]> {
      return listConnectedWorkspaces(db.manager, workspaceId);
    },

    /** A page of invoices in flight, by whether the books know them. `last` is null behind the last page. */
    async listInvoicesInFlight(input: {
      workspaceId: string;
      after: string;
    }): Promise<{ missing: string[]; known: string[]; last: string | null }> {
      const rows = await listPayableInvoices(db.manager, input.workspaceId, input.after, PAGE);
      const ids = (known: boolean) => rows.filter((row) => row.known === known).map((row) => row.id);
      return { missing: ids(false), known: ids(true), last: rows.at(-1)?.id ?? null };
    },

    /** A page of the invoices that the books have, terminal ones too. */
    async listBookedInvoices(input: { workspaceId: string; after: string }): Promise<string[]> {
      return listSyncedInvoices(db.manager, input.workspaceId, input.after, PAGE);
    },

    /** A page of the invoices of which the books should have heard, and have not. */
    async listOverdueBooks(input: { workspaceId: string; after?: string }): Promise<string[]> {
      const { workspaceId, after = '' } = input;
      return listOverdueUpdates(db.manager, workspaceId, OVERDUE_SECONDS, after, PAGE);
    },
  };
}

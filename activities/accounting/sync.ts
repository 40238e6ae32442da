import type { DataSource } from 'typeorm';
import * as connections from '../../db/repositories/accounting/connections.js';
import * as documents from '../../db/repositories/accounting/documents.js';

const PAGE = 100;
/** A pending write this old has had its run, and needs another one. */
const OVERDUE_SECONDS = 600;

/** The lists that the accounting sync works through, by invoice id (docs/rules/accounting.md#sync). */
export function createSyncActivities({ db }: { db: DataSource }) {
  return {
    /** The ids of the connected workspaces, or of the one given if it is connected. */
    async listConnectedWorkspaces({ workspaceId }: { workspaceId?: string }): Promise<string[]> {
      return connections.listConnectedWorkspaces(db.manager, workspaceId);
    },

    /** A page of invoices in flight, by whether the accounting system has them. `last` is null at the end. */
    async listInvoicesInFlight(input: {
      workspaceId: string;
      after: string;
    }): Promise<{ missing: string[]; known: string[]; last: string | null }> {
      const rows = await documents.listInFlight(db.manager, input.workspaceId, input.after, PAGE);
      const ids = (known: boolean) => rows.filter((row) => row.known === known).map((row) => row.id);
      return { missing: ids(false), known: ids(true), last: rows.at(-1)?.id ?? null };
    },

    /** A page of the invoices that the accounting system has, those in a final state included. */
    async listSyncedInvoices(input: { workspaceId: string; after: string }): Promise<string[]> {
      return documents.listSyncedInvoices(db.manager, input.workspaceId, input.after, PAGE);
    },

    /** A page of the invoices with a write that has been pending for too long. */
    async listOverdueInvoices(input: { workspaceId: string; after: string }): Promise<string[]> {
      const { workspaceId, after } = input;
      return documents.listOverdueUpdates(db.manager, workspaceId, OVERDUE_SECONDS, after, PAGE);
    },
  };
}

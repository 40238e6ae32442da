import type { DataSource } from 'typeorm';
import {
  findChart,
  findConnection,
  isChartStale,
  listConnectedWorkspaces,
  listWorkspacesToSync,
} from '../../db/queries/accounting/connection.js';
import { listLineAccounts } from '../../db/queries/accounting/line-account.js';
import { saveChart } from '../../commands/accounting/connections.js';
import { listPayableInvoices, listSyncedInvoices } from '../../db/queries/accounting/document.js';
import { listOverdueUpdates } from '../../db/queries/accounting/pending-update.js';
import { setErrorOfWaiting } from '../../commands/accounting/pending-updates.js';
import { findWorkspace } from '../../db/queries/workspaces/workspace.js';
import { dayLimitMessage } from '../../domain/accounting/documents.js';
import { listSettingProblems } from '../../domain/accounting/settings.js';
import type { Accounting } from '../gateways/accounting.js';

const PAGE = 100;
/** A write that has been pending for longer than this needs another run. */
const OVERDUE_SECONDS = 600;

/** Lists what the accounting sync processes, in pages by invoice id (docs/rules/accounting.md#sync). */
export function createSyncActivities({ db, accounting }: { db: DataSource; accounting: Accounting }) {
  async function readChart(workspaceId: string): Promise<void> {
    const chart = await accounting.readChart(workspaceId);
    await saveChart(db.manager, workspaceId, chart);
  }

  /** True if the chart is a day old, or lacks a setting that may have been added there since. */
  async function isChartDue(workspaceId: string): Promise<boolean> {
    const tx = db.manager;
    if (await isChartStale(tx, workspaceId)) return true;
    const [connection, workspace, read, lineAccounts] = [
      await findConnection(tx, workspaceId),
      await findWorkspace(tx, workspaceId),
      await findChart(tx, workspaceId),
      await listLineAccounts(tx, workspaceId),
    ];
    return listSettingProblems(connection!, workspace!, read!.chart, lineAccounts).length > 0;
  }

  return {
    /**
     * Returns a page of the ids of the connected workspaces, or the given one if it is connected. Empty at
     * the end.
     */
    async listConnectedWorkspaces(input: { workspaceId?: string; after: string }): Promise<string[]> {
      const { workspaceId, after } = input;
      return listConnectedWorkspaces(db.manager, { workspaceId, after, limit: PAGE });
    },

    /** Does the same, but only returns workspaces for which the hourly sync has something to do. */
    async listWorkspacesToSync(input: { workspaceId?: string; after: string }): Promise<string[]> {
      const { workspaceId, after } = input;
      const overdueSeconds = OVERDUE_SECONDS;
      return listWorkspacesToSync(db.manager, { workspaceId, after, limit: PAGE, overdueSeconds });
    },

    /** Reads and stores the organisation's accounts, tax types and currencies. */
    readChart,

    /** Does the same, only if the stored chart is a day old or lacks something. */
    async refreshChart(workspaceId: string): Promise<void> {
      if (await isChartDue(workspaceId)) await readChart(workspaceId);
    },

    /**
     * Returns null if the sync can continue. If the organisation accepts no more calls today, shows that on
     * every waiting invoice and returns how many wait. Returns 0 if the connection is disabled.
     */
    async postponeIfLimited(workspaceId: string): Promise<number | null> {
      const connection = await findConnection(db.manager, workspaceId);
      if (!connection?.enabled) return 0;
      const until = connection.limited_until;
      if (!until || until <= new Date()) return null;
      return setErrorOfWaiting(db.manager, workspaceId, dayLimitMessage(until, new Date()));
    },

    /**
     * Returns a page of invoices in flight, split by whether the accounting system has them. `last` is null
     * at the end.
     */
    async listInvoicesInFlight(input: {
      workspaceId: string;
      after: string;
    }): Promise<{ missing: string[]; known: string[]; last: string | null }> {
      const rows = await listPayableInvoices(db.manager, input.workspaceId, input.after, PAGE);
      const ids = (known: boolean) => rows.filter((row) => row.known === known).map((row) => row.id);
      return { missing: ids(false), known: ids(true), last: rows.at(-1)?.id ?? null };
    },

    /** Returns a page of the invoices that the accounting system has, including those in a final state. */
    async listSyncedInvoices(input: { workspaceId: string; after: string }): Promise<string[]> {
      return listSyncedInvoices(db.manager, input.workspaceId, input.after, PAGE);
    },

    /** Returns a page of the invoices with a write that has been pending for too long. */
    async listOverdueInvoices(input: { workspaceId: string; after: string }): Promise<string[]> {
      const { workspaceId, after } = input;
      return listOverdueUpdates(db.manager, workspaceId, OVERDUE_SECONDS, after, PAGE);
    },
  };
}

import { db } from '../support/stack.js';
import { processorLedger } from '../support/simulators.js';
import { documentInCharge } from '../../domain/invoices/document-number.js';
import type { ChaosWorkspace } from './scene.js';
import type { Violation } from './settle.js';

/** What must hold after the database was silently replaced by an older one. */
export async function* judgeBehind(workspaces: ChaosWorkspace[]): AsyncGenerator<Violation> {
  for (const { workspace } of workspaces) {
    const noticed = await db.query(
      `SELECT FROM audit_log WHERE workspace_id = $1 AND action = 'database.behind' LIMIT 1`,
      [workspace.id],
    );
    if (noticed.length === 0)
      yield { invariant: 'a database that is behind is noticed', found: workspace.id };
    const inBooks = await db.query(
      `SELECT object, details FROM audit_log
        WHERE workspace_id = $1 AND action = 'invoice.number_given_twice'`,
      [workspace.id],
    );
    const byNumber = await idsByNumber(workspace);
    const twice = [...byNumber].filter(([, ids]) => ids.size > 1).map(([number, ids]) => [number, ...ids]);
    if (inBooks.length + twice.length > 0)
      yield { invariant: 'no document number is given twice', found: { inBooks, twice } };
  }
}

/** The invoices with each document number, here and in the descriptions of charges at the processor. */
async function idsByNumber(workspace: ChaosWorkspace['workspace']): Promise<Map<string, Set<string>>> {
  const byNumber = new Map<string, Set<string>>();
  const add = (number: string, id: string): void => {
    byNumber.set(number, (byNumber.get(number) ?? new Set()).add(id));
  };
  const rows: { id: string; document_number: string }[] = await db.query(
    `SELECT id, document_number FROM invoices WHERE workspace_id = $1 AND document_number IS NOT NULL`,
    [workspace.id],
  );
  for (const { id, document_number } of rows) add(document_number, id);
  for (const { description, metadata } of (await processorLedger(workspace)).charges) {
    const seen = documentInCharge({ description: description ?? null, metadata });
    if (seen?.id && seen.document) add(seen.document, seen.id);
  }
  return byNumber;
}

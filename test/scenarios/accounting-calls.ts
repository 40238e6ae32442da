import { db } from '../support/stack.js';
import type { Invoice } from '../support/api-bodies.js';

export const getNumber = ({ document_number }: Invoice): string => document_number!;

export const manual = { method: 'bank_transfer' };

export async function countPending(workspaceId: string): Promise<number> {
  const [{ count }] = await db.query(`SELECT count(*)::int FROM accounting_due WHERE workspace_id = $1`, [
    workspaceId,
  ]);
  return count;
}

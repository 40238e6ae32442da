import { DAY_MS } from '../../domain/durations.js';
import type { TestWorkspace } from '../support/workspaces.js';

/** The report for today. */
export async function reconcile({ api }: TestWorkspace) {
  const [from, to] = [-DAY_MS, DAY_MS].map((offset) => new Date(Date.now() + offset).toISOString());
  const { status, body } = await api.get(`/v1/reconciliation?from=${from}&to=${to}`);
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body;
}

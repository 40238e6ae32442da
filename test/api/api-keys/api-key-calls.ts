import { DAY_MS } from '../../../domain/durations.js';
import { client } from '../../support/api-client.js';
import type { TestWorkspace } from '../../support/workspaces.js';

export const inDays = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString();

export const scope = (resources: string[], actions: string[], ip_allowlist: string[] = []) => ({
  resources,
  actions,
  ip_allowlist,
});

export const READER = scope(['calendar'], ['read']);

export async function mint(workspace: TestWorkspace, body: Record<string, unknown> = {}) {
  const made = await workspace.api.post('/v1/api-keys', { name: 'Key', ...body });
  if (made.status !== 201) throw new Error(JSON.stringify(made.body));
  return { ...made.body, expires_at: made.body.expires_at! };
}

export const whoami = (token: string, on?: string) => client(token, on).get('/v1/auth/whoami');

export const listed = async (workspace: TestWorkspace, id: string) =>
  (await workspace.api.get('/v1/api-keys?limit=200')).body.data.find((key) => key.id === id)!;

export const audited = async ({ api }: TestWorkspace, action: string) =>
  (await api.get(`/v1/audit-log?action=${action}`)).body.data;

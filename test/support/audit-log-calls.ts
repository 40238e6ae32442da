import type { ApiClient } from './api-client.js';
import { db } from './stack.js';

export async function listEntries(api: ApiClient, filter: Record<string, string> = {}) {
  const { status, body } = await api.get(`/v1/audit-log?${new URLSearchParams(filter)}`);
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body.data;
}

/** The newest entry. */
export async function newest(api: ApiClient) {
  const { action, object, details } = (await listEntries(api, { limit: '1' }))[0]!;
  return { action, object, details };
}

export const findKeyId = async (memberId: string): Promise<string> =>
  (await db.query('SELECT id FROM api_keys WHERE member_id = $1', [memberId]))[0].id;

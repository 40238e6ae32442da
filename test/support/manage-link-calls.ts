import { db } from './stack.js';
import type { AuditEntry } from './api-bodies.js';
import { openLink } from './links.js';

/** Opens a page or a file of the link. */
export const get = (url: string): Promise<Response> => openLink(url);

export const post = (url: string, fields: Record<string, string>): Promise<Response> =>
  fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });

/** A page's text, with the values of hidden fields by name. */
export async function read(
  response: Response,
): Promise<{ status: number; text: string; fields: Record<string, string> }> {
  const html = await response.text();
  const hidden = [...html.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)];
  return {
    status: response.status,
    text: html
      .replace(/<style>.*?<\/style>/s, '')
      .replaceAll(/<[^>]+>/g, ' ')
      .replaceAll(/\s+/g, ' '),
    fields: Object.fromEntries(hidden.map(([, name, value]) => [name, value])),
  };
}

export const page = async (url: string) => read(await get(url));

export const listAuditEntries = (
  bookingId: string,
): Promise<{ action: string; actor: unknown; details: AuditEntry['details'] }[]> =>
  db.query(`SELECT action, actor, details FROM audit_log WHERE object = $1 ORDER BY at, id`, [bookingId]);

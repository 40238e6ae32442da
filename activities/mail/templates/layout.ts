import { readFileSync } from 'node:fs';
import type { Sender } from '../../../db/queries/mail/sender.js';
import type { MailMessage } from '../../gateways/mail.js';
import { escapeHtml } from './html.js';

/** Mail programs that ignore style sheets still show text, tables and links in a readable order. */
const CSS = readFileSync(new URL('./layout.css', import.meta.url), 'utf8');

/** What the service itself sends comes from here. */
const SERVICE = 'Holdfast';

/**
 * The letter that every mail is sent as: the sender's name, the content of its template, and whom to ask. Replies go to
 * the workspace's contact.
 */
export function layOut(message: MailMessage, sender: Sender | null): MailMessage {
  const name = sender?.name ?? SERVICE;
  const contact = sender?.contact_email ?? null;
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(message.subject)}</title>
<style>${CSS}</style>
</head>
<body>
<main>
<table class="page" role="presentation" cellspacing="0" cellpadding="0"><tbody><tr><td>
<table class="letter" role="presentation" cellspacing="0" cellpadding="0" align="center"><tbody>
<tr><td class="from"><h1>${escapeHtml(name)}</h1></td></tr>
<tr><td class="body">
${message.html}
</td></tr>
${contact ? `<tr><td class="foot">Questions? Contact ${escapeHtml(name)} at <a href="mailto:${escapeHtml(contact)}">${escapeHtml(contact)}</a>.</td></tr>` : ''}
</tbody></table>
</td></tr></tbody></table>
</main>
</body>
</html>`;
  const text = contact ? `${message.text}\n\nQuestions? Contact ${name} at ${contact}.` : message.text;
  return { ...message, html, text, ...(contact && { reply_to: contact }) };
}

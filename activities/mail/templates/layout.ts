import type { Sender } from '../../../db/queries/mail/sender.js';
import type { MailMessage } from '../../gateways/mail.js';
import { escapeHtml } from './html.js';

/** Mail programs that ignore style sheets still show text, tables and links in a readable order. */
const CSS = `
  :root { color-scheme: light dark; supported-color-schemes: light dark; }
  body { margin: 0; padding: 0; background: #f5f6f4; color: #1b1f24; font: 16px/1.5 -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif; }
  .page { width: 100%; background: #f5f6f4; } .page > tbody > tr > td { padding: 24px 12px; }
  .letter { width: 100%; max-width: 560px; margin: 0 auto; background: #ffffff; border: 1px solid #e2e5e0; border-radius: 12px; }
  .letter > tbody > tr > td { padding: 24px 28px; }
  .letter .from { padding-bottom: 0; } h1 { margin: 0; font-weight: 700; font-size: 18px; color: #1e5f7f; }
  .letter .foot { padding-top: 0; font-size: 13px; color: #5a6472; }
  p { margin: 0 0 16px; } a { color: #1e5f7f; }
  .body p:not(.more) > a:only-child { display: inline-block; padding: 12px 20px; border-radius: 9px; background: #1e5f7f; color: #ffffff;
    text-decoration: none; font-weight: 600; }
  .facts { width: 100%; border-collapse: collapse; margin: 0 0 20px; }
  .facts td { padding: 8px 0; border-bottom: 1px solid #e2e5e0; text-align: right; vertical-align: top; overflow-wrap: anywhere; }
  .facts .term { color: #5a6472; text-align: left; padding-right: 16px; white-space: nowrap; }
  .facts .item { text-align: left; padding-right: 16px; }
  .note { font-size: 14px; color: #5a6472; }
  @media (prefers-color-scheme: dark) {
    body, .page { background: #15181b; color: #eef0ee; }
    .letter { background: #1f2428; border-color: #333a40; }
    h1, a { color: #7fc4e6; } .letter .foot, .facts .term, .note { color: #a9b2bd; }
    .body p:not(.more) > a:only-child { color: #ffffff; } .facts td { border-color: #333a40; }
  }`;

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

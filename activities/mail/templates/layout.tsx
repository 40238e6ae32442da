import { readFileSync } from 'node:fs';
import { render } from 'preact-render-to-string';
import type { Sender } from '../../../db/queries/mail/sender.js';
import { applyAccent } from '../../../domain/workspaces/colour.js';
import { inlined } from './inline.js';
import { Table, type MailContent, type RenderedMail } from './parts.js';
import { renderText } from './text.js';
import { ENGLISH } from '../../../domain/words/words.js';

const CSS = readFileSync(new URL('./layout.css', import.meta.url), 'utf8');

/** The sender of the service's own mail. */
const SERVICE: Sender = {
  name: 'Holdfast',
  logo_url: null,
  accent_color: null,
  is_speaker: false,
  contact_email: null,
  is_proven: false,
};

/**
 * Puts the content of a template into the layout that all mail has, with the sender's name and contact.
 * Replies go to the workspace's contact address if it is proven.
 */
export function layOut(
  { body, words = ENGLISH, ...message }: MailContent,
  sender: Sender | null,
): RenderedMail {
  const { name, logo_url, accent_color, is_speaker, contact_email, is_proven } = sender ?? SERVICE;
  const link = (email: string) => <a href={`mailto:${email}`}>{email}</a>;
  const contact =
    contact_email && words.rich('mail.questions', { mail: link }, { name, email: contact_email });
  const html = render(
    <html lang={words.language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>{message.subject}</title>
        <style dangerouslySetInnerHTML={{ __html: applyAccent(CSS, accent_color) }} />
      </head>
      <body>
        <main>
          <Table class="page">
            <tr>
              <td class="around">
                <Table class="letter" align="center">
                  <tr>
                    <td class="from">
                      <h1>{logo_url ? <img class="logo" src={logo_url} alt={name} height="40" /> : name}</h1>
                    </td>
                  </tr>
                  <tr>
                    <td class="body">{body}</td>
                  </tr>
                  {contact && (
                    <tr>
                      <td class="foot">{contact}</td>
                    </tr>
                  )}
                </Table>
              </td>
            </tr>
          </Table>
        </main>
      </body>
    </html>,
  );
  const text = renderText(
    <>
      {body}
      <p>{name}</p>
      {contact && <p>{contact}</p>}
    </>,
  );
  return {
    ...message,
    html: inlined(`<!doctype html>\n${html}`),
    text,
    ...(is_speaker && { from_name: name }),
    ...(contact_email && is_proven && { reply_to: contact_email }),
  };
}

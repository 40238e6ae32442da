import type { ComponentChildren } from 'preact';
import { Grid, renderPage, Page } from '../simulator/pages.js';
import type { Message } from './messages.js';

/** The list of messages, newest first. */
export function listPage(messages: Message[]): string {
  return renderPage(
    <Page title="Mailbox">
      {messages.length === 0 && <p>No mail yet.</p>}
      <Grid
        rows={messages
          .toReversed()
          .map(({ id, received_at, to, subject }) => [
            received_at.slice(0, 19).replace('T', ' '),
            to,
            <a href={`/messages/${id}`}>{subject || '(no subject)'}</a>,
          ])}
      />
    </Page>,
  );
}

/** A text with its addresses as links. */
const linked = (text: string): ComponentChildren[] =>
  text.split(/(https?:\/\/[^\s<>"]+[^\s<>".,;:!?)])/).map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      <a href={part} target="_blank" rel="noreferrer">
        {part}
      </a>
    ),
  );

/** One message. Its HTML is shown in a sandboxed frame without scripts, whose links open in a new tab. */
export function messagePage({ id, from, to, subject, html, text, attachments }: Message): string {
  const files = attachments.map(
    ({ filename }, index) =>
      ['Attached', <a href={`/messages/${id}/attachments/${index}`}>{filename}</a>] as const,
  );
  return renderPage(
    <Page title={subject}>
      <p>
        <a href="/">All mail</a>
      </p>
      <Grid rows={[['From', from], ['To', to], ...files]} />
      {html && (
        <iframe
          sandbox="allow-popups allow-popups-to-escape-sandbox"
          title="HTML"
          srcdoc={`<base target="_blank">${html}`}
        />
      )}
      <pre>{linked(text)}</pre>
    </Page>,
  );
}

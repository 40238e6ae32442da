import { render } from 'preact-render-to-string';
import type { ComponentChildren } from 'preact';
import type { Message } from './messages.js';

const CSS = `
  body { font: 15px/1.5 system-ui, sans-serif; margin: 0; background: #f4f5f3; color: #1b1f24; }
  main { max-width: 52rem; margin: 0 auto; padding: 1.5rem; } h1 { font-size: 1.3rem; }
  table { width: 100%; border-collapse: collapse; background: #fff; border: 1px solid #dfe3dd; }
  td, th { text-align: left; padding: .5rem .75rem; border-bottom: 1px solid #eceeea; } th { color: #5a6472; }
  a { color: #1e5f7f; } dl { display: grid; grid-template-columns: 6rem 1fr; gap: .25rem; } dd { margin: 0; }
  iframe, pre { width: 100%; box-sizing: border-box; background: #fff; border: 1px solid #dfe3dd; padding: .75rem; }
  iframe { height: 22rem; } pre { white-space: pre-wrap; }
`;

function page(title: string, children: ComponentChildren): string {
  const html = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>{title}</title>
        <style>{CSS}</style>
      </head>
      <body>
        <main>{children}</main>
      </body>
    </html>
  );
  return `<!doctype html>${render(html)}`;
}

/** The list of messages, newest first. */
export function listPage(messages: Message[]): string {
  return page(
    'Mailbox',
    <>
      <h1>Mailbox</h1>
      {messages.length === 0 && <p>No mail yet.</p>}
      <table>
        {messages.toReversed().map((message) => (
          <tr key={message.id}>
            <td>{message.received_at.slice(0, 19).replace('T', ' ')}</td>
            <td>{message.to}</td>
            <td>
              <a href={`/messages/${message.id}`}>{message.subject || '(no subject)'}</a>
            </td>
          </tr>
        ))}
      </table>
    </>,
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
export function messagePage(message: Message): string {
  return page(
    message.subject,
    <>
      <p>
        <a href="/">All mail</a>
      </p>
      <h1>{message.subject}</h1>
      <dl>
        <dt>From</dt>
        <dd>{message.from}</dd>
        <dt>To</dt>
        <dd>{message.to}</dd>
        {message.attachments.map((attachment, index) => (
          <>
            <dt>Attached</dt>
            <dd>
              <a href={`/messages/${message.id}/attachments/${index}`}>{attachment.filename}</a>
            </dd>
          </>
        ))}
      </dl>
      {message.html && (
        <iframe
          sandbox="allow-popups allow-popups-to-escape-sandbox"
          title="HTML"
          srcdoc={`<base target="_blank">${message.html}`}
        />
      )}
      <pre>{linked(message.text)}</pre>
    </>,
  );
}

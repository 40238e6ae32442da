import PostalMime from 'postal-mime';
import { Store } from '../simulator/store.js';

export interface Attachment {
  filename: string;
  type: string;
  /** Base64. */
  content: string;
}

export interface Message {
  id: number;
  message_id: string;
  received_at: string;
  from: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  links: string[];
  attachments: Attachment[];
}

function linksIn(text: string, html: string): string[] {
  const inHtml = [...html.matchAll(/href="([^"]+)"/g)].map((match) => match[1]!.replaceAll('&amp;', '&'));
  const inText = text.match(/https?:\/\/[^\s<>"]+/g) ?? [];
  return [...new Set([...inHtml, ...inText])];
}

/** Parses a raw message. `recipients` are those of the SMTP envelope. */
export async function parseMessage(raw: Buffer, recipients: string[]): Promise<Omit<Message, 'id'>> {
  const message = await PostalMime.parse(raw, { attachmentEncoding: 'base64' });
  const text = message.text ?? '';
  const html = message.html ?? '';
  // A calendar invitation is in a message twice: as an alternative of the text, without a file
  // name, and as an attachment.
  const files = message.attachments.filter(({ filename, disposition }) => filename || disposition);
  return {
    message_id: message.messageId ?? '',
    received_at: new Date().toISOString(),
    from: message.from?.address ?? '',
    to: recipients.join(', '),
    subject: message.subject ?? '',
    text,
    html,
    links: linksIn(text, html),
    attachments: files.map(({ filename, mimeType, content }) => ({
      filename: filename ?? 'attachment',
      type: mimeType,
      content: content as string,
    })),
  };
}

/** All messages, oldest first. The newest 5,000 survive a restart. */
export class Messages extends Store {
  private readonly all = this.logTable<Message>('messages', 5_000);

  add(received: Omit<Message, 'id'>): void {
    const [last] = this.all.newestFirst();
    const id = (last?.id ?? 0) + 1;
    this.all.set(String(id), { id, ...received });
  }

  /** All messages, or those to an address, in any letter case. */
  list(to?: string): Message[] {
    const address = to?.toLowerCase();
    return [...this.all.values()].filter(
      (message) => !address || message.to.toLowerCase().split(', ').includes(address),
    );
  }

  find(id: string): Message | undefined {
    return this.all.get(id);
  }

  clear(): void {
    this.transaction(() => [...this.all.keys()].forEach((id) => this.all.delete(id)));
  }
}

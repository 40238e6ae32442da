import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import PostalMime from 'postal-mime';

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

const KEPT = 5_000;

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
  // A calendar invitation is in a message twice: as an alternative of the text, without a file name, and as an
  // attachment.
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

/** All messages, newest last, stored in a file with one JSON line for each. */
export class Messages {
  private all: Message[] = [];

  constructor(private readonly file: string) {
    if (!existsSync(file)) return;
    for (const line of readFileSync(file, 'utf8').split('\n')) {
      try {
        if (line) this.all.push(JSON.parse(line) as Message);
      } catch {
        // An incomplete line, left by a killed process. The message was never acknowledged.
      }
    }
    this.all = this.all.slice(-KEPT);
    this.rewrite();
  }

  add(received: Omit<Message, 'id'>): void {
    const message = { id: (this.all.at(-1)?.id ?? 0) + 1, ...received };
    appendFileSync(this.file, `${JSON.stringify(message)}\n`, { mode: 0o600 });
    this.all.push(message);
  }

  /** All messages, or those to an address, which is not case-sensitive. */
  list(to?: string): Message[] {
    if (!to) return [...this.all];
    const address = to.toLowerCase();
    return this.all.filter((message) => message.to.toLowerCase().split(', ').includes(address));
  }

  find(id: number): Message | undefined {
    return this.all.find((message) => message.id === id);
  }

  clear(): void {
    this.all = [];
    this.rewrite();
  }

  private rewrite(): void {
    writeFileSync(this.file, this.all.map((message) => `${JSON.stringify(message)}\n`).join(''), {
      mode: 0o600,
    });
  }
}

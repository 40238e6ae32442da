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

/** Reads a raw letter as the mailbox shows it. `recipients` are the envelope's. */
export async function readLetter(raw: Buffer, recipients: string[]): Promise<Omit<Message, 'id'>> {
  const letter = await PostalMime.parse(raw, { attachmentEncoding: 'base64' });
  const text = letter.text ?? '';
  const html = letter.html ?? '';
  // An invitation is in a letter twice: as one more form of its text, which has no name, and attached as a file.
  const files = letter.attachments.filter(({ filename, disposition }) => filename || disposition);
  return {
    received_at: new Date().toISOString(),
    from: letter.from?.address ?? '',
    to: recipients.join(', '),
    subject: letter.subject ?? '',
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

/** All letters, newest last, kept in a file of one JSON line each. */
export class Messages {
  private all: Message[] = [];

  constructor(private readonly file: string) {
    if (!existsSync(file)) return;
    for (const line of readFileSync(file, 'utf8').split('\n')) {
      try {
        if (line) this.all.push(JSON.parse(line) as Message);
      } catch {
        // half a line, from a kill in the middle of a write: that letter was never acknowledged
      }
    }
    this.all = this.all.slice(-KEPT);
    this.rewrite();
  }

  add(letter: Omit<Message, 'id'>): void {
    const message = { id: (this.all.at(-1)?.id ?? 0) + 1, ...letter };
    appendFileSync(this.file, `${JSON.stringify(message)}\n`, { mode: 0o600 });
    this.all.push(message);
  }

  /** All letters, or those that were sent to an address, in upper or lower case. */
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

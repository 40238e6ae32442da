import type { Pdf } from '../../commands/invoices/pdf/files.js';
import type { ApiContext } from './context.js';
import type { Reply } from './operation.js';

/** The reply with a PDF that a browser shows, and saves under its name. */
export const pdfReply = ({ name, content }: Pdf): Reply & { headers: Record<string, string> } => ({
  headers: {
    'Content-Type': 'application/pdf',
    'Content-Disposition': `inline; filename="${name}.pdf"`,
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  },
  body: content,
});

export function sendPdf(ctx: ApiContext, name: string, content: Buffer): void {
  const { headers, body } = pdfReply({ name, content });
  ctx.body = body;
  ctx.set(headers);
}

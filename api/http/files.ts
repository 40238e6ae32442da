import type { ApiContext } from './context.js';

/** Sends a PDF that a browser shows, and saves under this name without its ending. */
export function sendPdf(ctx: ApiContext, name: string, content: Buffer): void {
  ctx.set('Content-Disposition', `inline; filename="${name}.pdf"`);
  ctx.set('Cache-Control', 'no-store');
  ctx.set('X-Content-Type-Options', 'nosniff');
  ctx.type = 'application/pdf';
  ctx.body = content;
}

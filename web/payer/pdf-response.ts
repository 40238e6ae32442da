import type { ApiContext } from '../../api/http/context.js';

/** Sends a PDF of a payer's page, which a browser shows and saves under this name. */
export function sendPdf(ctx: ApiContext, name: string, file: Buffer): void {
  ctx.set('Content-Disposition', `inline; filename="${name}"`);
  ctx.set('Cache-Control', 'no-store');
  ctx.set('X-Content-Type-Options', 'nosniff');
  ctx.type = 'application/pdf';
  ctx.body = file;
}

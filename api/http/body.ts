import type { Context } from 'koa';
import getRawBody from 'raw-body';
import { ApiError } from '../../domain/errors.js';

const MAX_BODY_BYTES = 1024 * 1024;

/** The body's bytes as they came. Errors: 413 `payload_too_large`. */
export async function readBytes(ctx: Context): Promise<Buffer> {
  try {
    return await getRawBody(ctx.req, { limit: MAX_BODY_BYTES, length: ctx.request.length });
  } catch (error) {
    if ((error as { type?: string }).type === 'entity.too.large') {
      ctx.set('Connection', 'close');
      throw new ApiError('payload_too_large', 'A body may have at most 1 MiB.');
    }
    throw new ApiError('invalid_json', 'The body did not arrive whole.');
  }
}

/** The body as JSON; an absent one is an empty object. Errors: 415 `unsupported_media_type`, 400 `invalid_json`. */
export async function readJson(ctx: Context): Promise<unknown> {
  const bytes = await readBytes(ctx);
  if (bytes.length === 0) return {};
  if (!ctx.is('json', '+json')) {
    throw new ApiError('unsupported_media_type', 'Send the body as application/json.');
  }
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new ApiError('invalid_json', 'The body is not valid JSON.');
  }
}

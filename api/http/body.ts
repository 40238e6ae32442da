import type { IncomingMessage } from 'node:http';
import type { Context } from 'koa';
import getRawBody from 'raw-body';
import { ApiError } from '../../domain/errors.js';

const MAX_BODY_BYTES = 1024 * 1024;
/**
 * How much of a rejected body is still read, and for how long: a client that is cut off while sending does
 * not get the response.
 */
const DRAINED_BYTES = 16 * MAX_BODY_BYTES;
const DRAINED_MS = 30_000;

/**
 * Reads and discards the rest of a request, within limits, so that the client gets the error response.
 * Returns whether the request was read to its end.
 */
function drain(request: IncomingMessage): Promise<boolean> {
  return new Promise((resolve) => {
    let seen = 0;
    const done = (): void => {
      clearTimeout(timer);
      resolve(request.readableEnded);
    };
    const timer = setTimeout(done, DRAINED_MS);
    request.on('data', (chunk: Buffer) => (seen += chunk.length) > DRAINED_BYTES && done());
    request.once('end', done).once('close', done).resume();
  });
}

/**
 * Rejects an encoded body: bodies are not decoded, and compressed bytes must not be read as they are. Errors:
 * 415 `unsupported_media_type`.
 */
export function assertUnencoded(ctx: Context): void {
  if (/^\s*(identity\s*)?$/i.test(ctx.get('content-encoding'))) return;
  ctx.set('Accept-Encoding', 'identity');
  throw new ApiError(
    'unsupported_media_type',
    'The request body must not have a Content-Encoding. Send it uncompressed.',
  );
}

const formatSize = (bytes: number): string =>
  bytes < MAX_BODY_BYTES ? `${bytes / 1024} KiB` : `${bytes / MAX_BODY_BYTES} MiB`;

/**
 * The raw bytes of the body, at most `limit`. Errors: 413 `payload_too_large`, 415 `unsupported_media_type`.
 */
export async function readBytes(ctx: Context, limit = MAX_BODY_BYTES): Promise<Buffer> {
  assertUnencoded(ctx);
  try {
    return await getRawBody(ctx.req, { limit, length: ctx.request.length });
  } catch (error) {
    if ((error as { type?: string }).type === 'entity.too.large') {
      // Keeps the connection if possible: closing it could discard this response while the client sends its
      // next request.
      if (!(await drain(ctx.req))) ctx.set('Connection', 'close');
      throw new ApiError(
        'payload_too_large',
        `The request body exceeds the maximum of ${formatSize(limit)}.`,
      );
    }
    throw new ApiError('invalid_json', 'The request body is incomplete. Send it again.');
  }
}

/** The most values in a JSON body: objects, arrays and what is in them. The largest bulk call has 10,002. */
const MAX_VALUES = 12_000;

/**
 * `__proto__` is an ordinary field in JSON but not in JavaScript, where a schema would not see it as unknown.
 */
function refuseProto(key: string, value: unknown): unknown {
  if (key !== '__proto__') return value;
  throw new ApiError('validation_failed', 'Unknown field `__proto__`.', { param: '__proto__' });
}

/** The fields of a form or a query as an object. Errors: 422 for `__proto__`. */
export const toFields = (entries: [name: string, value: unknown][]): Record<string, unknown> =>
  Object.fromEntries(entries.map(([name, value]) => [name, refuseProto(name, value)]));

/**
 * The maximum size of a form: the longest answers of a booking page take 180 kB. A rejected form is shown
 * again with its values.
 */
const MAX_FORM_BYTES = 256 * 1024;
const MAX_FIELDS = 1_000;

/** Counts fields without parsing them: Node's parsing time grows with the square of their number. */
function assertFewFields(form: Buffer, separator: string): void {
  let fields = 1;
  for (let at = form.indexOf(separator); at !== -1; at = form.indexOf(separator, at + separator.length))
    if (++fields > MAX_FIELDS)
      throw new ApiError('validation_failed', `A form must have at most ${MAX_FIELDS} fields.`);
}

/** The fields of a form, each with all of its values. */
function valuesByName(sent: Iterable<[string, string]>): Map<string, string[]> {
  const fields = new Map<string, string[]>();
  for (const [name, value] of sent) {
    const values = fields.get(name);
    if (values) values.push(value);
    else fields.set(name, [value]);
  }
  return fields;
}

/**
 * The fields of a form, each with all of its values. Errors: those of `readBytes`; 422 `validation_failed`
 * for too many fields, before they are parsed.
 */
export async function readFields(ctx: Context): Promise<Map<string, string[]>> {
  const form = await readBytes(ctx, MAX_FORM_BYTES);
  assertFewFields(form, '&');
  return valuesByName(new URLSearchParams(form.toString()));
}

export interface SentFile {
  content: Uint8Array;
  /** The media type that the browser sent. */
  type: string;
}

/** The size of a form with a file, without the file: its other fields and the boundaries. */
const FORM_BYTES = 64 * 1024;

/**
 * The content type of a form with a file, as browsers send it: the characters of a
 * boundary are those of RFC 2046.
 */
const FILE_FORM = /^multipart\/form-data;\s*boundary=("?)([\w'()+,./:=?-]{1,70})\1$/i;

/**
 * The fields of a `multipart/form-data` form with one file, and the file. Errors: those of `readBytes`; 422
 * `validation_failed` for a body that is not such a form, and for too many fields, before they are parsed.
 */
export async function readFileForm(
  ctx: Context,
  maxBytes: number,
): Promise<{ fields: Map<string, string[]>; file: SentFile | null }> {
  const body = await readBytes(ctx, maxBytes + FORM_BYTES);
  const type = ctx.get('content-type');
  const unreadable = new ApiError('validation_failed', 'The form could not be read. Send it again.');
  const boundary = FILE_FORM.exec(type)?.[2];
  if (!boundary) throw unreadable;
  assertFewFields(body, `--${boundary}`);
  const sent = await new Response(new Uint8Array(body), { headers: { 'content-type': type } })
    .formData()
    .catch(() => {
      throw unreadable;
    });
  const texts: [string, string][] = [];
  let file: SentFile | null = null;
  for (const [name, value] of sent) {
    if (typeof value === 'string') texts.push([name, value]);
    else file = { content: new Uint8Array(await value.arrayBuffer()), type: value.type };
  }
  return { fields: valuesByName(texts), file };
}

/**
 * The body as a form's fields or as JSON. Errors: those of `readJson` and `readFields`;
 * 422 for a repeated field.
 */
export async function readForm(ctx: Context): Promise<unknown> {
  if (!ctx.is('urlencoded')) return readJson(ctx);
  const fields = [...(await readFields(ctx))];
  const [repeated] = fields.find(([, values]) => values.length > 1) ?? [];
  if (repeated !== undefined) {
    throw new ApiError('validation_failed', `${repeated} must be sent only once.`, { param: repeated });
  }
  return toFields(fields.map(([name, [value]]) => [name, value]));
}

const bodies = new WeakMap<Context, Promise<unknown>>();

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
/** `,`, `[` and `{`: before each value of an object or array, and in empty ones. */
const BEFORE_VALUES = new Set([0x2c, 0x5b, 0x7b]);

/**
 * Counts values without parsing them: parsing 1 MiB of values takes half a second, far longer than sending
 * it.
 */
function assertFewValues(json: Buffer): void {
  // The body itself is a value.
  let values = 1;
  let isText = false;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at]!;
    if (byte === QUOTE) isText = !isText;
    else if (isText) at += byte === BACKSLASH ? 1 : 0;
    else if (BEFORE_VALUES.has(byte) && ++values > MAX_VALUES)
      throw new ApiError('validation_failed', `The request body must have at most ${MAX_VALUES} values.`);
  }
}

/**
 * The body as JSON; an absent one is an empty object. The body is read once, later calls return the
 * same value. Errors: 415 `unsupported_media_type`, 400 `invalid_json`, 413 `payload_too_large`,
 * 422 for too many values.
 */
export function readJson(ctx: Context): Promise<unknown> {
  const body = bodies.get(ctx) ?? parseBody(ctx);
  bodies.set(ctx, body);
  return body;
}

async function parseBody(ctx: Context): Promise<unknown> {
  const bytes = await readBytes(ctx);
  if (bytes.length === 0) return {};
  if (!ctx.is('json', '+json')) {
    throw new ApiError(
      'unsupported_media_type',
      'Send the request body with the content type application/json.',
    );
  }
  assertFewValues(bytes);
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes), refuseProto);
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw new ApiError('invalid_json', 'The request body is not valid JSON.');
  }
}

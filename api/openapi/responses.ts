import type joi from 'joi';
import type { ErrorCode } from '../../domain/errors.js';
import type { OtherMedia } from '../http/operation.js';
import type { Writer } from './components.js';
import { content } from './content.js';
import { byStatus, sharedName } from './errors.js';
import { headersFor, type Sending } from './headers.js';
import {
  isReference,
  type OpenApi,
  type OpenApiOperation,
  type Reference,
  type Response,
} from './open-api.js';
import type { DescribedOperation } from './operations.js';

const isMedia = (body: joi.Schema | OtherMedia): body is OtherMedia => 'mediaType' in body;

const DESCRIPTIONS: Record<number, string> = {
  200: 'Success.',
  201: 'Created.',
  202: 'Accepted. Get the result at the path in the `Location` header.',
  204: 'Success. The response has no body.',
  304: 'Not modified since the ETag in `If-None-Match`.',
};

function success(
  status: number,
  body: joi.Schema | OtherMedia | null,
  { example, sending, writer }: { example: unknown; sending: Sending; writer: Writer },
): Response {
  const response = { description: DESCRIPTIONS[status]!, headers: headersFor(status, sending) };
  if (!body) return response;
  if (isMedia(body)) return { ...response, content: { [body.mediaType]: { schema: { type: 'string' } } } };
  return { ...response, content: content(writer.response(body), example) };
}

/** An error response. Its examples are those of its codes, which are their names. */
const failure = (status: number, codes: ErrorCode[], sending: Sending = {}): Response => ({
  description: codes.map((code) => `\`${code}\``).join(', '),
  headers: headersFor(status, sending),
  content: {
    'application/json': {
      schema: { $ref: '#/components/schemas/Error' },
      examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
    },
  },
});

/** The codes of an error response, which are the names of its examples. */
export function listCodes({ components }: OpenApi, response: Response | Reference): string[] {
  const { content } = isReference(response)
    ? components.responses[response.$ref.split('/').at(-1)!]!
    : response;
  return Object.keys(content?.['application/json']?.examples ?? {});
}

/** The responses of an operation by status. Adds the error responses that others have too to `shared`. */
export function buildResponses(
  operation: DescribedOperation,
  codes: ErrorCode[],
  { writer, shared }: { writer: Writer; shared: Record<string, Response> },
): OpenApiOperation['responses'] {
  const { 200: ok, 201: created = ok } = operation.responses;
  const { deprecated } = operation;
  const sending = { etag: operation.etag, deprecated };
  const successes = Object.entries(operation.responses).map(([status, body]) => {
    const example = body && body === created ? operation.example : undefined;
    return [status, success(Number(status), body, { example, sending, writer })];
  });
  const failures = [...byStatus(codes)].map(([status, codes]) => {
    const response = failure(status, codes, { deprecated });
    const name = deprecated ? undefined : sharedName(codes);
    if (!name) return [status, response];
    shared[name] = response;
    return [status, { $ref: `#/components/responses/${name}` }];
  });
  return Object.fromEntries([...successes, ...failures]);
}

import type joi from 'joi';
import type { ErrorCode } from '../../domain/errors.js';
import type { OtherMedia } from '../http/operation.js';
import { content, type Named } from './content.js';
import { byStatus, STATUS_OF_ONE } from './errors.js';
import { headersFor } from './headers.js';
import { toJsonSchema } from './json-schema.js';
import type { OpenApiOperation, Response } from './open-api.js';
import type { DescribedOperation } from './operations.js';

const isMedia = (body: joi.Schema | OtherMedia): body is OtherMedia => 'mediaType' in body;

const DESCRIPTIONS: Record<number, string> = {
  200: 'Success.',
  201: 'Created.',
  202: 'Accepted. The result will be at the `Location`.',
  204: 'Success. The response has no body.',
  304: 'Not modified since the ETag in `If-None-Match`.',
};

function success(
  status: number,
  body: joi.Schema | OtherMedia | null,
  { example, named }: { example: unknown; named: Named },
): Response {
  const response = { description: DESCRIPTIONS[status]!, headers: headersFor(status) };
  if (!body) return response;
  if (isMedia(body)) return { ...response, content: { [body.mediaType]: { schema: { type: 'string' } } } };
  return { ...response, content: content(named(toJsonSchema(body)), example) };
}

const failure = (status: number, codes: string[]): Response => ({
  description: codes.map((code) => `\`${code}\``).join(', '),
  headers: headersFor(status),
  content: content({
    allOf: [
      { $ref: '#/components/schemas/Error' },
      { properties: { error: { properties: { code: { enum: codes } } } } },
    ],
  }),
});

/** The responses of an operation by status. */
export function buildResponses(
  operation: DescribedOperation,
  codes: ErrorCode[],
  named: Named,
): OpenApiOperation['responses'] {
  const { 200: ok, 201: created = ok } = operation.responses;
  const successes = Object.entries(operation.responses).map(([status, body]) => {
    const example = body && body === created ? operation.example : undefined;
    return [status, success(Number(status), body, { example, named })];
  });
  const failures = [...byStatus(codes)].map(([status, codes]) => {
    const shared = STATUS_OF_ONE.get(status);
    return [status, shared ? { $ref: `#/components/responses/${shared}` } : failure(status, codes)];
  });
  return Object.fromEntries([...successes, ...failures]);
}

/** The error responses that are the same for every operation, by their code. */
export const SHARED_RESPONSES: Record<string, Response> = Object.fromEntries(
  [...STATUS_OF_ONE].map(([status, code]) => [code, failure(status, [code])]),
);

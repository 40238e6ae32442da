import type joi from 'joi';
import type { RouteFacts } from '../http/route-facts.js';
import { byStatus, codesOf, STATUS_OF_ONE } from './errors.js';
import { jsonSchemaOf, type JsonSchema } from './json-schema.js';
import { content, type Named } from './media.js';
import type { OtherMedia } from './operation.js';
import type { TaggedOperation } from './operations.js';
import { headersFor } from './overview.js';

const isMedia = (answer: joi.Schema | OtherMedia): answer is OtherMedia => 'mediaType' in answer;

function success(status: number, answer: joi.Schema | OtherMedia | null, named: Named): JsonSchema {
  const response = { description: SUCCESS[status], headers: headersFor(status) };
  if (!answer) return response;
  if (isMedia(answer))
    return { ...response, content: { [answer.mediaType]: { schema: { type: 'string' } } } };
  return { ...response, content: content(named(jsonSchemaOf(answer))) };
}

const SUCCESS: Record<number, string> = {
  200: 'Done.',
  201: 'Created.',
  204: 'Done; there is nothing to show.',
  304: 'As it was.',
};

const failure = (status: number, codes: string[]): JsonSchema => ({
  description: codes.map((code) => `\`${code}\``).join(', '),
  headers: headersFor(status),
  content: content({
    allOf: [
      { $ref: '#/components/schemas/Error' },
      { properties: { error: { properties: { code: { enum: codes } } } } },
    ],
  }),
});

/** What an operation answers, by status. */
export function responses(operation: TaggedOperation, facts: RouteFacts, named: Named): JsonSchema {
  const answers = Object.entries(operation.answers).map(([status, answer]) => [
    status,
    success(Number(status), answer, named),
  ]);
  const errors = [...byStatus(codesOf(operation.route, facts, operation))].map(([status, codes]) => {
    const shared = STATUS_OF_ONE.get(status);
    return [status, shared ? { $ref: `#/components/responses/${shared}` } : failure(status, codes)];
  });
  return Object.fromEntries([...answers, ...errors]);
}

/** The answers that are the same wherever they come from, by their one code. */
export const SHARED_RESPONSES: JsonSchema = Object.fromEntries(
  [...STATUS_OF_ONE].map(([status, code]) => [code, failure(status, [code])]),
);

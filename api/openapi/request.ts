import type joi from 'joi';
import type { RouteFacts } from '../http/route-facts.js';
import { EXAMPLE_IDS } from './examples.js';
import { jsonSchemaOf, type JsonSchema } from './json-schema.js';
import { content, type Named } from './media.js';
import type { TaggedOperation } from './operations.js';

function pathParameters(path: string): JsonSchema[] {
  return [...path.matchAll(/\/([a-z-]+)\/:(\w+)/g)].map(([, resource, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string', minLength: 1 },
    example: EXAMPLE_OF[resource!],
  }));
}

const EXAMPLE_OF: Record<string, string> = {
  rooms: EXAMPLE_IDS.room,
  blackouts: EXAMPLE_IDS.blackout,
  companies: EXAMPLE_IDS.company,
  bookings: EXAMPLE_IDS.booking,
  members: EXAMPLE_IDS.member,
  invoices: EXAMPLE_IDS.invoice,
  payments: EXAMPLE_IDS.payment,
  'api-keys': EXAMPLE_IDS.key,
  'oauth-clients': EXAMPLE_IDS.client,
  events: EXAMPLE_IDS.event,
};

function queryParameters(
  schema: joi.Schema | undefined,
  examples: Record<string, string> = {},
): JsonSchema[] {
  if (!schema) return [];
  const { properties, required = [] } = jsonSchemaOf(schema);
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema: property,
    ...(examples[name] !== undefined && { example: examples[name] }),
  }));
}

/** What an operation takes in its body. */
export function requestBody(
  { body, form }: RouteFacts,
  example: unknown,
  named: Named,
): JsonSchema | undefined {
  if (!body) return undefined;
  const schema = named(jsonSchemaOf(body));
  const json = content(schema, example);
  const required = body.validate({}, { convert: false }).error !== undefined;
  return { required, content: form ? { ...json, 'application/x-www-form-urlencoded': { schema } } : json };
}

/** What an operation takes beside its body. */
export const parametersOf = (operation: TaggedOperation, facts: RouteFacts): JsonSchema[] => [
  ...pathParameters(operation.route),
  ...queryParameters(facts.query, operation.query),
  ...(operation.idempotent ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
];

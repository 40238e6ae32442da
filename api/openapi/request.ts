import type joi from 'joi';
import type { RouteFacts } from '../http/route-facts.js';
import type { PathId } from '../resources/shared/resource.js';
import type { Writer } from './components.js';
import { content } from './content.js';
import type { FileBody, Parameter, Reference, RequestBody } from './open-api.js';
import { parametersIn, type DescribedOperation } from './operations.js';

const pathParameters = (path: string, ids: Record<string, PathId>): Parameter[] =>
  parametersIn(path, ids).map(([name, id]) => ({
    name,
    in: 'path',
    required: true,
    description: id?.description ?? `The id of the ${id?.name ?? 'object'}.`,
    schema: { type: 'string', minLength: 1 },
    example: id?.example,
  }));

function queryParameters(
  schema: joi.Schema | undefined,
  examples: Record<string, string> = {},
  { request }: Writer,
): Parameter[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = request(schema);
  return Object.entries(properties).map(([name, { description, deprecated, ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    ...(description && { description }),
    ...(deprecated && { deprecated }),
    ...(schema.type === 'object' && { style: 'deepObject' as const, explode: true as const }),
    schema,
    ...(examples[name] !== undefined && {
      example: schema.type === 'integer' ? Number(examples[name]) : examples[name],
    }),
  }));
}

/** The body of an operation's request. */
export function requestBody(
  { body, form }: RouteFacts,
  example: unknown,
  { request }: Writer,
): RequestBody | undefined {
  if (!body) return undefined;
  const schema = request(body);
  const json = content(schema, example);
  const required = body.validate({}, { convert: false }).error !== undefined;
  return { required, content: form ? { ...json, 'application/x-www-form-urlencoded': { schema } } : json };
}

/** A body that is a file of one of some media types. */
export const uploadBody = (types: readonly string[]): FileBody => ({
  required: true,
  content: Object.fromEntries(types.map((type) => [type, { schema: { type: 'string', format: 'binary' } }])),
});

/** The path, query and header parameters of an operation. */
export const listParameters = (
  operation: DescribedOperation,
  facts: RouteFacts,
  { ids, writer }: { ids: Record<string, PathId>; writer: Writer },
): (Parameter | Reference)[] => [
  ...pathParameters(operation.route, ids),
  ...queryParameters(facts.query, operation.query, writer),
  ...('304' in operation.responses ? [{ $ref: '#/components/parameters/IfNoneMatch' }] : []),
  ...(operation.versioned ? [{ $ref: '#/components/parameters/IfMatch' }] : []),
  ...(operation.idempotent ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
];

import type { JsonSchema } from '../../api/openapi/json-schema.js';
import type { OpenApi } from '../../api/openapi/open-api.js';

/** A schema without what a later release can add. */
function closed(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(closed);
  if (typeof node !== 'object' || node === null) return node;
  const inner = Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, /^examples?$/.test(key) ? value : closed(value)]),
  ) as JsonSchema;
  const { 'x-extensible-enum': values, ...schema } = inner;
  if (values) return { ...schema, enum: schema.type?.includes('null') ? [...values, null] : values };
  const isOpen =
    [schema.type].flat().includes('object') && schema.properties && !('additionalProperties' in schema);
  return isOpen ? { ...schema, additionalProperties: false } : schema;
}

/**
 * The API document for this release alone: responses have no fields and values besides those it lists. Tests
 * compare with it, since the document lets clients expect more.
 */
export const closedDocument = (document: OpenApi): OpenApi => closed(document) as OpenApi;

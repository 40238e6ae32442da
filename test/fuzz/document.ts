import { pathIdsOf } from '../../api/openapi/operations.js';
import { RESOURCES } from '../../api/resources/index.js';
import type { ObjectIds } from '../api/objects.js';

type Json = Record<string, any>;

/** Operations that would revoke the run's own key or end the run. */
const LEFT_OUT = ['/v1/api-keys/revoke-all', '/v1/api-keys/rotate'];

/** The resource that a field identifies: `room` for `room_id`. */
const resourceOf = (field: string): string => ALIASES[field] ?? field.replace(/_id$/, '');
const ALIASES: Record<string, string> = { resource_id: 'room' };

/** An existing value or any other, with equal probability. */
const often = (value: string, schema: Json): Json => ({ anyOf: [{ const: value }, schema] });

function withObjects(properties: Json, ids: ObjectIds, slot: Json): Json {
  return Object.fromEntries(
    Object.entries<Json>(properties).map(([name, schema]) => {
      const known = (name.endsWith('_id') && ids[resourceOf(name)]) || slot[name];
      if (known) return [name, often(known, schema)];
      const { properties: inner } = schema;
      return [name, inner ? { ...schema, properties: withObjects(inner, ids, slot) } : schema];
    }),
  );
}

/**
 * The API document for random requests, changed so that ids and times often exist. Purely random ones would always return
 * 404.
 */
export function documentFor(
  document: Json,
  ids: ObjectIds,
  slot: { start_at: string; end_at: string },
): Json {
  const text = Object.values(pathIdsOf(RESOURCES)).reduce(
    (all, { name, example }) => all.replaceAll(example, ids[name]!),
    JSON.stringify(document),
  );
  const own: Json = JSON.parse(text);
  for (const path of LEFT_OUT) delete own.paths[path];
  // A workspace in maintenance mode rejects everything else.
  delete own.paths['/v1/workspace'].patch.requestBody.content['application/json'].schema.properties
    .maintenance;
  for (const operation of Object.values<Json>(own.paths).flatMap((path) => Object.values<Json>(path))) {
    for (const parameter of operation.parameters ?? []) {
      const known =
        parameter.in === 'path'
          ? parameter.example
          : // A reference to a shared parameter has no name.
            parameter.name?.endsWith('_id') && ids[resourceOf(parameter.name)];
      if (known) parameter.schema = often(known, parameter.schema);
    }
    const schema = operation.requestBody?.content['application/json'].schema;
    if (schema?.properties) schema.properties = withObjects(schema.properties, ids, slot);
  }
  return own;
}

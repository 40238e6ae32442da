import { pathIdsOf } from '../../api/openapi/operations.js';
import { RESOURCES } from '../../api/resources.js';
import type { Things } from '../api/things.js';

type Json = Record<string, any>;

/** Would end the run's own key, or the run. */
const LEFT_OUT = ['/v1/api-keys/revoke-all', '/v1/api-keys/rotate'];

/** The name of the thing that a field identifies: `room` of `room_id`. */
const thingOf = (field: string): string => ALIASES[field] ?? field.replace(/_id$/, '');
const ALIASES: Record<string, string> = { resource_id: 'room' };

/** Half of the time what there is, half of the time anything. */
const often = (value: string, schema: Json): Json => ({ anyOf: [{ const: value }, schema] });

function withThings(properties: Json, ids: Things, slot: Json): Json {
  return Object.fromEntries(
    Object.entries<Json>(properties).map(([name, schema]) => {
      const known = (name.endsWith('_id') && ids[thingOf(name)]) || slot[name];
      if (known) return [name, often(known, schema)];
      const { properties: inner } = schema;
      return [name, inner ? { ...schema, properties: withThings(inner, ids, slot) } : schema];
    }),
  );
}

/**
 * The API's document for a run of chance: the same, but that ids and times are often ones that exist. By chance alone
 * nothing behind a 404 would ever be reached.
 */
export function documentFor(document: Json, ids: Things, slot: { start_at: string; end_at: string }): Json {
  const text = Object.values(pathIdsOf(RESOURCES)).reduce(
    (all, { name, example }) => all.replaceAll(example, ids[name]!),
    JSON.stringify(document),
  );
  const own: Json = JSON.parse(text);
  for (const path of LEFT_OUT) delete own.paths[path];
  // A workspace under maintenance answers nothing else.
  delete own.paths['/v1/workspace'].patch.requestBody.content['application/json'].schema.properties
    .maintenance;
  for (const operation of Object.values<Json>(own.paths).flatMap((path) => Object.values<Json>(path))) {
    for (const parameter of operation.parameters ?? []) {
      const known =
        parameter.in === 'path'
          ? parameter.example
          : parameter.name.endsWith('_id') && ids[thingOf(parameter.name)];
      if (known) parameter.schema = often(known, parameter.schema);
    }
    const schema = operation.requestBody?.content['application/json'].schema;
    if (schema?.properties) schema.properties = withThings(schema.properties, ids, slot);
  }
  return own;
}

import { Ajv2020 } from 'ajv/dist/2020.js';
import type { JsonSchema } from '../../api/openapi/json-schema.js';
import { resolveSchema, responseContent, type OpenApi, type Parameter } from '../../api/openapi/open-api.js';
import { EXAMPLES_DAY } from '../../api/resources/shared/examples.js';
import { document, router } from '../../test/support/described-api.js';
import { DAY_MS } from '../../domain/durations.js';
import { addApiFormats } from '../../test/support/api-formats.js';
import { closedDocument } from '../../test/support/closed-document.js';
import { listEndpoints } from '../../web/reference/operation-view.js';
import { differences, unless, type Rule } from './rule.js';

export const DOCUMENT = 'openapi.json';

/** The day on which the dates in the committed document's examples are based. */
const COMMITTED_DAY = '2027-01-01';
const DAYS = /\b\d{4}-\d{2}-\d{2}(?=T|$)|\b\d{1,2} [A-Z][a-z]{2,3} \d{4}\b/g;
const inWords = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });

/** Examples that are relative to `EXAMPLES_DAY` are later than this. Earlier ones are fixed. */
const LAST_FIXED = Date.parse(EXAMPLES_DAY) - 365 * DAY_MS;

/** A text of an example with its dates relative to `COMMITTED_DAY`, unless they are fixed. */
const shiftDays = (text: string): string =>
  text.replace(DAYS, (day) => {
    const time = Date.parse(/^\d{4}-/.test(day) ? day : `${day} UTC`);
    if (time <= LAST_FIXED) return day;
    const shifted = new Date(time + Date.parse(COMMITTED_DAY) - Date.parse(EXAMPLES_DAY));
    return /^\d{4}-/.test(day) ? shifted.toISOString().slice(0, day.length) : inWords.format(shifted);
  });

/** The content of `example`, with shifted dates. */
const shifted = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'string' ? shiftDays(inner) : inner)),
  );

/** The document as it is committed: the same on every day, although its examples stay in the future. */
export const writeDocument = (written: OpenApi): string =>
  `${JSON.stringify(written, (key, value: unknown) => (key === 'example' ? shifted(value) : value), 2)}\n`;

/** The fields and parameters without a description, by their place in the document. */
function undescribed(node: unknown, path: string): string[] {
  if (typeof node !== 'object' || node === null) return [];
  const { in: place, description, properties } = node as JsonSchema & Partial<Parameter>;
  // Error responses narrow a described schema to some codes.
  if (/\/(example|responses\/[^/]+\/content\/application\/json\/schema\/allOf)$/.test(path)) return [];
  return [
    ...(typeof place === 'string' && !description ? [path] : []),
    ...Object.entries(typeof properties === 'object' ? properties : {})
      .filter(([, field]) => !field.description)
      .map(([name]) => `${path}.${name}`),
    ...Object.entries(node).flatMap(([key, inner]) => undescribed(inner, `${path}/${key}`)),
  ];
}

const ajv = new Ajv2020({ strict: false, validateSchema: false });
addApiFormats(ajv);
ajv.addSchema(closedDocument(document), 'api');
const pointer = (part: string): string => encodeURIComponent(part.replaceAll('/', '~1'));

/** Object schemas that occur twice, ignoring their descriptions, and so should have a name. */
function repeatedSchemas(parts: object): string[] {
  const places = new Map<string, string[]>();
  const visit = (node: unknown, path: string): void => {
    if (typeof node !== 'object' || node === null || path.endsWith('/example')) return;
    const { description: _, type, ...schema } = node as JsonSchema;
    if ([type].flat().includes('object') && Object.keys(schema.properties ?? {}).length > 0) {
      const text = JSON.stringify(schema);
      places.set(text, [...(places.get(text) ?? []), path]);
    }
    for (const [key, inner] of Object.entries(node)) visit(inner, `${path}/${key}`);
  };
  visit(parts, '');
  return [...places.values()]
    .filter(({ length }) => length > 1)
    .map((each) => `a schema without a name is at ${each.join(' and ')}`);
}

/** A verb and its object: `listRooms`; for a webhook, `onBookingCreated`. */
const OPERATION_ID = new RegExp(
  '^(on|adjust|archive|cancel|connect|copy|create|delete|disconnect|erase|get|list|mark|narrow|redeliver|' +
    'refresh|refund|register|remind|replace|resend|revoke|rotate|run|send|take|test|update|upload|void|' +
    'withdraw)' +
    '([A-Z][a-z0-9]*)+$',
);
const listIds = ({ paths, webhooks }: OpenApi): string[] =>
  [...Object.values(paths), ...Object.values(webhooks)].flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId),
  );

/** The API document describes every field, and has a valid example of every response. */
export const apiDocument: Rule = {
  name: 'API document',
  *check() {
    const { paths, components, webhooks } = document;
    yield* repeatedSchemas({ paths, components, webhooks });
    for (const id of listIds(document))
      yield* unless(OPERATION_ID.test(id), `${id} is not a verb and a noun in camelCase`);
    for (const path of undescribed({ components, paths, webhooks }, '')) yield `${path} has no description`;
    for (const { method, path, operation } of listEndpoints(document)) {
      const name = `${method} ${path}`;
      if (['POST', 'PUT', 'PATCH'].includes(method)) {
        const { content = {} } = operation.requestBody ?? {};
        const json = content['application/json'];
        const schema = json && resolveSchema(document, json.schema);
        yield* unless(
          schema?.additionalProperties === false || 'image/png' in content || 'application/pdf' in content,
          `${name} accepts unknown fields`,
        );
      }
      const { 200: ok, 201: created = ok } = operation.responses;
      const json = responseContent(created)?.['application/json'];
      if (!json) continue;
      const status = operation.responses[201] ? 201 : 200;
      const at = `paths/${pointer(path)}/${method.toLowerCase()}/responses/${status}`;
      const validate = ajv.getSchema(`api#/${at}/content/application~1json/schema`)!;
      const example: unknown = json.example && JSON.parse(JSON.stringify(json.example));
      yield* unless(validate(example) === true, `${name}: the example: ${ajv.errorsText(validate.errors)}`);
    }
    for (const [path, operations] of Object.entries(paths)) {
      // A path without parameters has its own route.
      if (path.includes('{')) continue;
      const methods = new Set(router.match(path, 'OPTIONS').path.flatMap((layer) => layer.methods));
      methods.delete('HEAD');
      yield* differences(
        path,
        [...methods],
        Object.keys(operations).map((method) => method.toUpperCase()),
      );
    }
  },
};

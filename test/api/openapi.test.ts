import { Ajv2020 } from 'ajv/dist/2020.js';
import test from 'ava';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { createRouter } from '../../api/app.js';
import { PAGES } from '../../web/routes.js';
import type { ApiDependencies } from '../../api/dependencies.js';
import type { JsonSchema } from '../../api/openapi/json-schema.js';
import { listCodes } from '../../api/openapi/responses.js';
import { publicRoutes } from '../../api/openapi/document.js';
import { reference } from '../../api/openapi/index.js';
import { listOperations, collectPathIds } from '../../api/openapi/operations.js';
import { curlExample } from '../../web/reference/curl.js';
import { listEndpoints } from '../../web/reference/operation-view.js';
import { EXAMPLE_KEY } from '../../api/resources/shared/examples.js';
import { RESOURCES } from '../../api/resources/index.js';
import { createEncryption } from '../../db/encryption.js';
import { WEEKDAYS } from '../../domain/bookings/slots.js';
import { ERROR_STATUS, type ErrorCode } from '../../domain/errors.js';
import { KNOWN_EVENT_TYPES } from '../../domain/events/types.js';
import { addApiFormats } from '../support/api-formats.js';
import { closedDocument } from '../support/closed-document.js';
import { anonymous } from '../support/api-client.js';
import { db, dev } from '../support/stack.js';
import { once } from '../support/once.js';
import { isReference, type OpenApi } from '../../api/openapi/open-api.js';

const encryption = createEncryption(Buffer.alloc(32).toString('base64'));
const deps = { db, encryption, publicUrl: dev.baseUrl };
const router = createRouter(deps as Partial<ApiDependencies> as ApiDependencies, PAGES);
const routes = publicRoutes(router);
const fetchDocument = once(async () => (await anonymous('GET', '/v1/openapi.json')).body);
const OPERATIONS = listOperations([...RESOURCES, reference]);
const PATH_IDS = collectPathIds(RESOURCES);
const operationsIn = (document: OpenApi) =>
  Object.values(document.paths).flatMap((path) => Object.values(path));

test('the document describes every route under /v1 and no others', async (t) => {
  const document = await fetchDocument();
  const operations = operationsIn(document);
  const described: string[] = OPERATIONS.map(({ route }) => route);
  const routed = routes.map(({ route }) => route);
  t.deepEqual(
    routed.filter((route) => !described.includes(route)),
    [],
    'routes that no operation declares',
  );
  t.deepEqual(
    described.filter((route) => !routed.includes(route)),
    [],
    'described operations without a route',
  );
  t.is(operations.length, routed.length);
});

test('the example of every event type matches its schema', async (t) => {
  const document = await fetchDocument();
  const ajv = new Ajv2020({ strict: false, validateSchema: false });
  addApiFormats(ajv);
  ajv.addSchema(closedDocument(document), 'api');
  t.deepEqual(Object.keys(document.webhooks), [...KNOWN_EVENT_TYPES]);
  for (const [type, { post }] of Object.entries(document.webhooks)) {
    const { example } = post.requestBody.content['application/json'];
    const validate = ajv.getSchema(
      `api#/webhooks/${type}/post/requestBody/content/application~1json/schema`,
    )!;
    t.true(validate(example), `${type} ${JSON.stringify(validate.errors)}`);
    t.like(example, { type });
  }
});

test('the version of the document is the release', async (t) => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  t.is((await fetchDocument()).info.version, version);
});

/** The schemas in a part of a document, including the referenced ones. */
function schemasIn(document: OpenApi, part: unknown, seen = new Set<unknown>()): JsonSchema[] {
  if (typeof part !== 'object' || part === null || seen.has(part)) return [];
  seen.add(part);
  const { $ref, type } = part as JsonSchema;
  const referred =
    $ref &&
    $ref
      .slice(2)
      .split('/')
      .reduce<object>((at, step) => at[step as keyof object], document);
  return [
    ...([type].flat().some((each) => typeof each === 'string') ? [part as JsonSchema] : []),
    ...[
      referred,
      ...Object.entries(part).map(([key, inner]) => (/^examples?$/.test(key) ? null : inner)),
    ].flatMap((inner) => schemasIn(document, inner, seen)),
  ];
}

test('requests are closed schemas, and responses can grow', async (t) => {
  const document = await fetchDocument();
  const operations = operationsIn(document);
  const received = schemasIn(document, [
    operations.map(({ responses }) => responses),
    Object.values(document.webhooks),
  ]);
  const isObject = ({ type }: JsonSchema) => [type].flat().includes('object');
  t.true(received.filter(isObject).length > 100);
  t.deepEqual(
    received.filter(({ additionalProperties }) => additionalProperties === false),
    [],
  );
  const fixed = received
    .filter((schema) => schema.enum && schema.type === 'string')
    .map((schema) => schema.enum);
  t.deepEqual(
    fixed
      .filter((values) => values!.length > 1)
      .map((values) => values!.join())
      .sort(),
    ['debit,credit', 'ok,error', WEEKDAYS.join(), WEEKDAYS.join()],
  );
  t.true(received.filter((schema) => schema['x-extensible-enum']).length > 50);
  const sent = schemasIn(
    document,
    operations.map(({ parameters, requestBody }) => [parameters, requestBody]),
  );
  t.deepEqual(
    sent.filter((schema) => schema['x-extensible-enum']),
    [],
  );
  t.deepEqual(
    sent.filter((schema) => isObject(schema) && schema.properties && schema.additionalProperties !== false),
    [],
  );
});

test('every error response has an example of each of its codes, and every section has a description', async (t) => {
  const document = await fetchDocument();
  const ajv = new Ajv2020({ strict: false, validateSchema: false });
  addApiFormats(ajv);
  ajv.addSchema(closedDocument(document), 'api');
  const validate = ajv.getSchema('api#/components/schemas/Error')!;
  for (const { operationId, responses } of operationsIn(document))
    for (const [status, response] of Object.entries(responses)) {
      if (Number(status) < 400) continue;
      const codes = listCodes(document, response);
      t.true(codes.length > 0, `${operationId} ${status}`);
      for (const code of codes) {
        const { value } = document.components.examples[code]!;
        t.true(validate(value), `${code}: ${ajv.errorsText(validate.errors)}`);
        t.like(value, { error: { code } });
        t.is(String(ERROR_STATUS[code as ErrorCode]), status);
      }
    }
  const used = new Set(operationsIn(document).flatMap(({ tags }) => tags));
  t.deepEqual(document.tags.map(({ name }) => name).sort(), [...used].sort());
  for (const { name, description } of document.tags) t.truthy(description, name);
});

test('the example of every parameter matches its schema', async (t) => {
  const ajv = new Ajv2020({ strict: false, validateSchema: false });
  addApiFormats(ajv);
  let examples = 0;
  for (const { operationId, parameters = [] } of operationsIn(await fetchDocument()))
    for (const parameter of parameters) {
      if (isReference(parameter) || parameter.example === undefined) continue;
      const { name, schema, example } = parameter;
      t.true(ajv.validate(schema, example), `${operationId} ${name}: ${ajv.errorsText()}`);
      examples++;
    }
  t.true(examples > 20);
});

test('the reference shows each header of an operation by its name', async (t) => {
  const page = (await anonymous('GET', '/docs')).body as unknown as string;
  const shown = (id: string) => page.split(`<article class="card" id="${id}"`)[1]!.split('</article>')[0]!;
  const document = await fetchDocument();
  const versioned = operationsIn(document).filter(({ parameters = [] }) =>
    parameters.some((parameter) => isReference(parameter) && parameter.$ref.endsWith('/IfMatch')),
  );
  t.true(versioned.length > 0);
  for (const { operationId } of versioned) {
    t.regex(shown(operationId), />If-Match</);
    t.notRegex(shown(operationId), />Idempotency-Key</);
    t.regex(shown(operationId), />ETag</);
  }
  t.regex(shown('createRoom'), />Idempotency-Key</);
  t.notRegex(shown('createRoom'), />ETag</);
  t.regex(shown('getCalendarFeed'), />If-None-Match</);
  for (const { operationId } of operationsIn(document))
    t.regex(shown(operationId), /href="#header-x-ratelimit-remaining"/, operationId);
});

test('every operation has a unique id, a scope and roles', async (t) => {
  const document = await fetchDocument();
  const operations = operationsIn(document);
  const ids = [
    ...operations.map(({ operationId }) => operationId),
    ...Object.values(document.webhooks).map(({ post }) => post.operationId),
  ];
  t.deepEqual([...new Set(ids)], ids);
  const kinds = ([requirement]: Record<string, string[]>[]): number =>
    requirement === undefined ? 0 : 'publishableKey' in requirement ? 1 : 2;
  for (const { operationId, security } of operations) t.is(security.length, kinds(security), operationId);
  const open = operations.filter(({ security }) => security.length < 2).map(({ operationId }) => operationId);
  t.deepEqual(open.sort(), [
    'createPublicBooking',
    'createPublicQuote',
    'getApiDocument',
    'getPublicAvailability',
    'getPublicBooking',
    'listPublicRooms',
  ]);
  const create = document.paths['/v1/members']!.post!;
  t.deepEqual(create.security[0], { apiKey: ['members:invite'] });
  t.deepEqual(create['x-roles'], ['admin', 'owner']);
});

test("joi's rules about combinations of fields are in the document", async (t) => {
  const document = await fetchDocument();
  const { schema } = document.paths['/v1/invoices']!.post!.requestBody!.content['application/json']!;
  t.deepEqual(schema.allOf, [{ oneOf: [{ required: ['company_id'] }, { required: ['member_id'] }] }]);
  const change = document.paths['/v1/members/{id}']!.patch!.requestBody!.content['application/json']!.schema;
  t.deepEqual(change.allOf, [{ dependentRequired: { tier_change_reason: ['tier'] } }]);
});

test('the document is public, rate limited, and cacheable by ETag', async (t) => {
  const { headers } = await anonymous('GET', '/v1/openapi.json');
  const again = await anonymous('GET', '/v1/openapi.json', undefined, {
    'if-none-match': headers.get('etag')!,
  });
  t.is(again.status, 304);
  t.regex(headers.get('content-type')!, /^application\/json/);
  t.truthy(headers.get('x-ratelimit-remaining'));
});

test('the reference is one page with every operation, and loads nothing external', async (t) => {
  const document = await fetchDocument();
  const operations = operationsIn(document);
  const { status, headers, body: html } = await anonymous('GET', '/docs');
  t.is(status, 200);
  for (const { operationId, summary } of operations) {
    t.true(html.includes(`id="${operationId}"`), operationId);
    t.true(html.includes(`href="#${operationId}"`), summary);
  }
  for (const [, target] of html.matchAll(/href="#([^"]+)"/g)) t.true(html.includes(`id="${target}"`), target);
  for (const words of [
    'ids in the examples are placeholders',
    '/oauth/authorize',
    '/oauth/token',
    '/oauth/revoke',
  ])
    t.true(html.includes(words) && document.info.description.includes(words), words);
  t.notRegex(html.replace('<link rel="icon" href="/favicon.svg"', ''), /<(link|img|iframe)|\ssrc=/);
  const policy = headers.get('content-security-policy')!;
  t.regex(
    policy,
    /^default-src 'none'; font-src 'self'; img-src 'self'; style-src 'sha256-[^']+'; script-src 'sha256-[^']+';/,
  );
  t.notRegex(policy, /unsafe|https?:/);
});

/** A shell in which curl prints its arguments, a separator and its input. */
const SHELL = `curl() { printf '%s\\n' "$@"; echo ---; case "$*" in *'@-'*) cat;; esac; }`;
const NEW_UUID = /"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}"/;
const EXAMPLE_IDS = Object.values(PATH_IDS).map(({ example }) => example);
const OWN_IDS = Object.values(PATH_IDS).map(({ name, example }) => [`${name.toUpperCase()}_ID`, example]);

test('the commands of the reference use ids of existing objects, and send what the document describes', async (t) => {
  const document = await fetchDocument();
  for (const endpoint of listEndpoints(document)) {
    const { operation } = endpoint;
    const command = curlExample(dev.baseUrl, endpoint, PATH_IDS);
    for (const id of [...EXAMPLE_IDS, EXAMPLE_KEY]) t.false(command.includes(id), command);
    const env = {
      ...Object.fromEntries(OWN_IDS),
      API_KEY: 'key',
      PUBLISHABLE_KEY: 'key',
      PATH: process.env.PATH,
    };
    const { stdout: said } = await promisify(execFile)('sh', ['-euc', `${SHELL}\n${command}`], { env });
    const [args, read] = said.split('\n---\n') as [string, string];
    for (const parameter of operation.parameters ?? [])
      if (!isReference(parameter) && parameter.example !== undefined)
        t.true(decodeURIComponent(args.replaceAll('+', ' ')).includes(String(parameter.example)), command);
    const example = operation.requestBody?.content['application/json']?.example;
    const sent = (read || (args.split('\n-d\n')[1] ?? '')).replace(NEW_UUID, `"${EXAMPLE_KEY}"`);
    if (example) t.deepEqual(JSON.parse(sent), example, command);
  }
});

import { Ajv2020 } from 'ajv/dist/2020.js';
import test from 'ava';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { createRouter } from '../../api/app.js';
import { PAGES } from '../../web/routes.js';
import type { ApiDependencies } from '../../api/dependencies.js';
import { publicRoutes } from '../../api/openapi/document.js';
import { reference } from '../../api/openapi/index.js';
import { listOperations, collectPathIds } from '../../api/openapi/operations.js';
import { curlExample } from '../../web/reference/curl.js';
import { listEndpoints } from '../../web/reference/operation-view.js';
import { EXAMPLE_KEY } from '../../api/resources/shared/examples.js';
import { RESOURCES } from '../../api/resources/index.js';
import { createEncryption } from '../../db/encryption.js';
import { KNOWN_EVENT_TYPES } from '../../domain/events/types.js';
import { addApiFormats } from '../support/api-formats.js';
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
  ajv.addSchema(document, 'api');
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

test('the reference shows each header that an operation takes by its name', async (t) => {
  const page = (await anonymous('GET', '/docs')).body as unknown as string;
  const shown = (id: string) => page.split(`<article id="${id}"`)[1]!.split('</article>')[0]!;
  const document = await fetchDocument();
  const versioned = operationsIn(document).filter(({ parameters = [] }) =>
    parameters.some((parameter) => isReference(parameter) && parameter.$ref.endsWith('/IfMatch')),
  );
  t.true(versioned.length > 0);
  for (const { operationId } of versioned) {
    t.regex(shown(operationId), />If-Match</);
    t.notRegex(shown(operationId), />Idempotency-Key</);
  }
});

test('every operation has a unique id, a scope and roles', async (t) => {
  const document = await fetchDocument();
  const operations = operationsIn(document);
  const ids = operations.map(({ operationId }) => operationId);
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
    'ids in the examples do not exist',
    '/oauth/authorize',
    '/oauth/token',
    '/oauth/revoke',
  ])
    t.true(html.includes(words) && document.info.description.includes(words), words);
  t.notRegex(html.replace('<link rel="icon" href="/favicon.svg"', ''), /<(link|img|iframe)|\ssrc=/);
  const policy = headers.get('content-security-policy')!;
  t.regex(
    policy,
    /^default-src 'none'; img-src 'self'; style-src 'sha256-[^']+'; script-src 'sha256-[^']+';/,
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

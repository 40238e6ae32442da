import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonSchema } from '../../api/openapi/json-schema.js';
import type { MediaType, OpenApi } from '../../api/openapi/open-api.js';
import { DOCUMENT } from './api-document.js';
import { findOasdiff } from './deployment/go-modules.js';
import { Tree, type Files, type Rule } from './rule.js';

/** The document of the last release. */
export const RELEASED = 'docs/api/released.json';

/** Changes that break generated clients, but no requests. */
const SEVERITIES = 'api-operation-id-removed err\napi-schema-removed err\n';
/** How long anything deprecated stays at least. */
const DEPRECATION_DAYS = 365;

/** A document with its webhooks as responses, since the service sends them. */
function withWebhooksAsResponses(text: string): string {
  const { webhooks, ...document } = JSON.parse(text) as OpenApi;
  const sent = Object.entries(webhooks).map(([type, { post }]) => [
    `/webhooks/${type}`,
    { get: { operationId: post.operationId, responses: { 200: { ...post.requestBody, description: '' } } } },
  ]);
  return JSON.stringify({ ...document, paths: { ...document.paths, ...Object.fromEntries(sent) } });
}

/** What breaks clients of the released document, as oasdiff reports it: one line each. */
async function breakingChanges(released: string, current: string): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'openapi-'));
  const write = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  try {
    const args = [
      'breaking',
      write('released.json', withWebhooksAsResponses(released)),
      write('current.json', withWebhooksAsResponses(current)),
      '--format=singleline',
      '--fail-on=ERR',
      `--severity-levels=${write('severities.txt', SEVERITIES)}`,
      `--deprecation-days-stable=${DEPRECATION_DAYS}`,
    ];
    const program = await findOasdiff();
    return await new Promise((resolve) => {
      execFile(program, args, { maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
        resolve(error ? `${stdout}${stderr}`.split('\n').filter(Boolean) : []);
      });
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The committed document after a change. */
function changed(change: (document: OpenApi) => void): () => Files {
  return () => {
    const text = new Tree().read(DOCUMENT);
    const document = JSON.parse(text) as OpenApi;
    change(document);
    return { [RELEASED]: text, [DOCUMENT]: JSON.stringify(document) };
  };
}

const namedSchema = ({ components }: OpenApi, name: string): Required<JsonSchema> =>
  components.schemas[name] as Required<JsonSchema>;
const requestSchema = ({ paths }: OpenApi, path: string): Required<JsonSchema> =>
  (paths[path]!.post!.requestBody!.content['application/json'] as MediaType).schema as Required<JsonSchema>;

/** Within `/v1` the API only grows (docs/guides/versions.md). */
export const apiChanges: Rule = {
  name: 'API changes',
  async *check(tree) {
    yield* await breakingChanges(tree.read(RELEASED), tree.read(DOCUMENT));
  },
  refused: [
    changed((document) => {
      const booking = namedSchema(document, 'Booking');
      delete booking.properties.reference;
      booking.required = booking.required.filter((name) => name !== 'reference');
    }),
    changed((document) => {
      const body = requestSchema(document, '/v1/rooms');
      body.properties.shape = { type: 'string' };
      body.required.push('shape');
    }),
    changed((document) => {
      delete namedSchema(document, 'BookingInEvents').properties.status;
    }),
    changed(({ paths }) => {
      delete paths['/v1/rooms']!.get;
    }),
    changed(({ paths }) => {
      paths['/v1/rooms']!.get!.operationId = 'listAllRooms';
    }),
  ],
  accepted: [
    changed((document) => {
      for (const name of ['Booking', 'BookingInEvents']) {
        const { properties, required } = namedSchema(document, name);
        properties.status!['x-extensible-enum']!.push('waiting');
        properties.shape = { type: 'string' };
        required.push('shape');
      }
      requestSchema(document, '/v1/rooms').properties.shape = { type: 'string' };
      const { paths } = document;
      paths['/v1/shapes'] = { get: { ...paths['/v1/rooms']!.get!, operationId: 'listShapes' } };
      paths['/v1/rooms']!.get!.responses[402] = paths['/v1/rooms']!.get!.responses[401]!;
    }),
  ],
};

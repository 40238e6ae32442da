import test from 'ava';
import { responseContent } from '../../api/openapi/open-api.js';
import type { DescribedOperation } from '../../api/openapi/operations.js';
import { anonymous } from '../support/api-client.js';
import type { ApiResponse } from '../support/api-response.js';
import type { TestWorkspace } from '../support/workspaces.js';
import { listShapeDifferences } from '../support/shapes.js';
import type { Failure } from '../support/api-bodies.js';
import { document } from '../support/described-api.js';
import { OPERATIONS, PREPARED, newExampleWorkspace, rank, buildRequest } from './example-requests.js';
import type { ObjectIds } from '../support/objects.js';

/** Sends an operation's example with ids of this workspace. */
async function send(
  workspace: TestWorkspace,
  operation: DescribedOperation,
  ids: ObjectIds,
): Promise<ApiResponse> {
  const { method, target, body, headers } = await buildRequest(workspace, operation, ids);
  return anonymous(method, target, body, headers);
}

/** The example of an operation's response in the API document. */
function findExample({ route }: DescribedOperation, status: number): unknown {
  const [method, path] = route.split(' ') as [string, string];
  const operation = document.paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
  const response = operation?.responses[status];
  return response && responseContent(response)?.['application/json']?.example;
}

test('every example runs, and the responses and events have the fields of their examples', async (t) => {
  const { workspace, objects } = await newExampleWorkspace();
  const differences: string[] = [];
  for (const operation of [...OPERATIONS].sort((a, b) => rank(a) - rank(b))) {
    const { route } = operation;
    if (route.endsWith('revoke-all')) differences.push(...(await differencesOfEvents(workspace)));
    const ids = { ...objects, ...(await PREPARED[route]?.(workspace, objects)) };
    const { status, body } = await send(workspace, operation, ids);
    if (route === 'POST /v1/oauth-clients')
      objects.client = (body as Failure & { client_id: string }).client_id;
    t.true(status < 300, `${route} returned ${status} ${JSON.stringify(body)}`);
    // The document's example is its beginning.
    const example = operation.tag === 'Reference' ? undefined : findExample(operation, status);
    if (example !== undefined) differences.push(...listShapeDifferences(plain(example), body, route, ANY));
  }
  t.deepEqual(differences, []);
});

/** Values that depend on the kind of entry or event, on the booker, and on the room; keys of clients. */
const ANY = /(\.details|\.metadata|\.data\.object|\.data\.previous|\.booked_by|\.opening_hours)$/;

/** As JSON, without fields that are undefined. */
const plain = (example: unknown): unknown => JSON.parse(JSON.stringify(example));

/** The previous values of an update are those of the changed fields. */
const anyIn = (type: string): RegExp =>
  type.endsWith('.updated') ? /\.(booked_by|metadata|data\.previous)$/ : /\.(booked_by|metadata)$/;

/** How the stored events of a workspace differ from the examples of their types. */
async function differencesOfEvents({ api }: TestWorkspace): Promise<string[]> {
  const { data } = (await api.get('/v1/events?limit=200')).body;
  return data.flatMap((event) => {
    const { example } = document.webhooks[event.type]!.post.requestBody.content['application/json'];
    return listShapeDifferences(plain(example), event, event.type, anyIn(event.type));
  });
}

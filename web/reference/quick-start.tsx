import { isReference, type OpenApi } from '../../api/openapi/open-api.js';
import type { PathId } from '../../api/resources/shared/resource.js';
import { Code } from './code.js';
import { curlExample } from './curl.js';
import { listEndpoints, type Endpoint } from './operation-view.js';

/** The first calls, each with its purpose. Operations have the same names as in the table of contents. */
const STEPS: [operation: string, before: string][] = [
  ['GET /v1/rooms', 'List the rooms, and set ROOM_ID to the id of one of them.'],
  ['POST /v1/quotes', 'Get the price of a booking, and check that its time is free. Nothing is stored.'],
  [
    'POST /v1/bookings',
    'Create the booking. The response contains its id and a checkout_url where the booker pays. The hold ' +
      'expires if the booking is not paid.',
  ],
  [
    'GET /v1/bookings/{id}',
    'Set BOOKING_ID to the id of the booking, and get it again. It is confirmed once it has been paid.',
  ],
];

const KEY = 'export API_KEY=hf_live_…\nexport ROOM_ID=… BOOKING_ID=…';

/** Leaves out the filters of the example, which would only narrow what a first call returns. */
const withoutQuery = ({ operation, ...endpoint }: Endpoint): Endpoint => ({
  ...endpoint,
  operation: {
    ...operation,
    parameters: operation.parameters?.filter((each) => isReference(each) || each.in === 'path'),
  },
});

/** The shortest way from a key to a booking, as commands to copy. */
export function QuickStart({ document, ids }: { document: OpenApi; ids: Record<string, PathId> }) {
  const endpoints = new Map(listEndpoints(document).map((each) => [`${each.method} ${each.path}`, each]));
  return (
    <section id="quick-start" data-find="Quick start">
      <h2>Quick start</h2>
      <ol>
        <li>
          <p>
            Create an API key in the dashboard under Settings → API keys, with the resource calendar and the
            actions read and write. Set the key, and later the ids, as variables in the shell.
          </p>
          <Code label="Variables" id="quick-start-0">
            {KEY}
          </Code>
        </li>
        {STEPS.map(([operation, before], index) => (
          <li key={operation}>
            <p>{before}</p>
            <Code label={operation} id={`quick-start-${index + 1}`}>
              {curlExample(document.servers[0]!.url, withoutQuery(endpoints.get(operation)!), ids)}
            </Code>
          </li>
        ))}
      </ol>
    </section>
  );
}

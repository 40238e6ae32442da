import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { listen } from '../../dev/simulator/listen.js';
import { freeHour, hoursLater } from '../support/bookings.js';
import { dev } from '../support/stack.js';
import { newRoom, newWorkspace, uniqueEmail } from '../support/workspaces.js';

/** An API of a later version, which returns bookings with a status that the document does not have. */
async function startLaterApi(): Promise<{ url: string; close(): void }> {
  const server = createServer(async ({ url, headers }, response) => {
    const { authorization = '' } = headers;
    const answer = await fetch(dev.baseUrl + url, { headers: { authorization } });
    const booking = (await answer.json()) as object;
    response.writeHead(answer.status, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ ...booking, status: 'some_new_status' }));
  });
  const port = await listen(server, 0);
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() };
}

/**
 * A client's day, which its program gets as `DAY`: it lists the rooms, books one, pays, moves the booking by
 * an hour and adds notes, cancels it, and reads it from an API of a later version. Prints `done`.
 */
export async function clientsDay() {
  const workspace = await newWorkspace();
  await newRoom(workspace.api, { name: 'Blue room' });
  const later = await startLaterApi();
  const { start_at, end_at } = freeHour();
  return {
    day: {
      url: dev.baseUrl,
      later_url: later.url,
      pay_url: `${dev.processorUrl}/_sim/checkout`,
      token: workspace.api.token,
      email: uniqueEmail(),
      idempotency_key: randomUUID(),
      start_at,
      end_at,
      later_end_at: hoursLater(end_at, 1),
    },
    done: {
      room: 'Blue room',
      start_at: end_at,
      notes: 'By the window',
      cancelled: 'cancelled',
      isNew: true,
    },
    close: later.close,
  };
}

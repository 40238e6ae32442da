import { randomUUID } from 'node:crypto';
import { untilInterrupted } from './interrupted.js';
import { sentenceFor } from './problem.js';
import { createReport } from './report.js';
import { readSettings } from './settings.js';
import { withStack, type Stack } from './stack.js';

/** The block that a person needs once all runs. */
function summary({ dev, roomId }: Stack): string {
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  const body = {
    room_id: roomId,
    start_at: `${tomorrow}T10:00:00Z`,
    end_at: `${tomorrow}T11:00:00Z`,
    booked_by: { guest: { email: 'ada@example.com', name: 'Ada' } },
    idempotency_key: randomUUID(),
  };
  return `
  Holdfast runs.

    API            ${dev.baseUrl}
    API key        ${dev.apiKey}
    dashboard      ${dev.baseUrl}/dashboard (owner@example.com; the link is in the mailbox)
    Temporal UI    ${dev.temporalUiUrl ?? 'your own'}
    mailbox        ${dev.mailUrl ?? 'your own'}
    books          ${dev.accountingUrl ?? 'your own'}

  Book a room, then open the checkout_url of the answer in a browser and pay:

curl -s ${dev.baseUrl}/v1/bookings \\
  -H 'Authorization: Bearer ${dev.apiKey}' \\
  -H 'Content-Type: application/json' \\
  -d '${JSON.stringify(body)}'

  Ctrl-C stops everything; the next start finds its data again.
`;
}

const report = createReport(process.stdout);
const interrupted = untilInterrupted();
try {
  await withStack(
    readSettings(),
    report,
    { fresh: false },
    async (stack) => {
      report.line(summary(stack));
      await interrupted;
    },
    interrupted,
  );
  report.close();
} catch (error) {
  report.close();
  console.error(sentenceFor(error));
  process.exitCode = 1;
}
process.exit();

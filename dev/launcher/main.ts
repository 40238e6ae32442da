import { firstBooking } from './first-booking.js';
import { untilInterrupted } from './interrupted.js';
import { sentenceFor } from './problem.js';
import { createReport } from './report.js';
import { readSettings } from './settings.js';
import { withStack, type Stack } from './stack.js';

const simulated = (url: string | null, note = ''): string => (url ? `${url} (simulator${note})` : 'your own');

/** The text to print once everything is ready. */
async function summary({ dev, roomId, bookingPageUrl, proxyHeaders }: Stack): Promise<string> {
  const forwarded = Object.entries(proxyHeaders).map(([name, value]) => `  -H '${name}: ${value}' \\\n`);
  const body = JSON.stringify(await firstBooking({ ...dev, proxyHeaders }, roomId));
  return `
  Holdfast runs.

    booking page   ${bookingPageUrl} (book and pay as a guest does)
    API            ${dev.baseUrl}
    API key        ${dev.apiKey}
    dashboard      ${dev.baseUrl}/dashboard (owner@example.com; the link is in the mailbox)
    Temporal UI    ${dev.temporalUiUrl ?? 'your own'}
    mailbox        ${dev.mailUrl}
    payments       ${simulated(dev.processorUrl, '; state at /_sim/ledger')}
    accounting     ${simulated(dev.accountingUrl)}

  Book a room by the API, then open the checkout_url of the response in a browser and pay:

curl -s ${dev.baseUrl}/v1/bookings \\
  -H 'Authorization: Bearer ${dev.apiKey}' \\
  -H 'Content-Type: application/json' \\
${forwarded.join('')}  -d '${body}'

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
      report.line(await summary(stack));
      await interrupted;
    },
    interrupted,
  );
  report.line('  Stopped.');
  report.close();
} catch (error) {
  report.close();
  console.error(sentenceFor(error));
  process.exitCode = 1;
}
process.exit();

import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import test from '../support/suite.js';
import { SMTPServer } from 'smtp-server';
import { createSmtpMailer, isRefusedForGood } from '../../activities/gateways/mail.js';

const letter = { id: 'ivt_1', to: 'ines@example.com', subject: 'Hello', text: 'Hello', html: '<p>Hello</p>' };

/** What sending a letter fails with, at a server that answers its recipient with this. */
async function failureOf(responseCode: number | null): Promise<unknown> {
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onRcptTo: (_address, _session, done) =>
      done(responseCode ? Object.assign(new Error('No such mailbox'), { responseCode }) : null),
  });
  server.on('error', () => undefined);
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const { port } = listening.address() as AddressInfo;
  const mailer = createSmtpMailer({ url: `smtp://127.0.0.1:${port}`, from: 'house@example.com' });
  try {
    await mailer.send(letter);
    return null;
  } catch (error) {
    return error;
  } finally {
    server.close(() => undefined);
  }
}

test('an address that the server refuses for good is told from one that it may take later', async (t) => {
  t.is(await failureOf(null), null);
  t.true(isRefusedForGood(await failureOf(550)));
  t.false(isRefusedForGood(await failureOf(450)));
  const nobody = createSmtpMailer({ url: 'smtp://127.0.0.1:1', from: 'house@example.com' });
  t.false(isRefusedForGood(await nobody.send(letter).catch((error) => error)));
});

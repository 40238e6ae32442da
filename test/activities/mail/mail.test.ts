import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import test from 'ava';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import {
  createSmtpMailer,
  toFailedSend,
  parseMailbox,
  type FailedSend,
  type MailMessage,
} from '../../../activities/gateways/mail.js';

const message = {
  id: 'mail_1',
  to: 'ines@example.com',
  subject: 'Hello',
  text: 'Hello',
  html: '<p>Hello</p>',
};

/** Everything that logs and failed activities can contain about an error. */
const errorText = (error: unknown): string => inspect(error, { depth: 10, showHidden: true });

/**
 * The failure when sending a message to a server with these hooks; null if it succeeds. Throws if the error
 * contains the address.
 */
async function sendFailure(
  hooks: SMTPServerOptions,
  to = message.to,
  changes: Partial<MailMessage> = {},
): Promise<FailedSend | null> {
  const server = new SMTPServer({ disabledCommands: ['AUTH', 'STARTTLS'], ...hooks });
  server.on('error', () => undefined);
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const { port } = listening.address() as AddressInfo;
  const mailer = createSmtpMailer({ url: `smtp://127.0.0.1:${port}`, from: 'house@example.com' });
  const error = await mailer.send({ ...message, to, ...changes }).then(
    () => null,
    (error: unknown) => error,
  );
  server.close(() => undefined);
  if (errorText(error).includes(to)) throw new Error(`The error quotes the address: ${errorText(error)}`);
  return error === null ? null : toFailedSend(error);
}

/** A hook that refuses with a code, quoting the address as real servers do. */
const refuse = (responseCode: number) => (_what: unknown, _session: unknown, done: (error: Error) => void) =>
  done(Object.assign(new Error('<ines@example.com>: no'), { responseCode }));

test('mail has the name of its workspace as sender, and the address of the service', async (t) => {
  t.deepEqual(parseMailbox('"Holdfast, Ltd" <no-reply@example.com>'), {
    name: 'Holdfast, Ltd',
    address: 'no-reply@example.com',
  });
  t.deepEqual(parseMailbox('no-reply@example.com'), { name: '', address: 'no-reply@example.com' });
  let raw = '';
  const onData: SMTPServerOptions['onData'] = (stream, _session, done) => {
    stream.on('data', (chunk: Buffer) => (raw += chunk));
    stream.on('end', () => done());
  };
  t.is(await sendFailure({ onData }, message.to, { from_name: 'Harbour "House", Bristol' }), null);
  t.regex(raw, /^From: "Harbour \\"House\\", Bristol" <house@example\.com>\r$/m);
  t.regex(raw, /^Message-ID: <mail_1@example\.com>\r$/m);
  t.regex(raw, /^Auto-Submitted: auto-generated\r$/m);
});

test('permanent and temporary refusals are classified by codes without addresses', async (t) => {
  t.is(await sendFailure({}), null);
  t.deepEqual(await sendFailure({ onRcptTo: refuse(550) }), {
    code: 'smtp_550',
    permanent: true,
    recipient: true,
  });
  t.deepEqual(await sendFailure({ onRcptTo: refuse(450) }), { code: 'smtp_450', permanent: false });
  const onData: SMTPServerOptions['onData'] = (stream, session, done) => {
    stream.resume();
    stream.on('end', () => refuse(554)(null, session, done));
  };
  t.deepEqual(await sendFailure({ onData }), { code: 'smtp_554', permanent: true });
  t.deepEqual(await sendFailure({}, 'nobody'), { code: 'invalid_address', permanent: true, recipient: true });
});

test('errors that an operator can correct, and an unreachable server, are retried', async (t) => {
  t.deepEqual(await sendFailure({ onMailFrom: refuse(550) }), { code: 'smtp_550', permanent: false });
  const nobody = createSmtpMailer({ url: 'smtp://127.0.0.1:1', from: 'house@example.com' });
  const error = await nobody.send(message).catch((error) => error);
  t.deepEqual(toFailedSend(error), { code: 'not_connected', permanent: false });
  t.deepEqual(toFailedSend(new TypeError('a bug')), { code: 'not_written', permanent: false });
});

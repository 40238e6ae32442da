import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ava from '../support/suite.js';
import nodemailer, { type SendMailOptions } from 'nodemailer';

const test = ava.serial;
const folder = mkdtempSync(join(tmpdir(), 'holdfast-mail-'));
let mailbox: ChildProcess;
let ports: { mail: number; smtp: number };

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function start(): Promise<void> {
  mailbox = spawn(process.execPath, ['build/dev/mailbox/main.js'], {
    env: { ...process.env, MAIL_PORT: String(ports.mail), SMTP_PORT: String(ports.smtp), MAIL_DATA: folder },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  await once(mailbox, 'message');
}

async function stop(signal: NodeJS.Signals): Promise<void> {
  if (mailbox.exitCode !== null || mailbox.signalCode !== null) return;
  const ended = once(mailbox, 'exit');
  mailbox.kill(signal);
  await ended;
}

ava.before(async () => {
  ports = { mail: await freePort(), smtp: await freePort() };
  await start();
});
ava.after.always(async () => {
  await stop('SIGTERM');
  rmSync(folder, { recursive: true, force: true });
});

const at = (path: string): string => `http://127.0.0.1:${ports.mail}${path}`;
const messages = async (to = ''): Promise<any[]> =>
  (await fetch(at(`/_sim/messages${to && `?to=${to}`}`))).json() as any;

function send(letter: SendMailOptions) {
  const transport = nodemailer.createTransport({ host: '127.0.0.1', port: ports.smtp, secure: false });
  return transport.sendMail({ from: 'Holdfast <no-reply@holdfast.invalid>', ...letter });
}

test('a letter sent through SMTP is shown with its text, its links and what is attached', async (t) => {
  await send({
    to: 'ada@example.com',
    subject: 'Ihre Buchung – bestätigt',
    text: 'See http://127.0.0.1/a?x=1&y=2 for more',
    html: '<p>See <a href="http://127.0.0.1/b?x=1&amp;y=2">here</a></p>',
    attachments: [{ filename: 'booking.ics', content: 'BEGIN:VCALENDAR', contentType: 'text/calendar' }],
  });
  const [letter, ...others] = await messages('ada@example.com');
  t.deepEqual(others, []);
  t.like(letter, {
    to: 'ada@example.com',
    from: 'no-reply@holdfast.invalid',
    subject: 'Ihre Buchung – bestätigt',
  });
  t.regex(letter.text, /for more/);
  t.regex(letter.html, /<a href/);
  t.deepEqual(letter.links, ['http://127.0.0.1/b?x=1&y=2', 'http://127.0.0.1/a?x=1&y=2']);
  const attachment = await fetch(at(`/messages/${letter.id}/attachments/0`));
  t.is((await attachment.text()).trimEnd(), 'BEGIN:VCALENDAR');
});

test('an invitation is listed once, under its name, beside what else is attached', async (t) => {
  const content = 'BEGIN:VCALENDAR';
  await send({
    to: 'ivy@example.com',
    text: 'Come',
    attachments: [{ filename: 'invoice.pdf', content: 'x' }],
    icalEvent: { filename: 'booking.ics', method: 'REQUEST', content },
  });
  const [letter] = await messages('ivy@example.com');
  const files = letter.attachments.map(({ filename }: { filename: string }) => filename);
  t.deepEqual(files, ['invoice.pdf', 'booking.ics']);
});

test('letters are found by who they were sent to, blind copies too', async (t) => {
  await send({ to: 'bob@example.com', bcc: 'eve@example.com', subject: 'Two', text: 'Hello' });
  t.is((await messages('bob@example.com')).length, 1);
  t.is((await messages('EVE@example.com')).length, 1);
  t.is((await messages('nobody@example.com')).length, 0);
  for (const part of ['ob@example.com', 'bob@example', 'bob', 'bob@example.com, eve@example.com'])
    t.deepEqual(await messages(part), [], part);
});

test('the pages show a letter, and what it holds does nothing there', async (t) => {
  await send({
    to: 'mallory@example.com',
    subject: '<script>alert(1)</script>',
    html: '<script>alert(2)</script>',
  });
  const [letter] = await messages('mallory@example.com');
  const list = await (await fetch(at('/'))).text();
  t.true(list.includes(`/messages/${letter.id}`));
  const page = await (await fetch(at(`/messages/${letter.id}`))).text();
  for (const html of [list, page]) t.false(html.includes('<script'), 'nothing that runs');
  t.regex(page, /<iframe sandbox/);
  t.is((await fetch(at('/messages/999999'))).status, 404);
});

test('letters outlive a crash of the mailbox, and go when they are cleared', async (t) => {
  await send({ to: 'carol@example.com', subject: 'Keep', text: 'me' });
  const before = await messages();
  await stop('SIGKILL');
  await start();
  t.deepEqual(await messages(), before);
  t.is((await fetch(at('/_sim/messages'), { method: 'DELETE' })).status, 204);
  t.deepEqual(await messages(), []);
});

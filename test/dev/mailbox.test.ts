import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from '../support/ports.js';
import ava from 'ava';
import nodemailer, { type SendMailOptions } from 'nodemailer';
import type { Message } from '../../dev/mailbox/messages.js';

const test = ava.serial;
const folder = mkdtempSync(join(tmpdir(), 'holdfast-mail-'));
let mailbox: ChildProcess;
let ports: { mail: number; smtp: number };

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
  const [mail, smtp] = (await freePorts(2)) as [number, number];
  ports = { mail, smtp };
  await start();
});
ava.after.always(async () => {
  await stop('SIGTERM');
  rmSync(folder, { recursive: true, force: true });
});

const at = (path: string): string => `http://127.0.0.1:${ports.mail}${path}`;
const messages = async (to = '') =>
  (await fetch(at(`/_sim/messages${to && `?to=${to}`}`))).json() as Promise<Message[]>;

function send(message: SendMailOptions) {
  const transport = nodemailer.createTransport({ host: '127.0.0.1', port: ports.smtp, secure: false });
  return transport.sendMail({ from: 'Holdfast <no-reply@holdfast.invalid>', ...message });
}

test('a message sent through SMTP is shown with its text, links and attachments', async (t) => {
  await send({
    to: 'ada@example.com',
    subject: 'Ihre Buchung – bestätigt',
    text: 'See http://127.0.0.1/a?x=1&y=2 for more',
    html: '<p>See <a href="http://127.0.0.1/b?x=1&amp;y=2">here</a></p>',
    attachments: [{ filename: 'booking.ics', content: 'BEGIN:VCALENDAR', contentType: 'text/calendar' }],
  });
  const [message, ...others] = await messages('ada@example.com');
  t.deepEqual(others, []);
  t.like(message, {
    to: 'ada@example.com',
    from: 'no-reply@holdfast.invalid',
    subject: 'Ihre Buchung – bestätigt',
  });
  t.regex(message!.text, /for more/);
  t.regex(message!.html, /<a href/);
  t.deepEqual(message!.links, ['http://127.0.0.1/b?x=1&y=2', 'http://127.0.0.1/a?x=1&y=2']);
  const page = await (await fetch(at(`/messages/${message!.id}`))).text();
  t.true(page.includes('<a href="http://127.0.0.1/a?x=1&amp;y=2" target="_blank"'), 'the text has links');
  t.regex(page, /<iframe sandbox="allow-popups allow-popups-to-escape-sandbox"[^>]*&lt;base target=/);
  const attachment = await fetch(at(`/messages/${message!.id}/attachments/0`));
  t.is((await attachment.text()).trimEnd(), 'BEGIN:VCALENDAR');
});

test('a calendar invitation is listed once, by name, with the other attachments', async (t) => {
  const content = 'BEGIN:VCALENDAR';
  await send({
    to: 'ivy@example.com',
    text: 'Come',
    attachments: [{ filename: 'invoice.pdf', content: 'x' }],
    icalEvent: { filename: 'booking.ics', method: 'REQUEST', content },
  });
  const [message] = await messages('ivy@example.com');
  const files = message!.attachments.map(({ filename }: { filename: string }) => filename);
  t.deepEqual(files, ['invoice.pdf', 'booking.ics']);
});

test('messages are found by recipient, including blind copies', async (t) => {
  await send({ to: 'bob@example.com', bcc: 'eve@example.com', subject: 'Two', text: 'Hello' });
  t.is((await messages('bob@example.com')).length, 1);
  t.is((await messages('EVE@example.com')).length, 1);
  t.is((await messages('nobody@example.com')).length, 0);
  for (const part of ['ob@example.com', 'bob@example', 'bob', 'bob@example.com, eve@example.com'])
    t.deepEqual(await messages(part), [], part);
});

test('the pages show a message, and its scripts do not run', async (t) => {
  await send({
    to: 'mallory@example.com',
    subject: '<script>alert(1)</script>',
    html: '<script>alert(2)</script>',
  });
  const [message] = await messages('mallory@example.com');
  const list = await (await fetch(at('/'))).text();
  t.true(list.includes(`/messages/${message!.id}`));
  const page = await (await fetch(at(`/messages/${message!.id}`))).text();
  for (const html of [list, page]) t.false(html.includes('<script'), 'no script');
  t.regex(page, /<iframe sandbox/);
  t.is((await fetch(at('/messages/999999'))).status, 404);
});

test('the next mails can be made to fail, before or after they are stored', async (t) => {
  const fail = (faults: object) =>
    fetch(at('/_sim/faults'), { method: 'POST', body: JSON.stringify(faults) });
  const countReceipts = async (id: string): Promise<number> => {
    const receipts = (await (await fetch(at('/_sim/receipts'))).json()) as Pick<
      Message,
      'message_id' | 'to'
    >[];
    return receipts.filter(({ message_id }) => message_id === id).length;
  };
  const mail = { messageId: '<once@holdfast>', to: 'deferred@example.com', subject: 'Once', text: 'Once' };
  for (const [after_effect, stored] of [
    [false, 0],
    [true, 1],
  ] as const) {
    await fail({ code: 451, times: 1, after_effect });
    await t.throwsAsync(send(mail), { message: /451/ });
    t.is(await countReceipts(mail.messageId), stored);
  }
  await send(mail);
  t.is(await countReceipts(mail.messageId), 2);
  await fail({ code: 451, times: 1 });
  await fail({});
  await send(mail);
});

test('messages survive a crash of the mailbox, and can be deleted', async (t) => {
  await send({ to: 'carol@example.com', subject: 'Keep', text: 'me' });
  const before = await messages();
  await stop('SIGKILL');
  await start();
  t.deepEqual(await messages(), before);
  t.is((await fetch(at('/_sim/messages'), { method: 'DELETE' })).status, 204);
  t.deepEqual(await messages(), []);
});

import { text } from 'node:stream/consumers';
import Router from '@koa/router';
import { SMTPServer } from 'smtp-server';
import { serve } from '../simulator/serve.js';
import { Messages, parseMessage } from './messages.js';
import { listPage, messagePage } from './pages.js';

const { MAIL_PORT, SMTP_PORT, MAIL_DATA } = process.env;
const messages = await new Messages().load(MAIL_DATA);

/**
 * How mail to an address is refused: with an SMTP reply code, after a delay. `count` is the number of
 * refusals.
 */
interface Refusal {
  code: number;
  delay_ms: number;
  count: number;
}
/** By lower-case address. */
const refused = new Map<string, Refusal>();

/** How the next mails fail, whoever they are addressed to. */
interface Failure {
  code: number;
  times: number;
  /** The mail is stored anyway, as by a server whose response is lost. */
  after_effect: boolean;
}
let failure: Failure | undefined;

/** The error of a mail that fails now. */
function nextFailure(afterEffect: boolean): Error | undefined {
  if (!failure || failure.after_effect !== afterEffect || failure.times-- <= 0) return undefined;
  return Object.assign(new Error('Try again later'), { responseCode: failure.code });
}

const smtp = new SMTPServer({
  authOptional: true,
  disabledCommands: ['AUTH', 'STARTTLS'],
  onRcptTo({ address }, _session, done) {
    const refusal = refused.get(address.toLowerCase());
    if (!refusal) return done();
    refusal.count++;
    const error = Object.assign(new Error(`Refused: ${address}`), { responseCode: refusal.code });
    setTimeout(() => done(error), refusal.delay_ms);
  },
  onData(stream, session, done) {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => {
      const recipients = session.envelope.rcptTo.map(({ address }) => address);
      parseMessage(Buffer.concat(chunks), recipients).then((message) => {
        const refused = nextFailure(false);
        if (refused) return done(refused);
        messages.add(message);
        done(nextFailure(true));
      }, done);
    });
  },
});
// A client that disconnects early is not an error.
smtp.on('error', () => undefined);

const router = new Router();
router.get('/', (ctx) => {
  ctx.type = 'html';
  ctx.body = listPage(messages.list());
});
router.get('/messages/:id', (ctx) => {
  const message = messages.find(ctx.params.id!);
  if (!message) return;
  ctx.type = 'html';
  ctx.body = messagePage(message);
});
router.get('/messages/:id/attachments/:index', (ctx) => {
  const attachment = messages.find(ctx.params.id!)?.attachments[Number(ctx.params.index)];
  if (!attachment) return;
  ctx.attachment(attachment.filename);
  ctx.type = attachment.type;
  ctx.body = Buffer.from(attachment.content, 'base64');
});
router.get('/_sim/messages', (ctx) => {
  ctx.body = messages.list(typeof ctx.query.to === 'string' ? ctx.query.to : undefined);
});
// `{to, code, delay_ms}`: refuses mail to the address with this SMTP code, after a delay. Without a code,
// mail is accepted again.
router.post('/_sim/refuse', async (ctx) => {
  const { to, code, delay_ms = 0 } = JSON.parse(await text(ctx.req)) as { to: string } & Partial<Refusal>;
  if (code) refused.set(to.toLowerCase(), { code, delay_ms, count: 0 });
  else refused.delete(to.toLowerCase());
  ctx.status = 204;
});
// `{code, times, after_effect}`: the next mails fail with this SMTP code, before or after they are stored.
// `{}` ends it.
router.post('/_sim/faults', async (ctx) => {
  const { code, times = 1, after_effect = false } = JSON.parse(await text(ctx.req)) as Partial<Failure>;
  failure = code ? { code, times, after_effect } : undefined;
  ctx.status = 204;
});
// The Message-ID and recipients of every message.
router.get('/_sim/receipts', (ctx) => {
  ctx.body = messages.list().map(({ message_id, to }) => ({ message_id, to }));
});
router.get('/_sim/refusals', (ctx) => {
  ctx.body = { count: refused.get(String(ctx.query.to).toLowerCase())?.count ?? 0 };
});
router.delete('/_sim/messages', (ctx) => {
  messages.clear();
  ctx.status = 204;
});

await new Promise<void>((resolve) => smtp.listen(Number(SMTP_PORT ?? 0), '127.0.0.1', resolve));
await serve(MAIL_PORT, messages, () => ({ router }));
